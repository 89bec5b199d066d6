import { readText } from '../../domain/forms/formAnswers.ts';
import { argumentsField, type FormField, memberOf } from '../../domain/forms/formFields.ts';
import { propertiesOf } from '../../domain/forms/jsonSchema.ts';
import { printable } from '../../domain/printable.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import type { Tool } from '../../mcp/connection.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';

/**
 * Asks for a tool's arguments, one after the other, with what its schema says about them: the
 * required ones, then those of the optional ones that the user checks.
 * `undefined` when the user leaves.
 */
export async function askForArguments(tool: Tool): Promise<Record<string, unknown> | undefined> {
  const whole = argumentsField(tool.inputSchema);
  const fields = propertiesOf(whole.schema).map(property => memberOf(whole, property));
  const required = await fill(
    tool,
    fields.filter(({ isRequired }) => isRequired),
  );
  const picked =
    required &&
    (await pickOptional(
      tool,
      fields.filter(field => !field.isRequired),
    ));
  const optional = picked && (await fill(tool, picked));
  return optional && Object.fromEntries([...required, ...optional]);
}

/** Asks for each field, and answers with their names and values; `undefined` when the user leaves. */
async function fill(
  tool: Tool,
  fields: readonly FormField[],
): Promise<readonly (readonly [string, unknown])[] | undefined> {
  const values: (readonly [string, unknown])[] = [];
  for (const field of fields) {
    const given = await askForField(tool, field);
    if (!given) {
      return undefined;
    }
    values.push([field.name, given.value]);
  }
  return values;
}

async function pickOptional(
  tool: Tool,
  fields: readonly FormField[],
): Promise<readonly FormField[] | undefined> {
  if (fields.length === 0) {
    return [];
  }
  const items = fields.map(field => ({
    label: shown(field.label),
    detail: shown(field.description),
    field,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: titleOf(tool),
    placeHolder: t('Check the optional arguments to give. None is fine.'),
    canPickMany: true,
  });
  return picked?.map(({ field }) => field);
}

/** The value, or `undefined` when the user leaves. */
async function askForField(
  tool: Tool,
  field: FormField,
): Promise<{ readonly value: unknown } | undefined> {
  const { label, description, kind, choices } = field;
  const prompt = shown(`${label}: ${description}`);
  if (kind === 'one') {
    const items = choices.map(choice => ({ label: shown(choice.label), value: choice.value }));
    return vscode.window.showQuickPick(items, { title: titleOf(tool), placeHolder: prompt });
  }
  const text = await vscode.window.showInputBox({
    title: titleOf(tool),
    prompt,
    ...(!isTyped.has(kind) && { placeHolder: shown('JSON') }),
    ignoreFocusOut: true,
    validateInput: input => {
      const read = readText(field, input);
      return read.ok ? undefined : localized(read.problem);
    },
  });
  const read = text === undefined ? undefined : readText(field, text);
  return read?.ok ? read : undefined;
}

/** The kinds of what is typed as it is; all others are typed as JSON. */
const isTyped: ReadonlySet<FormField['kind']> = new Set(['text', 'number', 'integer']);

function titleOf(tool: Tool): Shown {
  return t('Arguments of {0}', printable(tool.name));
}
