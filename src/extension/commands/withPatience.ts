import { within } from '../../base/timeLimit.ts';
import type { Shown } from '../../domain/shown.ts';
import * as vscode from '../vscode.ts';

/** How long work may take, in milliseconds, before its progress is shown with a way to cancel it. */
const patience = 700;

/** A step on the way, as the editor shows it. */
export interface ShownStep {
  readonly message: Shown;
  /** How many percent more than at the step before. */
  readonly increment?: number;
}

/**
 * Waits for `work`; when that takes long, with a progress notification whose button cancels it.
 *
 * @param follow is handed what shows a step, once the notification is there.
 */
export async function withPatience<T>(
  work: Promise<T>,
  title: Shown,
  cancel: () => void,
  follow?: (show: (step: ShownStep) => void) => void,
): Promise<T> {
  const isDone = await within(
    work.then(() => true),
    patience,
    false,
  );
  const location = vscode.ProgressLocation.Notification;
  return isDone
    ? work
    : vscode.window.withProgress({ location, title, cancellable: true }, (progress, token) => {
        token.onCancellationRequested(cancel);
        follow?.(step => progress.report(step));
        return work;
      });
}
