import { DisposableStore, type IDisposable, toDisposable } from '../base/disposable.ts';
import { StateRecorder } from './activity/stateRecorder.ts';
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
import { openGateway } from './gateway/gateway.ts';
import { View } from './ids.ts';
import { Logs } from './logs.ts';
import { reportFailure } from './registerCommand.ts';
import { settings } from './settings.ts';
import { reportSettingsProblems } from './settingsProblems.ts';
import { ActivityTree } from './views/activityTree.ts';
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

/** At its first `await` all views and commands are there; then folders and servers are looked at. */
async function openWindow(
  context: vscode.ExtensionContext,
  store: DisposableStore,
  logs: Logs,
): Promise<void> {
  const window = buildWindow(context, store, logs);
  const { servers, activity, overview } = window;
  store.add(endWithWindow(window, store.add(new StateRecorder(servers, activity))));
  store.add(
    vscode.window.registerTreeDataProvider(View.activity, store.add(new ActivityTree(activity))),
  );
  store.add(new StatusBar(overview));
  store.add(registerViewCommands(window));
  store.add(registerFolderCommands(window));
  store.add(registerAccessCommands(window));
  store.add(registerServerCommands(window));
  store.add(registerDefinitionCommands(window));
  store.add(registerCallCommands(window));
  store.add(registerConnectCommands(window));
  store.add(registerHelpCommands(window));
  store.add(reportSettingsProblems(window));
  await begin(window, store);
}

/** Looks at folders and servers, starts what may start, and lets agents in. */
async function begin(window: Window, store: DisposableStore): Promise<void> {
  const { servers, clients, folders, consent, activity, launchers, logger } = window;
  void activity.load();
  await Promise.all([folders.refresh(), servers.refresh()]);
  // From here on a new folder counts as added: before, the disk had not been looked at yet.
  store.add(new AddedFolders(folders, servers, consent, logger));
  const startConsented = () => settings.autoStart && servers.startConsented();
  store.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() => servers.refresh().then(startConsented)),
  );
  startConsented();
  // Not before: what they say of a server in a file that is open already is known only now.
  store.add(new DefinitionFiles(window));
  const { hub, connector } = launchers;
  const place = { connector: () => connector.prepare().then(() => connector.path) };
  await Promise.all([
    reportFailure(logger, async () => clients.begin(await openGateway({ ...window, ...place }))),
    hub.refresh(),
    connector.refresh(),
  ]);
}

/** Ends with the window what runs in it: in time when it is closed, at once when the host exits. */
function endWithWindow(
  { servers, clients, checks, activity }: Window,
  states: StateRecorder,
): IDisposable {
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
