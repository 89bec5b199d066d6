import { DisposableStore } from '../../base/disposable.ts';
import { HumanError, sentence } from '../../domain/sentence.ts';
import { Command } from '../ids.ts';
import type { CommandId, Commands } from '../registerCommand.ts';
import type * as vscode from '../vscode.ts';
import type { ClientConsent } from './clientConsent.ts';
import type { ClientOfServer } from './clients.ts';

/** The commands in the menus of the rows of clients, each on all that are selected. */
export function registerClientCommands(
  commands: Commands,
  consent: ClientConsent,
): vscode.Disposable {
  const store = new DisposableStore();
  const answering = (isAllowed: boolean | undefined) => (client: ClientOfServer) =>
    consent.answer(client.name, client.server, isAllowed);
  store.add(register(commands, Command.disconnectClient, disconnect));
  store.add(register(commands, Command.allowClient, answering(true)));
  store.add(register(commands, Command.denyClient, answering(false)));
  store.add(register(commands, Command.forgetClient, answering(undefined)));
  return store;
}

function register(
  commands: Commands,
  id: CommandId,
  run: (client: ClientOfServer) => Promise<void>,
): vscode.Disposable {
  return commands.register(id, async (_, rows) => {
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
