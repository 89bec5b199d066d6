import { startsByItself } from '../../domain/consent/startStep.ts';
import { sentence } from '../../domain/sentence.ts';
import type { ClientOfServer } from '../gateway/clients.ts';
import type { ServerRecords } from '../records/serverRecords.ts';
import { reply } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import { type OnRows, onRows } from './registerCommands.ts';

/** Makes a command for rows of clients. Other selected rows are ignored. */
export function onClients(run: (client: ClientOfServer) => Promise<unknown> | undefined): OnRows {
  return onRows(async rows => {
    for (const row of rows) {
      await (row.kind === 'client' && run(row.client));
    }
  });
}

/** Ends a session. The client may connect again with its next request. */
export function disconnect({ session, server, name }: ClientOfServer): Promise<void> | undefined {
  return session?.leave(
    sentence(
      'The user disconnected "{0}" from "{1}". The next request connects the client again.',
      name,
      server.definition.label,
    ),
  );
}

/** Offers a server to the editor's own agents, and tells the user what else the server needs. */
export async function offerToAgents(server: Server, records: ServerRecords): Promise<void> {
  await records.setAnswer('offer', server, true);
  if (!startsByItself(server.access, server.isLaunchAllowed)) {
    void reply(
      t(
        'Start "{0}" and allow the server a folder. Then agents can use it.',
        server.definition.label,
      ),
    );
  }
}
