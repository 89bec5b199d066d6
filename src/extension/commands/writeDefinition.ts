import { printable } from '../../domain/printable.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import type { Shown } from '../../domain/shown.ts';
import { Command } from '../ids.ts';
import { assertTrusted } from '../registerCommand.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import type { Row } from '../views/rows.ts';
import type { ServersView } from '../views/serversView.ts';
import * as vscode from '../vscode.ts';
import { askForServer } from './adding/askForServer.ts';
import { editServer } from './adding/editServer.ts';
import { importServers } from './adding/importServers.ts';
import { pickServer } from './pickServer.ts';
import { type RemovalWindow, removeServer } from './removeServer.ts';
import { askToRename, type RenamingWindow } from './renameServer.ts';

/** The commands that write definitions of servers to the settings. */
export const writingCommands = [
  Command.addServer,
  Command.importServers,
  Command.editServer,
  Command.renameServer,
  Command.removeServer,
] as const;

type WritingCommand = (typeof writingCommands)[number];

/** The parts of a window that the definition of a server concerns. */
export type WritingWindow = RemovalWindow &
  RenamingWindow & { readonly view: Pick<ServersView, 'reveal'> };

/**
 * Does what a command says with the definitions of servers in the settings. The row of a server that
 * comes of it is shown.
 *
 * @throws {HumanError} when that can't be done.
 */
export async function writeDefinition(
  command: WritingCommand,
  row: Row | undefined,
  window: WritingWindow,
): Promise<void> {
  const { servers, view, sandbox } = window;
  const before = new Set(servers.all.map(({ definition }) => definition.id));
  if (command === Command.addServer || command === Command.importServers) {
    assertTrusted(
      'In Restricted Mode no server can be added, because its settings are ignored. Trust this workspace first.',
    );
    await (command === Command.addServer ? addServer(window) : importServers(window, sandbox));
  } else {
    assertTrusted(
      'In Restricted Mode no server can be changed, because its settings are ignored. Trust this workspace first.',
    );
    const server = await pickServer(servers, row, {
      placeHolder: questionOf(command),
      isWanted: ({ definition }) => definition.from !== undefined,
      none: 'No server of yours is in the settings.',
    });
    await (server && change(command, server, window));
  }
  const added = servers.all.find(({ definition }) => !before.has(definition.id));
  await (added && view.reveal(added.definition.id));
}

async function addServer(window: WritingWindow): Promise<void> {
  const name = await askForServer(window, window.sandbox);
  if (name !== undefined) {
    const text = t('"{0}" was added. It was not started yet.', printable(name));
    offer(text, t('Start'), Command.startServer, name, window);
  }
}

type ChangingCommand = Exclude<WritingCommand, 'mcpRoots.addServer' | 'mcpRoots.importServers'>;

function questionOf(command: ChangingCommand): Shown {
  switch (command) {
    case Command.editServer:
      return t('Edit which server?');
    case Command.renameServer:
      return t('Rename which server?');
    case Command.removeServer:
      return t('Remove which server?');
  }
}

async function change(
  command: ChangingCommand,
  server: Server,
  window: WritingWindow,
): Promise<void> {
  switch (command) {
    case Command.editServer:
      return edit(server, window);
    case Command.renameServer:
      return askToRename(server, window);
    case Command.removeServer:
      return removeServer(server, window);
  }
}

async function edit(server: Server, window: WritingWindow): Promise<void> {
  const { sandbox, toasts } = window;
  const wasLive = server.isLive;
  const name = await editServer(server, window, sandbox, toasts);
  if (name === undefined) {
    return;
  }
  // One that ran is started again, or asked about, with all others that changed.
  if (!wasLive) {
    const text = t('"{0}" was changed. It is not running.', printable(name));
    offer(text, t('Start'), Command.startServer, name, window);
  }
}

/**
 * Offers to go on with a server as it is written now. The message stays until it is dismissed, and the
 * command is done.
 */
function offer(
  text: Shown,
  title: Shown,
  command: string,
  name: string,
  { servers, toasts }: WritingWindow,
): void {
  // Looked for anew each time: it may have been changed since.
  const row = (): Row | undefined => {
    const server = servers.withId(userServerId(name));
    return server && { kind: 'server', server };
  };
  const isOpen = () => row() !== undefined;
  void toasts.show(
    () => (isOpen() ? { text, buttons: [{ title }], isOpen } : undefined),
    async () => {
      await vscode.commands.executeCommand(command, row());
    },
  );
}
