import { whenAborted } from '../../base/abortSignals.ts';
import { printable } from '../../domain/printable.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { InputDefinition } from '../../domain/settings/inputs.ts';
import { shownLine } from '../../domain/shown.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** One question for the value of `${input:id}` in a server's definition. */
export interface InputQuestion {
  readonly serverLabel: string;
  /** The settings that define the server. */
  readonly from: ServerDefinition['from'];
  readonly id: string;
  /** Withdraws the question when it is aborted. */
  readonly signal: AbortSignal;
}

/**
 * Asks the user for a value. `undefined`: the user left, or the question was withdrawn. If
 * `mcpRoots.inputs` does not define the input, the value is typed like a password.
 */
export async function askForInput(
  { serverLabel, id, signal }: InputQuestion,
  defined: InputDefinition | undefined,
): Promise<string | undefined> {
  const title = t('"{0}" needs "{1}"', serverLabel, printable(id));
  const prompt = defined?.description
    ? shownLine(defined.description)
    : t('You are asked for the value once. The editor keeps it in its secret storage.');
  const common = { title, ignoreFocusOut: true };
  const items = defined?.options?.map(value => ({ label: shownLine(value), value })) ?? [];
  const taking = new vscode.CancellationTokenSource();
  whenAborted(signal, () => taking.cancel());
  try {
    if (items.length > 0) {
      const options = { ...common, placeHolder: prompt };
      return (await vscode.window.showQuickPick(items, options, taking.token))?.value;
    }
    const { password = true, default: value } = defined ?? {};
    const options = { ...common, prompt, password, ...(value !== undefined && { value }) };
    return await vscode.window.showInputBox(options, taking.token);
  } finally {
    taking.dispose();
  }
}
