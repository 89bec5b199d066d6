import * as vscode from 'vscode';
import { printable } from '../../domain/printable.ts';
import { type Field, fieldsOf, parseField } from '../../domain/toolArguments.ts';
import type { Tool } from '../../mcp/connection.ts';
import { localized } from '../text.ts';

/**
 * Asks for a tool's arguments, one after the other, with what its schema says about them: the
 * required ones, then those of the optional ones that the user checks.
 * `undefined` when the user leaves.
 */
export async function askForArguments(tool: Tool): Promise<Record<string, unknown> | undefined> {
  const fields = fieldsOf(tool.inputSchema);
  const required = fields.filter(({ isRequired }) => isRequired);
  const args: Record<string, unknown> = {};
  if (!(await fill(tool, required, args))) {
    return undefined;
  }
  const optional = await pickOptional(
    tool,
    fields.filter(field => !field.isRequired),
  );
  return optional && (await fill(tool, optional, args)) ? args : undefined;
}

/** Asks for each field and puts its value into `args`; `false` when the user leaves. */
async function fill(
  tool: Tool,
  fields: readonly Field[],
  args: Record<string, unknown>,
): Promise<boolean> {
  for (const field of fields) {
    const value = await askForField(tool, field);
    if (value === undefined) {
      return false;
    }
    args[field.name] = value;
  }
  return true;
}

async function pickOptional(
  tool: Tool,
  fields: readonly Field[],
): Promise<readonly Field[] | undefined> {
  if (fields.length === 0) {
    return [];
  }
  const items = fields.map(field => ({ label: field.label, detail: field.description, field }));
  const picked = await vscode.window.showQuickPick(items, {
    title: titleOf(tool),
    placeHolder: vscode.l10n.t('Check the optional arguments to give. None is fine.'),
    canPickMany: true,
  });
  return picked?.map(({ field }) => field);
}

/** The value, or `undefined` when the user leaves. */
async function askForField(tool: Tool, field: Field): Promise<unknown> {
  const { label, description, choices } = field;
  if (choices) {
    const items = choices.map(value => ({ label: printable(String(value)), value }));
    const options = { title: titleOf(tool), placeHolder: `${label}: ${description}` };
    return (await vscode.window.showQuickPick(items, options))?.value;
  }
  const text = await vscode.window.showInputBox({
    title: titleOf(tool),
    prompt: `${label}: ${description}`,
    ...(field.kind === 'json' && { placeHolder: 'JSON' }),
    ignoreFocusOut: true,
    validateInput: input => {
      const parsed = parseField(field, input);
      return parsed.ok ? undefined : localized(parsed.problem);
    },
  });
  const parsed = text === undefined ? undefined : parseField(field, text);
  return parsed?.ok ? parsed.value : undefined;
}

function titleOf(tool: Tool): string {
  return vscode.l10n.t('Arguments of {0}', printable(tool.name));
}
