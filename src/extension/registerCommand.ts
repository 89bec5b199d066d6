import * as vscode from 'vscode';
import type { Logger } from '../base/logger.ts';
import { HumanError, isHumanError } from '../domain/sentence.ts';
import type { Command } from './ids.ts';
import { localized, t } from './text.ts';
import type { Row } from './views/rows.ts';

/** A command's id. */
export type CommandId = (typeof Command)[keyof typeof Command];

/**
 * Registers a command and reports its failures once, here.
 *
 * @param run gets the row it was called from; none when called from the palette or a keybinding.
 *   After that the rows it is about: those that are selected if that row is one of them, else that
 *   row alone.
 */
export function registerCommand(
  logger: Logger,
  id: CommandId,
  run: (row: Row | undefined, rows: readonly Row[]) => Promise<void>,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (row?: Row, selected?: readonly Row[]) => {
    const rows = selected ?? (row ? [row] : []);
    await reportFailure(logger, () => run(row, rows));
  });
}

/**
 * Runs what a person asked for and reports its failure: a {@link HumanError} in its own words,
 * anything else as a bug whose details are in the log. Never rejects.
 */
export async function reportFailure(logger: Logger, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isHumanError(error)) {
      logger.warn(error.message);
      void vscode.window.showErrorMessage(localized(error.sentence));
      return;
    }
    logger.error(error instanceof Error ? error : String(error));
    void vscode.window.showErrorMessage(
      t('That did not work. The log "MCP Roots" has the details.'),
    );
  }
}

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
