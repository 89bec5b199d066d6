import { createHash, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { readWindows, windowsFolder } from '../../connect/windowFiles.ts';
import { whyRefused } from '../../domain/gate/gate.ts';
import type { Launchers } from '../hub/launcher.ts';
import { reportFailure } from '../reportFailure.ts';
import type { ServerContext } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { CursorServers, cursorMcp } from './agents/cursor.ts';
import { registerDefinitions } from './agents/definitions.ts';
import { PublishedServers } from './agents/publishedServers.ts';
import type { Clients, Gateway } from './clients.ts';
import { GatewaySocket } from './gatewaySocket.ts';
import { Snapshots } from './snapshots.ts';
import { type DescribedWindow, WindowFile, type WindowState } from './windowFile.ts';

export interface GatewayHost {
  readonly servers: Servers;
  readonly context: ServerContext;
  readonly extension: vscode.ExtensionContext;
  readonly launchers: Launchers;
}

/** The variable in a window's terminals that holds the id of the window. */
const windowVariable = 'MCP_ROOTS_WINDOW';

/**
 * Opens the gateway of this window to clients, and offers its servers to the editor's own agents.
 * If the gateway can't listen, the user sees why. Call this after the folders were first checked on
 * disk. Before, no server may see a folder.
 */
export function openGateway(clients: Clients, host: GatewayHost): Promise<void> {
  return reportFailure(host.context.logger, async () =>
    clients.begin(await gatewayOf(clients, host)),
  );
}

/** @throws HumanError when the gateway can't listen. */
async function gatewayOf(clients: Clients, host: GatewayHost): Promise<Gateway> {
  const { servers, context, extension } = host;
  const { logger } = context;
  const { connector } = host.launchers;
  const folder = windowsFolder(homedir());
  const store = new DisposableStore();
  const windowId = await freeId(extension, folder);
  const snapshots = new Snapshots(homedir(), windowId, logger, server =>
    clients.consent.askings(server),
  );
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
  store.add(snapshots.follow(servers, server => whyRefused({ server }) === undefined));
  const published = store.add(new PublishedServers(servers));
  const place = { file: () => connector.prepare().then(() => connector.path), windowId };
  const cursor = cursorMcp(vscode);
  store.add(
    // Never both: Cursor is based on VS Code, so it would list each server twice.
    cursor
      ? new CursorServers(cursor, published, place, logger)
      : registerDefinitions(published, place, logger),
  );
  return { hide: () => store.dispose(), dispose: () => socket.dispose() };
}

/** The window of this extension host, as its file for connectors describes it. */
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

/** Makes connectors in the terminals of this window connect to this window. */
function nameWindow({ environmentVariableCollection }: vscode.ExtensionContext, id: string): void {
  environmentVariableCollection.persistent = false;
  environmentVariableCollection.description = t(
    'Connects MCP clients in this terminal to the servers of this window.',
  );
  environmentVariableCollection.replace(windowVariable, id);
}

/**
 * An id that no other open window has. A window has the same id after a reload, so that its
 * terminals still lead to it.
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
