import * as vscode from 'vscode';
import { HumanError } from '../../domain/errors.ts';

/** @throws {HumanError} in Restricted Mode, in which servers can be neither defined nor started. */
export function assertTrusted(): void {
  if (!vscode.workspace.isTrusted) {
    throw new HumanError(
      'In Restricted Mode no server can be added, because its settings are ignored. Trust this workspace first.',
    );
  }
}
