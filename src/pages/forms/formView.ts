import { type Draft, type ReadDraft, readDraft } from '../../domain/forms/formAnswers.ts';
import type { FormField } from '../../domain/forms/formFields.ts';
import { type FieldView, type FormContext, leafView } from './fieldView.ts';
import { bodyOf, groupView, mostUnasked, variantsView } from './groupViews.ts';

/** The fields for an object, with what is filled in. */
export class FormView {
  readonly element: HTMLElement;
  private readonly field: FormField;
  private readonly body: FieldView;
  /** Whether it was tried to send it: from then on each change is judged. */
  private isTried = false;

  /**
   * @param draft what is filled in at first; `undefined`: the defaults.
   * @param onChange is told of each change.
   */
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
      viewOf: (one, draft, depth) => {
        form.room.left -= 1;
        return viewOf(one, draft, form, depth);
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

function viewOf(
  field: FormField,
  draft: Draft | undefined,
  form: FormContext,
  depth: number,
): FieldView {
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
