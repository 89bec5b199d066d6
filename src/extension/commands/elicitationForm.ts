import { countProblem, readText, shownValue } from '../../domain/forms/formAnswers.ts';
import type { FormField } from '../../domain/forms/formFields.ts';
import { type Shown, shown, withIcon } from '../../domain/shown.ts';
import { withToken } from '../cancellation.ts';
import type { ElicitationAnswer } from '../servers/elicitations.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** One form that is being filled in. */
interface Form {
  readonly title: Shown;
  readonly token: vscode.CancellationToken;
}

/** What was answered: `{}` leaves the question out, `undefined` is what it was before. */
type Given = { readonly value?: unknown } | undefined;

/**
 * Has a person fill in a form: first what is required and has no default, then all of it is shown, to
 * be changed, sent or declined. To leave that is to cancel.
 */
export function askForm(
  serverLabel: string,
  fields: readonly FormField[],
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const title = t('The server "{0}" asks', serverLabel);
  return withToken(signal, token => fillIn(fields, { title, token }));
}

async function fillIn(fields: readonly FormField[], form: Form): Promise<ElicitationAnswer> {
  const answers = new Map<FormField, unknown>();
  for (const field of fields) {
    if (field.preset !== undefined) {
      answers.set(field, field.preset);
    }
  }
  const missing = () => fields.filter(field => field.isRequired && !answers.has(field));
  for (const field of missing()) {
    if (!(await change(field))) {
      break;
    }
  }
  for (;;) {
    const picked = await review(fields, answers, missing().length === 0, form);
    if (picked === 'send') {
      const content = Object.fromEntries([...answers].map(([{ name }, value]) => [name, value]));
      return { action: 'accept', content };
    }
    if (picked === 'decline' || picked === 'cancel') {
      return { action: picked };
    }
    await change(picked);
  }

  /** Whether the person answered. */
  async function change(field: FormField): Promise<boolean> {
    const given = await askFor(field, answers.get(field), form);
    if (given?.value !== undefined) {
      answers.set(field, given.value);
    } else if (given) {
      answers.delete(field);
    }
    return given !== undefined;
  }
}

async function review(
  fields: readonly FormField[],
  answers: ReadonlyMap<FormField, unknown>,
  isComplete: boolean,
  { title, token }: Form,
): Promise<FormField | 'send' | 'decline' | 'cancel'> {
  const rows = fields.map(field => {
    const value = answers.get(field);
    const none = field.isRequired ? t('required') : t('left out');
    const description = value === undefined ? none : shown(shownValue(field, value));
    const label = withIcon('edit', field.label);
    return { label, description, detail: shown(field.description), next: field };
  });
  const items = [
    ...(isComplete ? [{ label: t('$(check) Send'), next: 'send' } as const] : []),
    ...rows,
    { label: t('$(circle-slash) Decline'), next: 'decline' } as const,
  ];
  const placeHolder = t('Send these answers, or choose one to change.');
  const options = { title, placeHolder, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options, token))?.next ?? 'cancel';
}

function askFor(field: FormField, value: unknown, form: Form): Promise<Given> {
  switch (field.kind) {
    case 'one':
      return pickOne(field, value, form);
    case 'many':
      return pickMany(field, value, form);
    default:
      return type(field, value, form);
  }
}

async function type(field: FormField, value: unknown, form: Form): Promise<Given> {
  const isLeftOut = (text: string) => text === '' && !field.isRequired;
  const options = {
    title: form.title,
    prompt: promptOf(field),
    value: value === undefined ? '' : String(value),
    ignoreFocusOut: true,
    validateInput: (text: string) => {
      const read = readText(field, text);
      return read.ok || isLeftOut(text) ? undefined : localized(read.problem);
    },
  };
  const text = await vscode.window.showInputBox(options, form.token);
  if (text === undefined || isLeftOut(text)) {
    return text === undefined ? undefined : {};
  }
  const read = readText(field, text);
  return read.ok ? { value: read.value } : undefined;
}

async function pickOne(field: FormField, value: unknown, form: Form): Promise<Given> {
  const items = field.choices.map(choice => ({
    label: shown(choice.label),
    ...(choice.value === value && { description: t('chosen') }),
    given: { value: choice.value } as Given,
  }));
  const leaveOut = { label: t('$(close) Leave Out'), given: {} as Given };
  const options = { title: form.title, placeHolder: promptOf(field), ignoreFocusOut: true };
  const all = field.isRequired ? items : [...items, leaveOut];
  return (await vscode.window.showQuickPick(all, options, form.token))?.given;
}

async function pickMany(field: FormField, value: unknown, form: Form): Promise<Given> {
  let chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  let placeHolder = promptOf(field);
  for (;;) {
    const items = field.choices.map(choice => ({
      label: shown(choice.label),
      value: String(choice.value),
      picked: chosen.includes(choice.value),
    }));
    const options = { title: form.title, placeHolder, ignoreFocusOut: true, canPickMany: true };
    const picked = await vscode.window.showQuickPick(
      items,
      options as typeof options & { readonly canPickMany: true },
      form.token,
    );
    const values = picked?.map(item => item.value);
    const problem = values && countProblem(field, values.length);
    if (!values || (values.length === 0 && !field.isRequired)) {
      return values && {};
    }
    if (!problem) {
      return { value: values };
    }
    chosen = values;
    placeHolder = localized(problem);
  }
}

function promptOf({ label, description, isRequired, looksSecret }: FormField): Shown {
  if (looksSecret) {
    return t('{0}: a server may not ask for a secret here. Do not give it one.', label);
  }
  const text = description === '' ? label : `${label}: ${description}`;
  return isRequired ? shown(text) : t('{0} (may be left out)', text);
}
