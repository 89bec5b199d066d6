import { homedir } from 'node:os';
import type { Logger } from '../../base/logger.ts';
import { messageOf } from '../../base/messageOf.ts';
import { inputsIn } from '../../domain/adding/convertServer.ts';
import { clientNames } from '../../domain/gateway/clientNames.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import {
  changeInputs,
  changeServers,
  existingSettings,
  type ServerKeeping,
} from '../adding/writeServers.ts';
import type { Clients } from '../gateway/clients.ts';
import { forgetLastSaid } from '../gateway/snapshots.ts';
import type { Logs } from '../logs.ts';
import type { ServerMemory } from '../records/serverMemory.ts';
import type { RecordKind } from '../records/serverRecords.ts';
import { reportFailure } from '../reportFailure.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { listed, shortPath } from '../shownNames.ts';
import { t } from '../text.ts';
import { writtenDefinition } from './editServer.ts';

/** Something to remove with a server: the texts for the user, and a function that removes it. */
interface Part {
  readonly texts: readonly Shown[];
  readonly remove: () => Promise<unknown>;
}

/** The parts of a window that store something about a server. */
export interface RemovalParts {
  readonly logger: Logger;
  readonly keeping: ServerKeeping & ServerMemory;
  readonly servers: Servers;
  readonly clients: Clients;
  readonly sandbox: SandboxSource;
  readonly logs: Logs;
  readonly screen: Screen;
}

/**
 * Shows the user everything stored about these servers. After a yes, removes it and the servers.
 *
 * @throws {HumanError} when the settings do not hold one of the servers.
 */
export async function removeServers(going: readonly Server[], parts: RemovalParts): Promise<void> {
  const removals = await Promise.all(going.map(server => removalOf(server, parts)));
  const names = going.map(({ definition }) => `"${definition.label}"`).join(', ');
  const texts = new Set(removals.flatMap(removal => removal.texts));
  const live = going.filter(({ isLive }) => isLive);
  const detail = [
    [t('These are also deleted, where they exist:'), ...texts].join('\n• '),
    ...live.map(({ definition }) => t('"{0}" is running, and is stopped first.', definition.label)),
    t('The entries in Activity stay.'),
  ].join('\n\n');
  const question =
    going.length > 1 ? t('Remove servers {0}?', names) : t('Remove server {0}?', names);
  if (going.length > 0 && (await parts.screen.confirm(question, shown(detail), t('Remove')))) {
    for (const { remove } of removals) {
      await reportFailure(parts.logger, remove);
    }
  }
}

/** All that is removed with a server. `remove` throws if the settings or a part can't change. */
async function removalOf(server: Server, parts: RemovalParts): Promise<Part> {
  const { keeping, servers, clients, sandbox, logs } = parts;
  const { definition, identity, storageKey } = server;
  const { name, target, entry } = writtenDefinition(server);
  // All workspaces share a user's server, so its records are removed in all of them.
  const ofUser = target === 'user';
  const { storage } = await sandbox();
  const { home, beside } = await storage.stored(storageKey);
  const stored = [...home, ...beside];
  const { name: clientName = name } =
    clientNames(servers.all).find(one => one.server === server) ?? {};
  const answers = ofUser
    ? t('Your answers about the server and its clients, also what you allowed in other workspaces')
    : t('Your answers about the server and its clients, in this workspace');
  const records: Readonly<Record<Exclude<RecordKind, 'secrets'>, Shown>> = {
    ...{ grant: answers, client: answers, offer: answers, read: answers, tool: answers },
    folder: t('The folders that you offered to the server, in this workspace'),
  };
  const memory: Readonly<Record<keyof ServerMemory, Part>> = {
    records: {
      texts: [...new Set(Object.values(records))],
      remove: () => keeping.records.forget(server, ofUser),
    },
    secrets: {
      texts: [
        ofUser
          ? t('The values that you entered and the sign-ins, for all servers with this name')
          : t("The values that you entered for the server, and the server's sign-in"),
      ],
      remove: () => keeping.secrets.forget(definition.id, ofUser ? undefined : identity),
    },
  };
  // The things to remove, as the question lists them.
  const kept: readonly Part[] = [
    {
      texts: [
        ofUser
          ? t("The server's definition, in your user settings")
          : t("The server's definition, in the settings of this workspace"),
      ],
      remove: async () => {
        const sessions = clients.of(server).map(({ session }) => session);
        await Promise.all([server.stop(), ...sessions.map(session => session?.leave())]);
        const { [name]: _, ...others } = existingSettings().servers;
        await changeInputs(target, keeping, inputs =>
          inputs.filter(input => !isOnlyOf(input, entry, others)),
        );
      },
    },
    ...Object.values(memory),
    {
      texts: [t("The server's last answers, saved for clients while the window is closed")],
      // A workspace's server is only in this window's snapshot, which drops the removed server.
      remove: async () => (ofUser ? forgetLastSaid(homedir(), clientName, identity) : undefined),
    },
    {
      texts: [
        ...(stored.length > 0
          ? [
              t(
                'The files that the server stored in its sandbox: {0}',
                listed(stored.map(shortPath)),
              ),
            ]
          : []),
        t("The program installed for the server's sandbox, and the server's log in this window"),
      ],
      remove: async () => {
        logs.forget(definition.id);
        await storage.remove(storageKey);
      },
    },
  ];
  const remove = async () => {
    // If this fails, nothing has changed. After this step, the server has no row to try again from.
    await changeServers(target, keeping, ({ [name]: _, ...others }) => others);
    const failures: unknown[] = [];
    for (const part of kept) {
      await part.remove().catch(error => failures.push(error));
    }
    if (failures.length > 0) {
      const reasons = failures.map(messageOf).join(', ');
      throw new HumanError(
        '"{0}" was removed, but some of its data is left: {1}',
        definition.label,
        reasons,
      );
    }
  };
  return { texts: kept.flatMap(({ texts }) => texts), remove };
}

/** Whether only this server uses an input. */
function isOnlyOf(input: unknown, entry: unknown, others: JsonObject): boolean {
  const id = isJsonObject(input) ? String(input['id']) : '';
  return inputsIn(entry).includes(id) && !inputsIn(others).includes(id);
}
