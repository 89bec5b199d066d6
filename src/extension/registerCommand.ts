import * as vscode from 'vscode';
import type { Logger } from '../base/logger.ts';
import { isHumanError } from '../domain/errors.ts';
import type { Command } from './ids.ts';
import { localized } from './text.ts';
import type { Row } from './views/rows.ts';

/** A command's id. */
export type CommandId = (typeof Command)[keyof typeof Command];

/**
 * Registers a command and reports its failures once, here: a {@link HumanError} in its own words,
 * anything else as a bug whose details are in the log.
 *
 * @param run gets the row it was called from; none when called from the palette or a keybinding.
 */
export function registerCommand(
  logger: Logger,
  id: CommandId,
  run: (row: Row | undefined) => Promise<void>,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, async (row?: Row) => {
    try {
      await run(row);
    } catch (error) {
      if (isHumanError(error)) {
        logger.warn(error.message);
        void vscode.window.showErrorMessage(localized(error.sentence));
        return;
      }
      logger.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(
        vscode.l10n.t('That did not work. The log "MCP Roots" has the details.'),
      );
    }
  });
}
