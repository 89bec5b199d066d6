import { within } from '../../base/timeLimit.ts';
import type { Shown } from '../../domain/shown.ts';
import * as vscode from '../vscode.ts';

/** Milliseconds of work before its progress is shown with a way to cancel it. */
const patience = 700;

/** Waits for `work`; when that takes long, with a progress notification whose button cancels it. */
export async function withPatience<T>(
  work: Promise<T>,
  title: Shown,
  cancel: () => void,
): Promise<T> {
  const isDone = await within(
    work.then(() => true),
    patience,
    false,
  );
  const location = vscode.ProgressLocation.Notification;
  return isDone
    ? work
    : vscode.window.withProgress({ location, title, cancellable: true }, (_, token) => {
        token.onCancellationRequested(cancel);
        return work;
      });
}
