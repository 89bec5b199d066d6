import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { userServerId, userServerName } from '../../domain/servers/serverDefinition.ts';
import type { Shown } from '../../domain/shown.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Consent } from '../consent/consent.ts';
import type { Clients } from '../gateway/clients.ts';
import { Command } from '../ids.ts';
import type { Logs } from '../logs.ts';
import { assertTrusted, type CommandId, type Commands } from '../registerCommand.ts';
import { reply, type Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { ServerMemory } from '../servers/serverMemory.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { t } from '../text.ts';
import { problemOfServer } from '../views/problemItem.ts';
import type { Row } from '../views/rows.ts';
import type { ServersView } from '../views/serversView.ts';
import * as vscode from '../vscode.ts';
import { askForServer } from './adding/askForServer.ts';
import { editServer } from './adding/editServer.ts';
import { importServers } from './adding/importServers.ts';
import { changeServer, type ServerKeeping } from './adding/writeServers.ts';
import { letRead } from './letRead.ts';
import { registerOnServer } from './pickServer.ts';
import { removeServer } from './removeServer.ts';
import { askToRename } from './renameServer.ts';

/** The parts of a window that the commands on definitions take. */
interface DefinitionParts {
  readonly commands: Commands;
  readonly activity: Pick<ActivityLog, 'add'>;
  readonly keeping: ServerKeeping & ServerMemory;
  readonly servers: Servers;
  readonly clients: Clients;
  readonly consent: Consent;
  readonly sandbox: SandboxSource;
  readonly screen: Screen;
  readonly logs: Logs;
  readonly view: Pick<ServersView, 'reveal'>;
}

/** The commands that change what a server is, or what is kept with its definition. */
export function registerDefinitionCommands(parts: DefinitionParts): void {
  const { commands, activity, keeping, servers, clients, sandbox, screen, logs } = parts;
  registerAddition(parts, Command.addServer, () => addServer(parts));
  registerAddition(parts, Command.importServers, () => importServers(keeping, sandbox));
  registerChange(parts, Command.editServer, t('Edit which server?'), server => edit(server, parts));
  registerChange(parts, Command.renameServer, t('Rename which server?'), server =>
    askToRename(server, keeping, servers, screen),
  );
  registerChange(parts, Command.removeServer, t('Remove which server?'), server =>
    removeServer(server, keeping, servers, clients, sandbox, logs, screen),
  );
  // On the row with the problem of a server that lacks variables of this editor.
  commands.register(Command.passOn, async row => {
    await (row && passOn(row.server, servers, keeping, screen));
  });
  const missing = {
    placeHolder: t('Let which server read what it asked for?'),
    isWanted: ({ missedPath }: Server) => missedPath !== undefined,
    none: 'No server asked for anything that it does not see.',
  };
  registerOnServer(commands, servers, Command.letRead, missing, server =>
    letRead(server, keeping, servers, activity, screen),
  );
  const any = { placeHolder: t('Forget the secrets of which server?') };
  registerOnServer(commands, servers, Command.forgetSecrets, any, server =>
    forgetSecrets(server, keeping),
  );
}

/** Removes what was entered for a server and what it was signed in with. */
async function forgetSecrets({ definition }: Server, { secrets }: ServerMemory): Promise<void> {
  const { label, id: serverId } = definition;
  if ((await secrets.forget(serverId)) === 0) {
    throw new HumanError('No secrets are kept for "{0}".', label);
  }
  void reply(t('The secrets of "{0}" are forgotten. You are asked again when it starts.', label));
}

/**
 * Registers a command that writes the definition of one server anew. That of no other can be changed:
 * it stands in no settings.
 */
function registerChange(
  parts: DefinitionParts,
  command: CommandId,
  placeHolder: Shown,
  change: (server: Server) => Promise<void>,
): void {
  const pick = {
    placeHolder,
    isWanted: ({ definition }: Server) => definition.from !== undefined,
    none: 'No server of yours is in the settings.',
    untrusted:
      'In Restricted Mode no server can be changed, because its settings are ignored. Trust this workspace first.',
  };
  registerOnServer(parts.commands, parts.servers, command, pick, server =>
    revealingAdded(parts, () => change(server)),
  );
}

/** Registers a command that writes definitions of further servers. */
function registerAddition(
  parts: DefinitionParts,
  command: CommandId,
  add: () => Promise<void>,
): void {
  parts.commands.register(command, async () => {
    assertTrusted(
      'In Restricted Mode no server can be added, because its settings are ignored. Trust this workspace first.',
    );
    await revealingAdded(parts, add);
  });
}

/** Shows the row of a server that was added. A renamed one is another, too. */
async function revealingAdded(
  { servers, view }: DefinitionParts,
  write: () => Promise<void>,
): Promise<void> {
  const before = new Set(servers.all.map(({ definition }) => definition.id));
  await write();
  const added = servers.all.find(({ definition }) => !before.has(definition.id));
  await (added && view.reveal(added.definition.id));
}

async function addServer(parts: DefinitionParts): Promise<void> {
  const name = await askForServer(parts.keeping, parts.sandbox);
  if (name !== undefined) {
    const text = t('"{0}" was added. It was not started yet.', printable(name));
    offerStart(text, name, parts);
  }
}

async function edit(server: Server, parts: DefinitionParts): Promise<void> {
  const { keeping, sandbox, screen } = parts;
  const wasLive = server.isLive;
  const name = await editServer(server, keeping, sandbox, screen);
  // One that ran is started again, or asked about, with all others that changed.
  if (name !== undefined && !wasLive) {
    const text = t('"{0}" was changed. It is not running.', printable(name));
    offerStart(text, name, parts);
  }
}

/**
 * Offers to start a server as it is written now. The message stays until it is dismissed, and the
 * command is done.
 */
function offerStart(text: Shown, name: string, { servers, screen }: DefinitionParts): void {
  const title = t('Start');
  // Looked for anew each time: it may have been changed or started since.
  const row = (): Row | undefined => {
    const server = servers.withId(userServerId(name));
    return server && !server.isLive ? { kind: 'server', server } : undefined;
  };
  const isOpen = () => row() !== undefined;
  const follow = () => vscode.commands.executeCommand(Command.startServer, row());
  void screen.show(() => (isOpen() ? { text, buttons: [{ title, follow }], isOpen } : undefined));
}

/**
 * Has the definition of a server pass on the variables of this editor that it lacks, after a question.
 * It is another server then, about which the user is asked when it starts.
 *
 * @throws {HumanError} when it lacks none that this editor has.
 */
async function passOn(
  server: Server,
  servers: Pick<Servers, 'withId'>,
  keeping: ServerKeeping,
  screen: Screen,
): Promise<void> {
  const { definition } = server;
  const name = userServerName(definition.id);
  const remedy = problemOfServer(server)?.remedy;
  if (remedy?.kind !== 'pass-on' || name === undefined) {
    throw new HumanError('"{0}" needs no variable of this editor.', definition.label);
  }
  const variables = remedy.variables.join(', ');
  const question = t('Pass {0} on to "{1}"?', variables, definition.label);
  const detail = t(
    'Its definition will name the variable, not the value. You are asked again before it starts.',
  );
  if (await screen.confirm(question, detail, t('Pass It On'))) {
    const added = remedy.variables.map(each => [each, `\${env:${each}}`]);
    await changeServer(name, definition.from ?? 'user', keeping, entry => ({
      ...entry,
      env: { ...(isJsonObject(entry['env']) && entry['env']), ...Object.fromEntries(added) },
    }));
    const row: Row = { kind: 'server', server: servers.withId(definition.id) ?? server };
    await vscode.commands.executeCommand(Command.startServer, row);
  }
}
