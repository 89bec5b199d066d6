import { draftOfExisting } from '../../domain/adding/serverDraft.ts';
import { startsByItself } from '../../domain/consent/startStep.ts';
import type { JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import { storageKey } from '../../domain/servers/serverIdentity.ts';
import { surroundings } from '../adding/askForServer.ts';
import { askName } from '../adding/reviewServer.ts';
import { changeServers, type ServerKeeping } from '../adding/writeServers.ts';
import { moveMemory, type ServerMemory } from '../records/serverMemory.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { t } from '../text.ts';
import { writtenDefinition } from './editServer.ts';

/**
 * Asks for another name for a server. The server keeps its permissions and its secrets: it is the
 * same server that the user allowed, and only its id changes.
 *
 * @throws {HumanError} when the settings do not hold the server, or can't be written.
 */
export async function askToRename(
  server: Server,
  keeping: ServerKeeping & ServerMemory,
  servers: Servers,
  sandbox: SandboxSource,
  screen: Screen,
): Promise<void> {
  const { name: before, target, entry } = writtenDefinition(server);
  const title = t('Rename Server "{0}"', server.definition.label);
  const draft = draftOfExisting(before, entry);
  const { name = before } = (await askName(draft, surroundings(), { title, hasBack: false })) ?? {};
  if (name === before) {
    return;
  }
  const { definition, isLive: wasLive } = server;
  const to = userServerId(name);
  const hasClients = keeping.records.answers('client', server).some(({ value }) => value);
  await server.stop();
  const { storageKey: from, fields } = server;
  const { storage } = await sandbox();
  await moveMemory(server, to, keeping, async () => {
    await storage.move(from, storageKey(fields, to));
    try {
      await changeServers(target, keeping, written => withKey(written, before, name));
    } catch (error) {
      await storage.move(storageKey(fields, to), from);
      throw error;
    }
  });
  const renamed = servers.withId(to);
  if (wasLive && renamed && startsByItself(renamed.access, renamed.isLaunchAllowed)) {
    await renamed.start('by-itself');
  }
  if (hasClients) {
    screen.tell(
      t(
        'Clients still use the old name "{0}". Connect the clients again, to "{1}".',
        definition.label,
        printable(name),
      ),
    );
  }
}

function withKey(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === from ? to : key, value]),
  );
}
