import { HumanError } from '../../domain/sentence.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import { assertTrusted, type CommandId, type Commands } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { stateText } from '../text.ts';
import type { Row } from '../views/rows.ts';
import * as vscode from '../vscode.ts';

/** The servers that a command can work on, and the texts around the pick. */
export interface ServerPick {
  readonly placeHolder: Shown;
  /** Left out: all of them. */
  readonly isWanted?: (server: Server) => boolean;
  /** A finished English sentence for when there is none; it is translated where it is shown. */
  readonly none?: string;
  /** The same for Restricted Mode; left out: it can be used there, too. */
  readonly untrusted?: string;
}

/**
 * Registers a command about one server: that of the row it was called from, the only one there is, or
 * the one the user picks.
 */
export function registerOnServer(
  commands: Commands,
  servers: Servers,
  id: CommandId,
  pick: ServerPick,
  run: (server: Server, row: Row | undefined) => Promise<unknown>,
): void {
  commands.register(id, async row => {
    if (pick.untrusted !== undefined) {
      assertTrusted(pick.untrusted);
    }
    const server = await pickServer(servers, row, pick);
    await (server && run(server, row));
  });
}

/**
 * The server that a command is about; `undefined` when the user leaves without picking.
 *
 * @throws {HumanError} with `none` when there is nothing to pick.
 */
export async function pickServer(
  servers: Servers,
  row: Row | undefined,
  { placeHolder, isWanted = () => true, none = 'There is no server.' }: ServerPick,
): Promise<Server | undefined> {
  const own = row?.server;
  const wanted = (own ? [own] : servers.all).filter(isWanted);
  if (wanted.length === 0) {
    throw new HumanError(none);
  }
  if (wanted.length === 1) {
    return wanted[0];
  }
  const items = wanted.map(server => ({
    label: shown(server.definition.label),
    description: stateText(server.state),
    server,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.server;
}
