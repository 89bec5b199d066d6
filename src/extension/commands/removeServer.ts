import { inputsIn } from '../../domain/adding/convertServer.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { isInstalled } from '../../domain/sandbox/installStep.ts';
import { type Shown, shown } from '../../domain/shown.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Logs } from '../logs.ts';
import { confirm } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { forgetMemory, type ServerMemory } from '../servers/serverMemory.ts';
import type { KnownServer, RecordKind } from '../servers/serverRecords.ts';
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

/**
 * Removes a server with all that is kept of it, once the user has seen what that is.
 *
 * @throws {HumanError} when it does not stand in the settings, or they can't be written.
 */
export async function removeServer(
  server: Server,
  keeping: ServerKeeping & ServerMemory,
  servers: Servers,
  clients: Clients,
  sandbox: SandboxSource,
  logs: Logs,
): Promise<void> {
  const going = await goingWith(server, keeping, servers, sandbox, logs);
  if (!(await isConfirmed(server, going))) {
    return;
  }
  const sessions = clients.of(server).map(({ session }) => session);
  await Promise.all([server.stop(), ...sessions.map(session => session?.leave())]);
  for (const { forget } of going) {
    await forget();
  }
}

/** All that goes with a server, in the order in which it is told and forgotten. */
async function goingWith(
  server: Server,
  keeping: ServerKeeping & ServerMemory,
  servers: Servers,
  sandbox: SandboxSource,
  logs: Logs,
): Promise<readonly Kept[]> {
  const { definition, programIdentity } = server;
  const { name, target, entry } = writtenDefinition(server);
  return [
    {
      words: [
        target === 'user'
          ? t('Its definition, in your user settings')
          : t('Its definition, in the settings of this workspace'),
      ],
      forget: async () => {
        const others = without(existingSettings().servers, name);
        await changeServers(target, keeping, all => without(all, name));
        await changeInputs(target, keeping, inputs =>
          inputs.filter(input => !isOnlyOf(input, entry, others)),
        );
      },
    },
    { words: await keptOf(server, keeping), forget: () => forgetMemory(server, keeping) },
    {
      words: isInstalled(definition) ? [t('What was installed for its sandbox')] : [],
      forget: async () => {
        // A server with the same program shares this installation.
        if (!servers.all.some(one => one.programIdentity === programIdentity)) {
          await (await sandbox()).removeInstalled(programIdentity);
        }
      },
    },
    { words: [t('Its log in this window')], forget: async () => logs.forget(definition.id) },
  ];
}

/** Something that is kept of a server and goes with it. */
interface Kept {
  /** Empty: there is none, as far as can be seen from this workspace. */
  readonly words: readonly Shown[];
  readonly forget: () => Promise<unknown>;
}

/** What the memory holds of a server, by its kinds, as far as can be seen from this workspace. */
export async function keptOf(server: KnownServer, memory: ServerMemory): Promise<readonly Shown[]> {
  const isOfUser = server.definition.from === 'user';
  const names = await memory.secrets.namesOf(server);
  const kinds = new Set<string>([
    ...memory.records.on(server).flatMap(({ kind }) => (kind === 'secrets' ? [] : kind)),
    ...names.map(() => 'secrets'),
  ]);
  // By kind, so that the compiler misses what is left out.
  const words: Readonly<Record<RecordKind, Shown>> = {
    grant: t('Your answers on what it may see'),
    client: t('Your answers on the clients that use it'),
    offer: t('Whether it is offered to agents'),
    folder: t('Which folders you offered to it'),
    secrets: t('What you entered for it, and what it was signed in with'),
    calls: t('The last calls that you made of its tools'),
  };
  const all = Object.entries(words).flatMap(([kind, word]) => (kinds.has(kind) ? word : []));
  // Answers of other workspaces can't be looked up from here.
  return isOfUser
    ? [...all, t('What you allowed it, or a client with it, in other workspaces')]
    : all;
}

/** Asks with a list of all that goes with the server, as far as there is any. */
function isConfirmed({ definition, isLive }: Server, going: readonly Kept[]): Promise<boolean> {
  const detail = [
    t('This goes with it:'),
    ...going.flatMap(({ words }) => words.map(word => `• ${word}`)),
    ...(isLive ? ['', t('It runs, and is stopped before.')] : []),
    '',
    t('What Activity says about it stays.'),
  ];
  const question = t('Remove server "{0}"?', definition.label);
  return confirm(question, shown(detail.join('\n')), t('Remove'));
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== key));
}

/** True if this server alone uses an input. */
function isOnlyOf(input: unknown, entry: unknown, others: JsonObject): boolean {
  const id = isJsonObject(input) ? String(input['id']) : '';
  return inputsIn(entry).includes(id) && !inputsIn(others).includes(id);
}
