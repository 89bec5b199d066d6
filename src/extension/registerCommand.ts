import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { HumanError, isHumanError } from '../domain/sentence.ts';
import type { Clients } from './gateway/clients.ts';
import type { Command } from './ids.ts';
import { reply } from './screen.ts';
import type { Servers } from './servers/servers.ts';
import { localized, t } from './text.ts';
import { isMistake, liveRow, type Row } from './views/rows.ts';
import * as vscode from './vscode.ts';

/** A command's id. */
export type CommandId = (typeof Command)[keyof typeof Command];

/** The commands of a window, which believe nothing that they are handed. */
export class Commands implements IDisposable {
  readonly logger: Logger;
  private readonly store = new DisposableStore();
  private readonly servers: Pick<Servers, 'all'>;
  private readonly clients: Pick<Clients, 'of'>;

  constructor(logger: Logger, servers: Pick<Servers, 'all'>, clients: Pick<Clients, 'of'>) {
    this.logger = logger;
    this.servers = servers;
    this.clients = clients;
  }

  /**
   * Registers a command and reports its failures once, here. Any extension, and a link in a text, can
   * call it with whatever they make up: what is no row of this window, as it is now, is refused.
   *
   * @param run gets the row it was called from; none when called from the palette or a keybinding.
   *   After that the rows it is about: those that are selected, but for mistakes, if that row is one of
   *   them, else that row alone.
   */
  register(
    id: CommandId,
    run: (row: Row | undefined, rows: readonly Row[]) => Promise<void>,
  ): void {
    const command = (handed?: unknown, selected?: unknown) =>
      reportFailure(this.logger, async () => {
        // The editor passes a missing argument as null.
        const row = (handed ?? undefined) && this.rowOf(handed);
        const others = Array.isArray(selected)
          ? selected.filter(one => !isMistake(one))
          : undefined;
        await run(row, others?.map(one => this.rowOf(one)) ?? (row ? [row] : []));
      });
    this.store.add(vscode.commands.registerCommand(id, command));
  }

  dispose(): void {
    this.store.dispose();
  }

  private rowOf(handed: unknown): Row {
    const row = liveRow(handed, this.servers.all, this.clients);
    if (!row) {
      throw new HumanError('This row is gone. Use the command on a row of the view "Servers".');
    }
    return row;
  }
}

/**
 * Runs what a person asked for and reports its failure: a {@link HumanError} in its own words,
 * anything else as a bug whose details are in the log. Never rejects.
 *
 * @param bug the finished sentence about a bug.
 */
export async function reportFailure(
  logger: Logger,
  run: () => Promise<void>,
  bug = t('That did not work. The log "MCP Roots" has the details.'),
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

/** @throws {HumanError} with this finished sentence, in Restricted Mode. */
export function assertTrusted(refusal: string): void {
  if (!vscode.workspace.isTrusted) {
    throw new HumanError(refusal);
  }
}
