import {
  type Draft,
  type FormProblem,
  type ReadDraft,
  readDraft,
} from '../../domain/forms/formAnswers.ts';
import {
  type FormField,
  hasFurtherMembers,
  itemOf,
  memberOf,
  variantsOf,
} from '../../domain/forms/formFields.ts';
import { type Property, propertiesOf } from '../../domain/forms/jsonSchema.ts';
import { printable } from '../../domain/printable.ts';
import { button, element, focusFirst, inPortions } from '../elements.ts';
import {
  type FieldView,
  type FormContext,
  leafView,
  leftOutText,
  nameOf,
  notesOf,
  presetDraft,
  textInput,
} from './fieldView.ts';

/** The fields for an object, with what is filled in. */
export class FormView {
  readonly element: HTMLElement;
  private readonly field: FormField;
  private readonly body: FieldView;
  /** Whether it was tried to send it: from then on each change is judged. */
  private isTried = false;

  /** @param draft what is filled in at first; `undefined`: the defaults. */
  constructor(
    field: FormField,
    draft: Draft | undefined,
    context: Pick<FormContext, 't' | 'localized' | 'isPresetGiven'>,
    onChange: () => void,
  ) {
    this.field = field;
    const form: FormContext = {
      ...context,
      room: { left: mostUnasked },
      onChange: () => {
        onChange();
        if (this.isTried) {
          this.body.show(this.read().problems);
        }
      },
    };
    this.body = draft?.as === 'json' ? leafView(field, draft, form) : bodyOf(field, draft, form, 0);
    this.element = this.body.element;
  }

  get draft(): Draft | undefined {
    return this.body.draft;
  }

  read(): ReadDraft {
    return readDraft(this.field, this.draft);
  }

  /** The value, if it can be sent; else what is wrong is shown, the first of it in focus. */
  send(): unknown {
    const { value, problems } = this.read();
    this.isTried = true;
    this.body.show(problems);
    if (problems.length === 0) {
      return value;
    }
    this.element.querySelector<HTMLElement>('.wrong .control')?.focus();
    return undefined;
  }
}

/** The question of a field, at a depth within the form. */
function viewOf(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
  depth: number,
): FieldView {
  form.room.left -= 1;
  if (draft?.as === 'json') {
    return leafView(field, draft, form);
  }
  switch (field.kind) {
    case 'object':
    case 'list':
      return groupView(field, draft, form, depth);
    case 'variants':
      return variantsView(field, draft, form, depth);
    default:
      return leafView(field, draft, form);
  }
}

/**
 * Objects and lists that have to be given are open so far down, until so many fields are drawn: a circle
 * would never end, and wide ones would multiply.
 */
const deepestOpen = 3;
const mostUnasked = 200;

/** An object or a list within a form: closed until something is given, or has to be. */
function groupView(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
  depth: number,
): FieldView {
  const { t } = form;
  const { isRequired, preset } = field;
  const content = element('div', { class: 'content' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const add = button('', () => {
    form.room.left = mostUnasked;
    open(0);
    form.onChange();
    focusFirst(content);
  });
  const remove = button(t('Leave Out'), () => {
    kept = undefined;
    close();
    form.onChange();
    add.focus();
  });
  const note = isRequired || preset === undefined ? '' : leftOutText(field, form);
  const whole = element(
    'fieldset',
    { class: 'group' },
    element('legend', { class: 'label' }, ...nameOf(field, form)),
    ...notesOf(field, form),
    note !== '' && element('p', { class: 'about' }, note),
    content,
    problem,
    element('div', { class: 'buttons' }, add, remove),
  );
  let body: FieldView | undefined;
  /** The draft while it is closed. */
  let kept = draft ?? presetDraft(field, form);
  if (form.room.left > 0 && (kept || (isRequired && depth < deepestOpen))) {
    open();
  } else {
    close();
  }
  return {
    element: whole,
    get draft() {
      return body ? body.draft : kept;
    },
    show: problems => {
      const [own] = problems.filter(({ path }) => path.length === 0);
      problem.textContent = own ? form.localized(own.problem) : '';
      const below = problems.filter(({ path }) => path.length > 0);
      if (below.length > 0 && !body) {
        open();
      }
      body?.show(below);
    },
  };

  /** @param level how deep it is in what a person asked to see. */
  function open(level = depth): void {
    body = bodyOf(field, kept, form, level);
    content.replaceChildren(body.element);
    add.hidden = true;
    remove.hidden = isRequired;
  }

  function close(): void {
    body = undefined;
    content.replaceChildren();
    problem.textContent = '';
    add.textContent = kept ? t('Show') : isRequired ? t('Fill In') : t('Add');
    add.hidden = false;
    remove.hidden = kept === undefined || isRequired;
  }
}

/** The fields of an object, or the items of a list, without a name around them. */
function bodyOf(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
  depth: number,
): FieldView {
  return field.kind === 'list'
    ? listBody(field, draft, form, depth)
    : objectBody(field, draft, form, depth);
}

function objectBody(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
  depth: number,
): FieldView {
  const { t } = form;
  const properties = propertiesOf(field.schema);
  const given = new Map(draft?.as === 'object' ? draft.members : []);
  const views = new Map<string, FieldView>();
  const members = element('div');
  const draw = (property: Property) => {
    const known = views.get(property.name);
    const draft = given.get(property.name);
    const view = known ?? viewOf(memberOf(field, property), draft, form, depth + 1);
    views.set(property.name, view);
    return view.element;
  };
  inPortions(members, properties.length, at => draw(properties[at] as Property), form);
  const further = furtherField(draft?.as === 'object' ? (draft.further ?? '') : '');
  const isOpen = hasFurtherMembers(field) || further.input.value !== '';
  return {
    element: element('div', { class: 'members' }, members, isOpen && further.element),
    get draft(): Draft {
      const names = new Set([...views.keys(), ...given.keys()]);
      const drafts = [...names].flatMap(name => {
        const view = views.get(name);
        const draft = view ? view.draft : given.get(name);
        return draft ? [[name, draft] as const] : [];
      });
      const text = further.input.value;
      return { as: 'object', members: drafts, ...(text !== '' && { further: text }) };
    },
    show: problems => {
      const wrong = new Set(problems.map(({ path: [name] }) => name));
      // One that is not drawn yet is drawn now, after the others.
      const unseen = properties.filter(({ name }) => wrong.has(name) && !views.has(name));
      members.append(...unseen.map(draw));
      for (const [name, view] of views) {
        view.show(below(problems, name));
      }
    },
  };

  function furtherField(value: string) {
    const label = t('Further Properties');
    const input = textInput({ label, value, placeholder: '{}', kind: 'json' }).element;
    input.addEventListener('input', () => form.onChange());
    const name = element('div', { class: 'label' }, label);
    const about = element('p', { class: 'about' }, t('A JSON object with what has no field here.'));
    return { input, element: element('div', { class: 'field' }, name, about, input) };
  }
}

function listBody(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
  depth: number,
): FieldView {
  const { t } = form;
  const list = element('div', { class: 'items' });
  /** The items that are drawn, and the drafts of the rest. */
  let items: (FieldView | { readonly draft: Draft | undefined })[] = [];
  const add = button(t('Add Item'), () => {
    draw([...drafts(), undefined], items.length);
    form.onChange();
  });
  draw(draft?.as === 'list' ? draft.items : []);
  return {
    element: element('div', {}, list, add),
    get draft(): Draft {
      return { as: 'list', items: drafts() };
    },
    show: problems => {
      for (const [at, item] of items.entries()) {
        if ('show' in item) {
          item.show(below(problems, at));
        }
      }
    },
  };

  function drafts(): (Draft | undefined)[] {
    return items.map(({ draft }) => draft);
  }

  /** Draws the list anew, as each item is named by its place. */
  function draw(from: readonly (Draft | undefined)[], focused?: number): void {
    items = from.map(draft => ({ draft }));
    list.replaceChildren();
    inPortions(list, from.length, itemAt, form, (focused ?? 0) + 1);
    focusFirst(focused === undefined ? null : list.children.item(focused));
  }

  function itemAt(at: number): Node {
    const item = itemOf(field, at);
    const view = viewOf(item, items[at]?.draft, form, depth + 1);
    items[at] = view;
    const name = t('Remove {0}', item.label);
    const attributes = { type: 'button', class: 'sign', 'aria-label': name, title: name };
    const remove = element('button', attributes, '✕');
    remove.addEventListener('click', () => {
      draw(drafts().toSpliced(at, 1));
      form.onChange();
      add.focus();
    });
    return element('div', { class: 'item' }, view.element, remove);
  }
}

/** A question whose answer is one of several kinds: which one, and below it, that. */
function variantsView(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
  depth: number,
): FieldView {
  const { t } = form;
  const { isRequired, label } = field;
  const variants = variantsOf(field);
  const given = draft ?? presetDraft(field, form);
  const drafts = new Map<number, Draft | undefined>();
  const content = element('div', { class: 'content bare' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const select = element(
    'select',
    { class: 'control', 'aria-label': label },
    element('option', { value: '' }, isRequired ? t('choose…') : leftOutText(field, form)),
    ...variants.map((variant, at) =>
      element('option', { value: String(at) }, variantName(variant, form)),
    ),
  );
  let chosen: { readonly at: number; readonly view: FieldView } | undefined;
  if (given?.as === 'variant') {
    drafts.set(given.at, given.draft);
    choose(given.at);
  }
  select.addEventListener('change', () => {
    form.room.left = mostUnasked;
    choose(select.value === '' ? undefined : Number(select.value), 0);
    form.onChange();
  });
  return {
    element: element(
      'div',
      { class: 'field' },
      element('div', { class: 'label' }, ...nameOf(field, form)),
      ...notesOf(field, form),
      select,
      content,
      problem,
    ),
    get draft(): Draft | undefined {
      return chosen && { as: 'variant', at: chosen.at, draft: chosen.view.draft };
    },
    show: problems => {
      chosen?.view.show(problems);
      const [first] = problems;
      problem.textContent = chosen || !first ? '' : form.localized(first.problem);
    },
  };

  function choose(at: number | undefined, level = depth): void {
    if (chosen) {
      drafts.set(chosen.at, chosen.view.draft);
    }
    const variant = at === undefined ? undefined : variants[at];
    const named = variant && { ...variant, label };
    chosen =
      named && at !== undefined
        ? { at, view: viewOf(named, drafts.get(at), form, level + 1) }
        : undefined;
    select.value = chosen ? String(chosen.at) : '';
    content.replaceChildren(...(chosen ? [chosen.view.element] : []));
  }
}

/** The name of a variant; without one, what it is. */
function variantName({ label, kind, choices, schema }: FormField, { t }: FormContext): string {
  if (label !== '') {
    return label;
  }
  switch (kind) {
    case 'text':
      return t('text');
    case 'number':
    case 'integer':
      return t('number');
    case 'one':
      return choices
        .map(choice => choice.label)
        .join(' | ')
        .slice(0, 100);
    case 'many':
    case 'list':
      return t('list');
    case 'object': {
      const names = propertiesOf(schema).slice(0, 3);
      return t('object with {0}', names.map(({ name }) => printable(name)).join(', '));
    }
    default:
      return t('JSON');
  }
}

/** The problems of a part, as they are seen from there. */
function below(problems: readonly FormProblem[], step: string | number): FormProblem[] {
  return problems
    .filter(({ path: [first] }) => first === step)
    .map(({ path: [, ...path], problem }) => ({ path, problem }));
}
