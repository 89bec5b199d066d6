import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { HumanError, sentence } from '../../domain/sentence.ts';
import { Command } from '../ids.ts';
import { type CommandId, registerCommand } from '../registerCommand.ts';
import type { ClientSessions } from './clientSessions.ts';
import type { ClientOfServer } from './clients.ts';

/** The commands in the menus of the rows of clients, each on all that are selected. */
export function registerClientCommands(
  logger: Logger,
  sessions: Pick<ClientSessions, 'answer'>,
): vscode.Disposable {
  const store = new DisposableStore();
  const answering = (isAllowed: boolean | undefined) => (client: ClientOfServer) =>
    sessions.answer(client.name, client.server, isAllowed);
  store.add(register(logger, Command.disconnectClient, disconnect));
  store.add(register(logger, Command.allowClient, answering(true)));
  store.add(register(logger, Command.denyClient, answering(false)));
  store.add(register(logger, Command.forgetClient, answering(undefined)));
  return store;
}

function register(
  logger: Logger,
  id: CommandId,
  run: (client: ClientOfServer) => Promise<void>,
): vscode.Disposable {
  return registerCommand(logger, id, async (_, rows) => {
    const clients = rows.flatMap(row => (row.kind === 'client' ? [row.client] : []));
    if (clients.length === 0) {
      throw new HumanError('Select clients in the view "Servers" first.');
    }
    for (const client of clients) {
      await run(client);
    }
  });
}

/** Ends a session. The client may come again, when it next wants something of the server. */
async function disconnect({ session, server, name }: ClientOfServer): Promise<void> {
  await session?.leave(
    sentence(
      'The user has disconnected "{0}" from "{1}". The next request connects it again.',
      name,
      server.definition.label,
    ),
  );
}
