import {
  type Draft,
  type FormDraft,
  type FormProblem,
  readForm,
} from '../../domain/forms/formAnswers.ts';
import { type FormField, formFields, objectField } from '../../domain/forms/formFields.ts';
import { element } from '../elements.ts';
import { type FieldView, type FormContext, fieldView } from './fieldView.ts';

const emptyObject: Draft = { as: 'text', text: '{}' };

/** The fields for an object, or one for all of it as JSON, with what is filled in. */
export class FormView {
  readonly element: HTMLElement;
  /** Whether all of it is one JSON. */
  readonly isJson: boolean;
  private readonly fields: readonly FormField[];
  private readonly views: readonly FieldView[];
  /** Whether it was tried to send it: from then on each change is judged. */
  private isTried = false;

  /** @param draft what is filled in at first; `undefined`: the defaults. */
  constructor(
    schema: unknown,
    draft: FormDraft | undefined,
    context: Omit<FormContext, 'onChange'>,
    onChange: () => void,
  ) {
    const questions = draft?.isJson ? undefined : formFields(schema);
    this.isJson = !questions;
    this.fields = questions ?? [objectField(context.t('Arguments'), schema)];
    const form: FormContext = {
      ...context,
      onChange: () => {
        onChange();
        if (this.isTried) {
          this.show(this.read().problems);
        }
      },
    };
    const given = new Map(draft?.given);
    const initial = this.isJson ? emptyObject : undefined;
    this.views = this.fields.map(field => fieldView(field, given.get(field.name) ?? initial, form));
    this.element = element('div', {}, ...this.views.map(view => view.element));
  }

  get draft(): FormDraft {
    return { isJson: this.isJson, given: [...this.given] };
  }

  /** The draft with what is filled in as one JSON, wrong or not. */
  get jsonDraft(): FormDraft {
    const text = JSON.stringify(this.read().value, undefined, 2);
    return { isJson: true, given: [['', { as: 'text', text }]] };
  }

  /** The value, if it can be sent; else what is wrong is shown, the first of it in focus. */
  send(): unknown {
    const { value, problems } = this.read();
    this.isTried = true;
    this.show(problems);
    if (problems.length === 0) {
      return value;
    }
    this.element.querySelector<HTMLElement>('.wrong .control')?.focus();
    return undefined;
  }

  private read(): { readonly value: unknown; readonly problems: readonly FormProblem[] } {
    const { value, problems } = readForm(this.fields, this.given);
    return { value: this.isJson ? value[''] : value, problems };
  }

  private get given(): ReadonlyMap<string, Draft> {
    return new Map(
      this.fields.flatMap(({ name }, at) => {
        const draft = this.views[at]?.draft;
        return draft ? [[name, draft] as const] : [];
      }),
    );
  }

  private show(problems: readonly FormProblem[]): void {
    const wrong = new Map(problems.map(({ name, problem }) => [name, problem]));
    for (const [at, { name }] of this.fields.entries()) {
      this.views[at]?.show(wrong.get(name));
    }
  }
}
