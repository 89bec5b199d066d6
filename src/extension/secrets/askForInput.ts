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
  /** Whose settings define the server. */
  readonly from: ServerDefinition['from'];
  readonly id: string;
  /** Takes the question back. */
  readonly signal: AbortSignal;
}

/**
 * Asks the user for a value; `undefined` when the user leaves without one, or the question is taken
 * back. An input that is not defined in `mcpRoots.inputs` is asked for like a password.
 */
export function askForInput(
  { serverLabel, id, signal }: InputQuestion,
  defined: InputDefinition | undefined,
): Promise<string | undefined> {
  return withToken(signal, token => ask(serverLabel, id, defined, token));
}

async function ask(
  serverLabel: string,
  id: string,
  defined: InputDefinition | undefined,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const title = t('"{0}" needs "{1}"', serverLabel, printable(id));
  const prompt = defined?.description
    ? shownLine(defined.description)
    : t('It is asked for once and kept in the secret storage of the editor.');
  const options = defined?.options ?? [];
  if (options.length > 0) {
    const items = options.map(value => ({ label: shownLine(value), value }));
    const picked = await vscode.window.showQuickPick(
      items,
      { title, placeHolder: prompt, ignoreFocusOut: true },
      token,
    );
    return picked?.value;
  }
  return vscode.window.showInputBox(
    {
      title,
      prompt,
      password: defined?.password ?? true,
      ignoreFocusOut: true,
      ...(defined?.default !== undefined && { value: defined.default }),
    },
    token,
  );
}

/** Runs what the editor can take back, which it does when the signal is aborted. */
async function withToken<T>(
  signal: AbortSignal,
  run: (token: vscode.CancellationToken) => PromiseLike<T>,
): Promise<T> {
  const taking = new vscode.CancellationTokenSource();
  whenAborted(signal, () => taking.cancel());
  try {
    return await run(taking.token);
  } finally {
    taking.dispose();
  }
}
