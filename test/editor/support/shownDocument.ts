import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';

/** The document that a command opens. A busy editor may say so only after the command is done. */
export async function shownBy(command: () => PromiseLike<unknown>): Promise<vscode.TextDocument> {
  const before = vscode.window.activeTextEditor?.document;
  await command();
  return eventually(() => {
    const shown = vscode.window.activeTextEditor?.document;
    assert.ok(shown && shown !== before, `Nothing new is shown after ${before?.uri}.`);
    return shown;
  });
}
