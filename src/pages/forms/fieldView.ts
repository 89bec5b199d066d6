import { type Draft, draftOf, readDraft } from '../../domain/forms/formAnswers.ts';
import type { FormField } from '../../domain/forms/formFields.ts';
import { cut, printable } from '../../domain/printable.ts';
import type { Sentence } from '../../domain/sentence.ts';
import { element } from '../elements.ts';
import type { PageWords } from '../host.ts';
import { valueTree } from '../results/valueTree.ts';

/** A question of a form on a page, with what is given for it. */
export interface FieldView {
  readonly element: HTMLElement;
  /** `undefined`: nothing is given. */
  readonly draft: Draft | undefined;
  /** Shows what is wrong with it; `undefined`: nothing is. */
  show(problem: Sentence | undefined): void;
}

/** The state that the questions of a form share. */
export interface FormContext extends PageWords {
  /** Whether a default is filled in where its question can be left out, too. */
  readonly isPresetGiven: boolean;
  /** Something was given, or changed. */
  onChange(): void;
}

/** The parts of a control: what takes the focus, and how its words are brought to it. */
interface Control {
  readonly element: HTMLElement;
  readonly draft: () => Draft | undefined;
  /** Tells a screen reader what is said of it. */
  readonly describe: (about: string, isWrong: boolean) => void;
}

/** A question with its control: its name, what is said of it, and what is wrong with it. */
export function fieldView(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
): FieldView {
  const problem = element('p', { class: 'problem', role: 'alert' });
  const control = controlOf(field, draft ?? presetDraft(field, form), form);
  const notes = notesOf(field, form);
  const about = notes.map(note => note.textContent).join(' ');
  const whole = element(
    'div',
    { class: 'field' },
    element('div', { class: 'label' }, ...nameOf(field, form)),
    ...notes,
    control.element,
    field.kind === 'json' && field.name !== '' && schemaView(field, form),
    problem,
  );
  const show = (found: Sentence | undefined) => {
    problem.textContent = found ? form.localized(found) : '';
    whole.classList.toggle('wrong', found !== undefined);
    control.describe(`${about} ${problem.textContent}`.trim(), found !== undefined);
  };
  show(undefined);
  whole.addEventListener('input', () => form.onChange());
  whole.addEventListener('change', () => {
    const given = control.draft();
    show(given && readDraft(field, given).problem);
    form.onChange();
  });
  return {
    element: whole,
    get draft() {
      return control.draft();
    },
    show,
  };
}

/** The name of a question, its title first, and whether it must be answered. */
function nameOf(field: FormField, { t }: FormContext): readonly (HTMLElement | string)[] {
  const { label, name, isRequired } = field;
  const shown = printable(cut(name, 200));
  return [
    element('bdi', {}, label),
    ...(shown !== '' && shown !== label ? [element('code', {}, shown)] : []),
    ...(isRequired && name !== '' ? [element('span', { class: 'required' }, t('required'))] : []),
  ];
}

/** The text on a question besides its name: the description, and what its schema tells of it. */
function notesOf(
  { kind, description, schema, looksSecret }: FormField,
  { t }: FormContext,
): readonly HTMLElement[] {
  const { pattern } = schema;
  const texts = [
    description,
    kind === 'list' ? t('One in each line') : '',
    // It is not run here: some patterns take for ever.
    typeof pattern === 'string' ? t('Has to match {0}', shortened(pattern)) : '',
    looksSecret ? t('Goes to the server as it is, and is not kept among the last calls.') : '',
  ];
  return texts
    .filter(text => text !== '')
    .map(text => element('p', { class: 'about', dir: 'auto' }, text));
}

/** The schema of a value that has to be written as JSON, on demand: nothing else says how it is made. */
function schemaView({ schema }: FormField, form: FormContext): HTMLElement | false {
  const label = form.t('Schema');
  const { length } = Object.keys(schema);
  return (
    length > 0 &&
    element('details', {}, element('summary', {}, label), valueTree(schema, label, form))
  );
}

/** The draft by the default of a question; `undefined`: it has none, or that is not filled in. */
function presetDraft(field: FormField, { isPresetGiven }: FormContext): Draft | undefined {
  const { preset, isRequired } = field;
  const isGiven = preset !== undefined && (isRequired || isPresetGiven);
  return isGiven ? draftOf(field, preset) : undefined;
}

function controlOf(field: FormField, draft: Draft | undefined, form: FormContext): Control {
  if (draft?.as === 'json' || field.kind === 'json') {
    return textControl(field, draft, form, 'json');
  }
  switch (field.kind) {
    case 'one':
      return oneControl(field, draft, form);
    case 'many':
      return manyControl(field, draft, form);
    default:
      return textControl(field, draft, form, 'text');
  }
}

/** The words for an answer that is left out, with what it is then. */
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

/** A text with less room than this has no lines. */
const longestLine = 100;

function textControl(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
  as: 'text' | 'json',
): Control {
  const { kind, label, format, most = Infinity, looksSecret, isRequired } = field;
  const isLine =
    as === 'text' &&
    kind !== 'list' &&
    (kind !== 'text' || format !== undefined || looksSecret || most <= longestLine);
  const hint = leftOutText(field, form);
  const input = textInput({
    label,
    value: draft?.as === 'text' || draft?.as === 'json' ? draft.text : '',
    placeholder: as === 'json' ? [form.t('JSON'), hint].filter(Boolean).join(', ') : hint,
    kind: as === 'json' ? 'json' : !isLine ? 'lines' : looksSecret ? 'secret' : 'line',
  });
  let hasGiven = draft !== undefined;
  input.element.addEventListener('input', () => {
    hasGiven = true;
  });
  return {
    element: input.element,
    draft: () => {
      const text = input.element.value;
      return text === '' && !(hasGiven && isRequired) ? undefined : { as, text };
    },
    describe: (about, isWrong) => {
      input.element.classList.toggle('invalid', isWrong);
      input.describe({
        'aria-description': about,
        'aria-invalid': String(isWrong),
        'aria-required': String(isRequired),
      });
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
    describe: (about, isWrong) => {
      select.setAttribute('aria-description', about);
      select.setAttribute('aria-invalid', String(isWrong));
    },
  };
}

function manyControl(field: FormField, draft: Draft | undefined, form: FormContext): Control {
  const { choices, label } = field;
  const given = new Set(
    draft?.as === 'many' ? draft.values.map(value => JSON.stringify(value)) : [],
  );
  let hasGiven = draft !== undefined;
  const boxes = choices.map(choice => {
    const box = element('input', { type: 'checkbox' });
    box.checked = given.has(JSON.stringify(choice.value));
    box.addEventListener('change', () => {
      hasGiven = true;
    });
    return { box, choice };
  });
  const group = element(
    'div',
    { class: 'control', role: 'group', 'aria-label': label },
    ...boxes.map(({ box, choice }) => element('label', {}, box, ' ', choice.label)),
  );
  return {
    element: group,
    draft: () => {
      const values = boxes.flatMap(({ box, choice }) => (box.checked ? [choice.value] : []));
      const isGiven = hasGiven && (values.length > 0 || field.isRequired);
      return isGiven ? { as: 'many', values } : undefined;
    },
    describe: about => group.setAttribute('aria-description', about || form.t('Choose any')),
  };
}

/** A field for a text. */
interface TextInput {
  readonly element: HTMLElement & { value: string };
  /** Sets attributes where a screen reader finds them. */
  readonly describe: (attributes: Readonly<Record<string, string>>) => void;
}

/**
 * Makes a field for a text: the editor's own for a line, or an area that grows with its lines.
 * The area is the browser's own, as lists, checkboxes and the bar of progress are: it looks the same,
 * takes a tenth of the code, and is known to screen readers.
 */
function textInput(options: {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly kind: 'line' | 'secret' | 'lines' | 'json';
}): TextInput {
  const { label, value, placeholder, kind } = options;
  if (kind === 'line' || kind === 'secret') {
    const field = element('vscode-textfield', { class: 'control' });
    Object.assign(field, { label, value, placeholder });
    field.type = kind === 'secret' ? 'password' : 'text';
    return {
      element: field,
      describe: attributes => {
        field.invalid = attributes['aria-invalid'] === 'true';
        void field.updateComplete.then(() => setAll(field.wrappedElement, attributes));
      },
    };
  }
  const area = element('textarea', { class: `control ${kind}`, rows: '1', 'aria-label': label });
  Object.assign(area, { value, placeholder });
  return { element: area, describe: attributes => setAll(area, attributes) };
}

function setAll(target: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    target.setAttribute(name, value);
  }
}
