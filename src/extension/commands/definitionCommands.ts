import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { userServerId } from '../../domain/servers/serverDefinition.ts';
import type { Shown } from '../../domain/shown.ts';
import { askForServer } from '../adding/askForServer.ts';
import type { ServerKeeping } from '../adding/writeServers.ts';
import { Command } from '../ids.ts';
import type { ServerMemory } from '../records/serverMemory.ts';
import { assertTrusted } from '../reportFailure.ts';
import type { Row } from '../rows.ts';
import { reply, type Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { t } from '../text.ts';
import type { ServersView } from '../views/serversView.ts';
import * as vscode from '../vscode.ts';
import { editServer } from './editServer.ts';

/** The parts of a window that the commands on definitions use. */
export interface DefinitionParts {
  readonly keeping: ServerKeeping & ServerMemory;
  readonly servers: Servers;
  readonly sandbox: SandboxSource;
  readonly screen: Screen;
  readonly view: Pick<ServersView, 'reveal'>;
}

/** Has `add` write definitions of new servers, and shows the row of the first new server. */
export async function addDefinitions(
  parts: DefinitionParts,
  add: () => Promise<void>,
): Promise<void> {
  assertAddable();
  await revealingAdded(parts, add);
}

/** @throws {HumanError} in Restricted Mode. */
export function assertAddable(): void {
  assertTrusted(
    'In Restricted Mode no server can be added, because the settings of servers are ignored. Trust this workspace first.',
  );
}

/** Shows the row of the first server that `write` adds. A renamed server counts as added. */
export async function revealingAdded(
  { servers, view }: DefinitionParts,
  write: () => Promise<void>,
): Promise<void> {
  const before = new Set(servers.all.map(({ definition }) => definition.id));
  await write();
  const added = servers.all.find(({ definition }) => !before.has(definition.id));
  await (added && view.reveal(added.definition.id));
}

/** Lets the user define a server, and offers to start it. */
export async function addAndOffer(parts: DefinitionParts): Promise<void> {
  const name = await askForServer(parts.keeping, parts.sandbox);
  if (name !== undefined) {
    const text = t('"{0}" was added, but not started yet.', printable(name));
    offerStart(text, name, parts);
  }
}

/** Lets the user change the definition of a server, and offers to start it. */
export async function editAndOffer(server: Server, parts: DefinitionParts): Promise<void> {
  const { keeping, sandbox, screen } = parts;
  const wasLive = server.isLive;
  const name = await editServer(server, keeping, sandbox, screen);
  // If the server ran, it restarts automatically, or `HeldServers` asks about all changed servers.
  if (name !== undefined && !wasLive) {
    const text = t('"{0}" was changed, but is not running.', printable(name));
    offerStart(text, name, parts);
  }
}

/**
 * Offers to start a server in its present form. Returns at once, and the message stays until the
 * user closes it.
 */
function offerStart(text: Shown, name: string, { servers, screen }: DefinitionParts): void {
  const title = t('Start');
  // Looked up each time, because the server may have been replaced or started since.
  const row = (): Row | undefined => {
    const server = servers.withId(userServerId(name));
    return server && !server.isLive ? { kind: 'server', server } : undefined;
  };
  const isOpen = () => row() !== undefined;
  const follow = () => vscode.commands.executeCommand(Command.startServer, row());
  void screen.show(() => (isOpen() ? { text, buttons: [{ title, follow }], isOpen } : undefined));
}

/** Removes the values that the user entered for a server, and its sign-ins. */
export async function forgetSecrets(
  { definition }: Server,
  { secrets }: ServerMemory,
): Promise<void> {
  const { label, id: serverId } = definition;
  if ((await secrets.forget(serverId)) === 0) {
    throw new HumanError('No secrets are saved for "{0}".', label);
  }
  void reply(t('The secrets of "{0}" are deleted. The next start asks you again.', label));
}
