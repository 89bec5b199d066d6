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

/** The questions for an object, or one question for the object as JSON, with the answers. */
export class FormView {
  readonly element: HTMLElement;
  /** Whether one question asks for the whole object as JSON. */
  readonly isJson: boolean;
  private readonly fields: readonly FormField[];
  private readonly views: readonly FieldView[];
  /** Whether the person tried to send the form. After that, each change is checked. */
  private isTried = false;

  /** @param draft the first answers; `undefined`: the defaults. */
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

  /** All answers as one JSON text, valid or not. */
  get jsonDraft(): FormDraft {
    const text = JSON.stringify(this.read().value, undefined, 2);
    return { isJson: true, given: [['', { as: 'text', text }]] };
  }

  /** Returns the value if it is valid. Otherwise shows the problems, and focuses the first. */
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
