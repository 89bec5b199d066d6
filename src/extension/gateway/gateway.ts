import { createHash, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { readWindows, windowsFolder } from '../../connect/windowFiles.ts';
import { whyUnusable } from '../../domain/gateway/usable.ts';
import { HumanError, sentence } from '../../domain/sentence.ts';
import type { Launchers } from '../hub/launcher.ts';
import { Command } from '../ids.ts';
import { type CommandId, type Commands, reportFailure } from '../registerCommand.ts';
import type { ServerContext } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { publish } from './agents/agents.ts';
import type { ClientOfServer, Clients, Gateway } from './clients.ts';
import { GatewaySocket } from './gatewaySocket.ts';
import { Snapshots } from './snapshots.ts';
import { type DescribedWindow, WindowFile, type WindowState } from './windowFile.ts';

export interface GatewayHost {
  readonly servers: Servers;
  readonly context: ServerContext;
  readonly commands: Commands;
  readonly extension: vscode.ExtensionContext;
  readonly launchers: Launchers;
}

/** In its terminals, the id of this window. */
const windowVariable = 'MCP_ROOTS_WINDOW';

/**
 * Lets clients in through the gateway of this window; the user is shown why it can't listen. The
 * servers must have been looked at: before that, none may see any folder.
 */
export function openGateway(clients: Clients, host: GatewayHost): Promise<void> {
  return reportFailure(host.commands.logger, async () =>
    clients.begin(await gatewayOf(clients, host)),
  );
}

/** @throws HumanError when it can't listen. */
async function gatewayOf(clients: Clients, host: GatewayHost): Promise<Gateway> {
  const { servers, context, extension } = host;
  const { logger } = context;
  const { connector } = host.launchers;
  const folder = windowsFolder(homedir());
  const store = new DisposableStore();
  const windowId = await freeId(extension, folder);
  const snapshots = new Snapshots(homedir(), windowId, logger);
  const socket = await GatewaySocket.listen(
    folder,
    connection => void clients.accept(connection, snapshots),
  );
  const window = describedWindow(windowId, context, store);
  const reach = { socket: socket.path, nonce: socket.nonce };
  try {
    store.add(
      await WindowFile.write(folder, window, reach, logger, all => snapshots.describe(all)),
    );
  } catch (error) {
    store.dispose();
    socket.dispose();
    throw error;
  }
  nameWindow(extension, windowId);
  store.add(snapshots.follow(servers, server => whyUnusable(server) === undefined));
  const file = () => connector.prepare().then(() => connector.path);
  store.add(publish(servers, { file, windowId }, logger));
  return { hide: () => store.dispose(), dispose: () => socket.dispose() };
}

/** The window of this extension host, as its file describes it. */
function describedWindow(
  id: string,
  { records, accesses: { page } }: ServerContext,
  store: DisposableStore,
): DescribedWindow {
  const didChange = store.add(new Emitter<void>());
  const changed = () => didChange.fire();
  store.add(records.onDidChange(kind => kind === 'client' && changed()));
  store.add(page.onDidChange(changed));
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(changed));
  let focusedAt = vscode.window.state.focused ? Date.now() : 0;
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      focusedAt = focused ? Date.now() : focusedAt;
      changed();
    }),
  );
  return {
    id,
    get state(): WindowState | undefined {
      if (page.isGone) {
        return undefined;
      }
      const { workspaceFolders = [], name = t('no folder') } = vscode.workspace;
      const onDisk = workspaceFolders.filter(({ uri }) => uri.scheme === 'file');
      const granted = records.of('client').flatMap(({ about, value }) => (value ? about : []));
      return {
        folders: onDisk.map(({ uri }) => uri.fsPath),
        focusedAt,
        name,
        grants: [...new Set(granted)],
      };
    },
    onDidChange: didChange.event,
  };
}

/** Programs that start in a terminal of this window mean this window. */
function nameWindow({ environmentVariableCollection }: vscode.ExtensionContext, id: string): void {
  environmentVariableCollection.persistent = false;
  environmentVariableCollection.description = t(
    'Leads MCP clients in this terminal to the servers of this window.',
  );
  environmentVariableCollection.replace(windowVariable, id);
}

/**
 * An id that no other open window has. It is the same again when the window is loaded anew, so that
 * its terminals still name it.
 */
async function freeId({ storageUri }: vscode.ExtensionContext, folder: string): Promise<string> {
  if (!storageUri) {
    return randomUUID();
  }
  const own = createHash('sha256').update(storageUri.fsPath).digest('hex').slice(0, 16);
  const taken = new Set((await readWindows(folder)).map(({ id }) => id));
  let id = own;
  for (let count = 2; taken.has(id); count++) {
    id = `${own}-${count}`;
  }
  return id;
}

/** The commands in the menus of the rows of clients, each on all that are selected. */
export function registerClientCommands(commands: Commands, clients: Clients): void {
  const register = (id: CommandId, run: (client: ClientOfServer) => Promise<void>) =>
    commands.register(id, async (_, rows) => {
      const selected = rows.flatMap(row => (row.kind === 'client' ? [row.client] : []));
      if (selected.length === 0) {
        throw new HumanError('Select clients in the view "Servers" first.');
      }
      for (const client of selected) {
        await run(client);
      }
    });
  const answering = (isAllowed: boolean | undefined) => (client: ClientOfServer) =>
    clients.consent.answer(client.name, client.server, isAllowed);
  register(Command.disconnectClient, disconnect);
  register(Command.allowClient, answering(true));
  register(Command.denyClient, answering(false));
  register(Command.forgetClient, answering(undefined));
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
