import { printable } from '../../domain/printable.ts';
import { type HumanError, isHumanError } from '../../domain/sentence.ts';
import type { Shown } from '../../domain/shown.ts';
import { withPatience } from './withPatience.ts';

/**
 * A server's answer for a person who waits for it; `undefined` when that person cancels.
 *
 * @param failure makes a sentence of the server's own error, which is the user's to read.
 */
export async function askServer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  title: Shown,
  failure: (reason: string) => HumanError,
): Promise<T | undefined> {
  const abort = new AbortController();
  try {
    return await withPatience(ask(abort.signal), title, () => abort.abort());
  } catch (error) {
    if (abort.signal.aborted) {
      return undefined;
    }
    if (isHumanError(error)) {
      throw error;
    }
    throw failure(printable(error instanceof Error ? error.message : String(error)));
  }
}
