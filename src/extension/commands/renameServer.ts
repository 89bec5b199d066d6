import { draftOfExisting } from '../../domain/adding/serverDraft.ts';
import { startsByItself } from '../../domain/consent/startStep.ts';
import type { JsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import type { Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import { moveMemory, type ServerMemory } from '../servers/serverMemory.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import { surroundings } from './adding/askForServer.ts';
import { writtenDefinition } from './adding/editServer.ts';
import { askName } from './adding/reviewServer.ts';
import { changeServers, type ServerKeeping } from './adding/writeServers.ts';

/**
 * Asks for another name for a server, which keeps all that it was allowed and given.
 *
 * @throws {HumanError} when it does not stand in the settings, or they can't be written.
 */
export async function askToRename(
  server: Server,
  keeping: ServerKeeping & ServerMemory,
  servers: Servers,
  screen: Screen,
): Promise<void> {
  const { name, entry } = writtenDefinition(server);
  const title = t('Rename Server "{0}"', server.definition.label);
  const draft = draftOfExisting(name, entry);
  const next = await askName(draft, surroundings(), { title, hasBack: false });
  if (next && next.name !== name) {
    await renameServer(server, next.name, keeping, servers, screen);
  }
}

/**
 * Gives a server another name. It is the same to the user, who allowed it as it is: its id alone is
 * another.
 *
 * @throws {HumanError} when it does not stand in the settings, or they can't be written.
 */
async function renameServer(
  server: Server,
  name: string,
  keeping: ServerKeeping & ServerMemory,
  servers: Servers,
  screen: Screen,
): Promise<void> {
  const { name: before, target } = writtenDefinition(server);
  const { definition, isLive: wasLive } = server;
  const to = userServerId(name);
  const hasClients = keeping.records.answers('client', server).some(({ value }) => value);
  await server.stop();
  await moveMemory(server, to, keeping, () =>
    changeServers(target, keeping, written => withKey(written, before, name)),
  );
  const renamed = servers.withId(to);
  if (wasLive && renamed && startsByItself(renamed.access, renamed.isLaunchAllowed)) {
    await renamed.start('by-itself');
  }
  if (hasClients) {
    screen.tell(
      t(
        'Clients know "{0}" by its name: connect them again, to "{1}".',
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
