import * as vscode from 'vscode';
import { printable } from '../../domain/printable.ts';
import type { InputDefinition } from '../../domain/settings/inputs.ts';

/**
 * Asks the user for the value of `${input:id}` in a server's definition; `undefined` when the user
 * leaves without one. What is not defined in `mcpRoots.inputs` is asked for like a password.
 */
export async function askForInput(
  serverLabel: string,
  id: string,
  defined: InputDefinition | undefined,
): Promise<string | undefined> {
  const title = vscode.l10n.t('"{0}" needs "{1}"', serverLabel, printable(id));
  const prompt = defined?.description
    ? printable(defined.description)
    : vscode.l10n.t('It is asked for once and kept in the secret storage of the editor.');
  const options = defined?.options ?? [];
  return options.length > 0
    ? vscode.window.showQuickPick([...options], {
        title,
        placeHolder: prompt,
        ignoreFocusOut: true,
      })
    : vscode.window.showInputBox({
        title,
        prompt,
        password: defined?.password ?? true,
        ignoreFocusOut: true,
        ...(defined?.default !== undefined && { value: defined.default }),
      });
}
