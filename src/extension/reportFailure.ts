import type { Logger } from '../base/logger.ts';
import { HumanError, isHumanError } from '../domain/sentence.ts';
import { reply } from './screen.ts';
import { localized, t } from './text.ts';
import * as vscode from './vscode.ts';

/**
 * Runs what a person asked for, and reports a failure. A {@link HumanError} is shown in its own
 * words. Any other error is a bug, with details in the log. Never rejects.
 *
 * @param bug the whole sentence about a bug.
 */
export async function reportFailure(
  logger: Logger,
  run: () => Promise<unknown>,
  bug = t('The command failed. The log "MCP Roots" has the details.'),
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isHumanError(error)) {
      logger.warn(error.message);
      void reply(localized(error.sentence), 'error');
      return;
    }
    logger.error(error instanceof Error ? error : String(error));
    void reply(bug, 'error');
  }
}

/** @throws {HumanError} with this sentence, in Restricted Mode. */
export function assertTrusted(refusal: string): void {
  if (!vscode.workspace.isTrusted) {
    throw new HumanError(refusal);
  }
}
