import { DisposableStore, type IDisposable, toDisposable } from '../base/disposable.ts';
import { registerCallCommands } from './commands/callCommands.ts';
import { registerDefinitionCommands } from './commands/definitionCommands.ts';
import { registerFolderCommands } from './commands/folderCommands.ts';
import { registerServerCommands } from './commands/serverCommands.ts';
import {
  registerAccessCommands,
  registerConnectCommands,
  registerHelpCommands,
  registerViewCommands,
} from './commands/windowCommands.ts';
import { AddedFolders } from './consent/addedFolders.ts';
import { DefinitionFiles } from './definitionFiles/definitionFiles.ts';
import { reportSettingsProblems } from './definitionFiles/showSettingsProblems.ts';
import { openGateway } from './gateway/gateway.ts';
import { View } from './ids.ts';
import { Logs } from './logs.ts';
import { reportFailure } from './registerCommand.ts';
import { settings } from './settings.ts';
import { ActivityTree } from './views/activityTree.ts';
import { Overview } from './views/overview.ts';
import { ServersView } from './views/serversView.ts';
import { StatusBar } from './views/statusBar.ts';
import * as vscode from './vscode.ts';
import { buildWindow, type Window } from './window.ts';

/** Ends the servers and writes the activity log: the work left for when the window closes. */
let farewell: (() => Promise<void>) | undefined;

/** Opens the window; the user is shown that it failed, and the log why. */
export function activate(context: vscode.ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);
  const logs = store.add(new Logs());
  void reportFailure(logs.extension, () => openWindow(context, store, logs));
}

/**
 * Builds what the features of a window share and has each register itself. At the first `await` all
 * views and commands are there; then the folders and the servers are looked at.
 */
async function openWindow(
  context: vscode.ExtensionContext,
  store: DisposableStore,
  logs: Logs,
): Promise<void> {
  const window = buildWindow(context, store, logs);
  store.add(endWithWindow(window));
  const view = openViews(window, store);
  registerViewCommands(window, view);
  registerFolderCommands(window);
  store.add(registerAccessCommands(window));
  registerServerCommands({ ...window, view });
  registerDefinitionCommands({ ...window, view });
  store.add(registerCallCommands(window));
  registerConnectCommands(window);
  registerHelpCommands(window);
  store.add(reportSettingsProblems(window.toasts, window.logger));
  await begin(window, store);
}

/** Opens the views and the status bar item, and returns the view of the servers. */
function openViews(window: Window, store: DisposableStore): ServersView {
  const { servers, clients, questions, consent, activity, offer, logger } = window;
  const overview = store.add(new Overview(servers, clients, questions));
  const view = store.add(
    new ServersView(servers, clients, questions, consent, overview, offer, logger),
  );
  const tree = store.add(new ActivityTree(activity));
  store.add(vscode.window.registerTreeDataProvider(View.activity, tree));
  store.add(new StatusBar(overview));
  return view;
}

/** Looks at folders and servers, starts those that may, and lets clients in. */
async function begin(window: Window, store: DisposableStore): Promise<void> {
  const { activity, folders, servers, clients, consent, logger } = window;
  const { hub, connector } = window.launchers;
  void activity.load();
  await Promise.all([folders.refresh(), servers.refresh()]);
  // From here on a new folder counts as added: before, the disk had not been looked at yet.
  store.add(new AddedFolders(folders, servers, consent, logger));
  store.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() =>
      servers.refresh().then(() => startConsented(window)),
    ),
  );
  startConsented(window);
  // Not before: what they say of a server in a file that is open already is known only now.
  store.add(new DefinitionFiles(window));
  const gateway = { ...window, connector: () => connector.prepare().then(() => connector.path) };
  await Promise.all([
    reportFailure(logger, async () => clients.begin(await openGateway(gateway))),
    hub.refresh(),
    connector.refresh(),
  ]);
}

function startConsented({ servers }: Pick<Window, 'servers'>): void {
  if (settings.autoStart) {
    servers.startConsented();
  }
}

type Ending = Pick<Window, 'servers' | 'clients' | 'checks' | 'states' | 'activity'>;

/** Ends with the window what runs in it: in time when it is closed, at once when the host exits. */
function endWithWindow({ servers, clients, checks, states, activity }: Ending): IDisposable {
  farewell = async () => {
    await Promise.all([clients.end(), servers.retireAll(), checks.endAll()]);
    states.recordAll();
    await activity.flush();
  };
  // The last moment of the extension host, when there is no time left to wait for anything.
  const killAll = () => {
    servers.killAll();
    clients.killAll();
    checks.killAll();
  };
  process.once('exit', killAll);
  return toDisposable(() => process.off('exit', killAll));
}

/** Resolves when no server process is left and the activity log is on disk. */
export async function deactivate(): Promise<void> {
  await farewell?.();
}
