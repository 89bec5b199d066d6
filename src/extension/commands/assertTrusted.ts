import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';

/**
 * Refuses a command in Restricted Mode.
 *
 * @param refusal the finished sentence that says what can't be done there.
 * @throws {HumanError} with that sentence.
 */
export function assertTrusted(refusal: string): void {
  if (!vscode.workspace.isTrusted) {
    throw new HumanError(refusal);
  }
}

/** Of what adds servers: in Restricted Mode their settings are ignored. */
export const noAdding =
  'In Restricted Mode no server can be added, because its settings are ignored. Trust this workspace first.';
