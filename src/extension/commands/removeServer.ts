import { homedir } from 'node:os';
import { messageOf } from '../../base/messageOf.ts';
import { inputsIn } from '../../domain/adding/convertServer.ts';
import { clientNames } from '../../domain/gateway/clientNames.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { isInstalled } from '../../domain/sandbox/installStep.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import type { Clients } from '../gateway/clients.ts';
import { forgetLastSaid } from '../gateway/snapshots.ts';
import type { Logs } from '../logs.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { ServerMemory } from '../servers/serverMemory.ts';
import type { RecordKind } from '../servers/serverRecords.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { t } from '../text.ts';
import { writtenDefinition } from './adding/editServer.ts';
import {
  changeInputs,
  changeServers,
  existingSettings,
  type ServerKeeping,
} from './adding/writeServers.ts';

/** A part of what goes with a server: as the user is told, and how. */
interface Part {
  readonly texts: readonly Shown[];
  readonly remove: () => Promise<unknown>;
}

/**
 * Removes a server with all that is kept of it, once the user has seen what that is.
 *
 * @throws {HumanError} when it does not stand in the settings, they can't be written, or something of it
 *   stays.
 */
export async function removeServer(
  server: Server,
  keeping: ServerKeeping & ServerMemory,
  servers: Servers,
  clients: Clients,
  sandbox: SandboxSource,
  logs: Logs,
  screen: Screen,
): Promise<void> {
  const { definition, identity, programIdentity, isLive } = server;
  const { name, target, entry } = writtenDefinition(server);
  // What the user defined is in every workspace, and goes in each.
  const ofUser = target === 'user';
  const { name: clientName = name } =
    clientNames(servers.all).find(one => one.server === server) ?? {};
  const answers = ofUser
    ? t('Your answers on it and on the clients that use it; in other workspaces, what you allowed')
    : t('Your answers on it and on the clients that use it, in this workspace');
  const records: Readonly<Record<Exclude<RecordKind, 'secrets'>, Shown>> = {
    ...{ grant: answers, client: answers, offer: answers },
    folder: t('The folders that you offered to it, in this workspace'),
  };
  const memory: Readonly<Record<keyof ServerMemory, Part>> = {
    records: {
      texts: [...new Set(Object.values(records))],
      remove: () => keeping.records.forget(server, ofUser),
    },
    secrets: {
      texts: [
        ofUser
          ? t('What was entered and signed in with, for it and others of its name')
          : t('What you entered for it, and what it was signed in with'),
      ],
      remove: () => keeping.secrets.forget(definition.id, ofUser ? undefined : identity),
    },
  };
  // All that goes, as the user is told.
  const parts: readonly Part[] = [
    {
      texts: [
        ofUser
          ? t('Its definition, in your user settings')
          : t('Its definition, in the settings of this workspace'),
      ],
      remove: async () => {
        const sessions = clients.of(server).map(({ session }) => session);
        await Promise.all([server.stop(), ...sessions.map(session => session?.leave())]);
        const others = without(existingSettings().servers, name);
        await changeInputs(target, keeping, inputs =>
          inputs.filter(input => !isOnlyOf(input, entry, others)),
        );
      },
    },
    ...Object.values(memory),
    {
      texts: [t('What it last said to clients, which is kept for when the window is closed')],
      // What a workspace defines is said in this window alone, which drops it by itself.
      remove: async () => (ofUser ? forgetLastSaid(homedir(), clientName, identity) : undefined),
    },
    {
      texts: [t('What was installed for its sandbox, and its log in this window')],
      remove: async () => {
        // A server with the same program shares this installation.
        const isShared = servers.all.some(one => one.programIdentity === programIdentity);
        if (isInstalled(definition) && !isShared) {
          await (await sandbox()).removeInstalled(programIdentity);
        }
        logs.forget(definition.id);
      },
    },
  ];
  const going = [
    t('This goes with it, as far as there is any:'),
    ...parts.flatMap(({ texts }) => texts),
  ].join('\n• ');
  const rest = [
    ...(isLive ? [t('It runs, and is stopped.')] : []),
    t('What Activity says about it stays.'),
  ];
  const question = t('Remove server "{0}"?', definition.label);
  if (await screen.confirm(question, shown([going, ...rest].join('\n\n')), t('Remove'))) {
    // Where that fails, all is as it was. After it there is no row from which to try again.
    await changeServers(target, keeping, all => without(all, name));
    const failures: unknown[] = [];
    for (const { remove } of parts) {
      await remove().catch(error => failures.push(error));
    }
    if (failures.length > 0) {
      const reasons = failures.map(messageOf).join(', ');
      throw new HumanError(
        '"{0}" was removed, but not all that was kept of it: {1}',
        definition.label,
        reasons,
      );
    }
  }
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== key));
}

/** True if this server alone uses an input. */
function isOnlyOf(input: unknown, entry: unknown, others: JsonObject): boolean {
  const id = isJsonObject(input) ? String(input['id']) : '';
  return inputsIn(entry).includes(id) && !inputsIn(others).includes(id);
}
