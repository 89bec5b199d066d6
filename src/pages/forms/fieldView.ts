import { type Draft, draftOf, readDraft } from '../../domain/forms/formAnswers.ts';
import type { FormField } from '../../domain/forms/formFields.ts';
import { cut, printable } from '../../domain/printable.ts';
import type { Sentence } from '../../domain/sentence.ts';
import { element } from '../elements.ts';
import type { PageWords } from '../host.ts';
import { valueTree } from '../results/valueTree.ts';

/** A question of a form on a page, with its current answer. */
export interface FieldView {
  readonly element: HTMLElement;
  /** The current answer; `undefined` if the question has no answer. */
  readonly draft: Draft | undefined;
  /** Shows why the answer can't be sent; `undefined` removes that text. */
  show(problem: Sentence | undefined): void;
}

/** What the questions of a form share. */
export interface FormContext extends PageWords {
  /** Whether optional questions also begin with their defaults. */
  readonly isPresetGiven: boolean;
  /** Call this when an answer was given or changed. */
  onChange(): void;
}

/** The control with which a person answers a question. */
interface Control {
  readonly element: HTMLElement;
  /** @param isTouched whether the person changed something, so that an empty answer may count. */
  readonly draft: (isTouched: boolean) => Draft | undefined;
}

/** A question: its name, its description, its control, and the problem of the answer. */
export function fieldView(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
): FieldView {
  const problem = element('p', { class: 'problem', role: 'alert' });
  const initial = draft ?? presetDraft(field, form);
  const control = controlOf(field, initial, form);
  const notes = notesOf(field, form);
  const about = notes.map(note => note.textContent).join(' ');
  const whole = element(
    'div',
    { class: 'field' },
    element('div', { class: 'label' }, ...nameOf(field, form)),
    ...notes,
    control.element,
    field.kind === 'json' && schemaView(field, form),
    problem,
  );
  const show = (found: Sentence | undefined) => {
    problem.textContent = found ? form.localized(found) : '';
    whole.classList.toggle('wrong', found !== undefined);
    // Screen readers read the problem together with the field.
    control.element.setAttribute('aria-description', `${about} ${problem.textContent}`.trim());
    control.element.setAttribute('aria-invalid', String(found !== undefined));
  };
  show(undefined);
  let isTouched = initial !== undefined;
  const judge = () => {
    const given = control.draft(isTouched);
    show(given && readDraft(field, given).problem);
  };
  whole.addEventListener('input', () => {
    isTouched = true;
    // Checks while typing. If a problem vanished only at a click, the clicked button would move.
    if (whole.classList.contains('wrong')) {
      judge();
    }
    form.onChange();
  });
  whole.addEventListener('change', () => {
    judge();
    form.onChange();
  });
  return {
    element: whole,
    get draft() {
      return control.draft(isTouched);
    },
    show,
  };
}

/** The name of a question, its title first, and whether the question needs an answer. */
function nameOf(field: FormField, { t }: FormContext): readonly (HTMLElement | string)[] {
  const { label, name, isRequired } = field;
  const shown = printable(cut(name, 200));
  return [
    element('bdi', {}, label),
    ...(shown !== '' && shown !== label ? [element('code', {}, shown)] : []),
    ...(isRequired && name !== '' ? [element('span', { class: 'required' }, t('required'))] : []),
  ];
}

/** The texts below a question's name: its description, and facts from its schema. */
function notesOf(
  { kind, description, schema, looksSecret }: FormField,
  { t }: FormContext,
): readonly HTMLElement[] {
  const { pattern } = schema;
  const texts = [
    description,
    kind === 'list' ? t('One per line') : '',
    // The pattern is not tested, because some patterns never end.
    typeof pattern === 'string' ? t('Must match {0}', shortened(pattern)) : '',
    looksSecret ? t('The server gets this text as you type it.') : '',
  ];
  return texts
    .filter(text => text !== '')
    .map(text => element('p', { class: 'about', dir: 'auto' }, text));
}

/** The schema of a value without fields, which a person types as JSON. A click shows the schema. */
function schemaView({ schema }: FormField, form: FormContext): HTMLElement | false {
  const label = form.t('Schema');
  const { length } = Object.keys(schema);
  return (
    length > 0 &&
    element('details', {}, element('summary', {}, label), valueTree(schema, label, form))
  );
}

/** The default of a question as a draft; `undefined` if there is none, or it is not filled in. */
function presetDraft(field: FormField, { isPresetGiven }: FormContext): Draft | undefined {
  const { preset, isRequired } = field;
  const isGiven = preset !== undefined && (isRequired || isPresetGiven);
  return isGiven ? draftOf(field, preset) : undefined;
}

function controlOf(field: FormField, draft: Draft | undefined, form: FormContext): Control {
  switch (field.kind) {
    case 'one':
      return oneControl(field, draft, form);
    case 'many':
      return manyControl(field, draft);
    default:
      return textControl(field, draft, form);
  }
}

/** The words for a missing answer, and for the default that the server then uses. */
function leftOutText({ preset, isRequired }: FormField, { t }: FormContext): string {
  if (preset === undefined) {
    return isRequired ? '' : t('left out');
  }
  return t(
    'left out (default: {0})',
    shortened(typeof preset === 'string' ? preset : JSON.stringify(preset)),
  );
}

function shortened(text: string): string {
  return printable(cut(text, 100));
}

/** A text with at most this many characters has a field with a single line. */
const longestLine = 100;

function textControl(field: FormField, draft: Draft | undefined, form: FormContext): Control {
  const { kind, label, format, most = Infinity, looksSecret, isRequired } = field;
  const isJson = kind === 'json';
  const isLine =
    !isJson &&
    kind !== 'list' &&
    (kind !== 'text' || format !== undefined || looksSecret || most <= longestLine);
  const hint = leftOutText(field, form);
  const attributes = {
    'aria-label': label,
    'aria-required': String(isRequired),
    placeholder: isJson ? [form.t('JSON'), hint].filter(Boolean).join(', ') : hint,
  };
  const input = isLine
    ? element('input', {
        ...attributes,
        class: 'control',
        type: looksSecret ? 'password' : 'text',
      })
    : element('textarea', {
        ...attributes,
        class: isJson ? 'control json' : 'control',
        rows: '1',
      });
  input.value = draft?.as === 'text' ? draft.text : '';
  return {
    element: input,
    draft: isTouched => {
      const text = input.value;
      return text === '' && !(isTouched && isRequired) ? undefined : { as: 'text', text };
    },
  };
}

function oneControl(field: FormField, draft: Draft | undefined, form: FormContext): Control {
  const { choices, label, isRequired } = field;
  const isSettled = isRequired && choices.length === 1;
  const none = isRequired ? form.t('choose…') : leftOutText(field, form);
  const select = element(
    'select',
    { class: 'control', 'aria-label': label },
    !isSettled && element('option', { value: '' }, none),
    ...choices.map(({ label }, at) => element('option', { value: String(at) }, label)),
  );
  const given = draft?.as === 'one' ? JSON.stringify(draft.value) : undefined;
  const at = choices.findIndex(({ value }) => JSON.stringify(value) === given);
  select.value = at >= 0 ? String(at) : isSettled ? '0' : '';
  select.required = isRequired;
  return {
    element: select,
    draft: () => {
      const choice = select.value === '' ? undefined : choices[Number(select.value)];
      return choice && { as: 'one', value: choice.value };
    },
  };
}

function manyControl(field: FormField, draft: Draft | undefined): Control {
  const { choices, label } = field;
  const given = new Set(
    draft?.as === 'many' ? draft.values.map(value => JSON.stringify(value)) : [],
  );
  const boxes = choices.map(choice => {
    const box = element('input', { type: 'checkbox' });
    box.checked = given.has(JSON.stringify(choice.value));
    return { box, choice };
  });
  const group = element(
    'div',
    { class: 'control', role: 'group', 'aria-label': label },
    ...boxes.map(({ box, choice }) => element('label', {}, box, ' ', choice.label)),
  );
  return {
    element: group,
    draft: isTouched => {
      const values = boxes.flatMap(({ box, choice }) => (box.checked ? [choice.value] : []));
      const isGiven = isTouched && (values.length > 0 || field.isRequired);
      return isGiven ? { as: 'many', values } : undefined;
    },
  };
}
