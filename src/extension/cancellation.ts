import { whenAborted } from '../base/abortSignals.ts';
import * as vscode from './vscode.ts';

/** Runs what the editor can take back, which it does when the signal is aborted. */
export async function withToken<T>(
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
