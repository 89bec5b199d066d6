import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import { ActivityFile } from './activity/activityFile.ts';
import { ActivityLog } from './activity/activityLog.ts';
import { registerCommands } from './commands/commands.ts';
import { AddedFolders } from './consent/addedFolders.ts';
import { ChangedServers } from './consent/changedServers.ts';
import { Consent } from './consent/consent.ts';
import { type GrantState, GrantStore } from './consent/grantStore.ts';
import { WorkspaceFolders } from './folders/workspaceFolders.ts';
import { View } from './ids.ts';
import { Logs } from './logs.ts';
import { bundledServer } from './servers/bundledServer.ts';
import { editorRipgrep } from './servers/editorRipgrep.ts';
import { ServerLog } from './servers/serverLog.ts';
import { Servers } from './servers/servers.ts';
import { settings } from './settings.ts';
import { reportSettingsProblems } from './settingsProblems.ts';
import { ActivityTree } from './views/activityTree.ts';
import { ServersView } from './views/serversView.ts';
import { StatusBar } from './views/statusBar.ts';

/** What must still be done when the window closes. */
let farewell: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);

  const logs = store.add(new Logs());
  const logger = logs.extension;
  const folders = store.add(new WorkspaceFolders());
  const grants = store.add(new GrantStore(grantState(context), logger));
  const activityFile = context.storageUri && new ActivityFile(context.storageUri.fsPath);
  const activity = store.add(new ActivityLog(activityFile, logger));
  const ripgrep = editorRipgrep(vscode.env.appRoot, process);
  const files = { extensionPath: context.extensionPath, ripgrep };
  const servers = store.add(
    new Servers(() => bundledServer(files, settings), {
      folders,
      grants,
      logger,
      clientInfo: { name: 'mcp-roots', version: String(context.extension.packageJSON.version) },
      logFor: definition => new ServerLog(() => logs.forServer(definition)),
    }),
  );
  const consent = new Consent(grants);

  store.add(servers.onDidExpose(exposure => activity.add(exposure)));
  store.add(new ChangedServers({ servers, folders, consent, logger }));
  store.add(reportSettingsProblems(logger));
  store.add(new ServersView(servers, consent, logger));
  store.add(
    vscode.window.registerTreeDataProvider(View.activity, store.add(new ActivityTree(activity))),
  );
  store.add(new StatusBar(servers));
  store.add(registerCommands({ logger, logs, folders, servers, grants, consent, activity }));

  // The last moment of the extension host, when there is no time left to wait for anything.
  const killAll = () => servers.killAll();
  process.once('exit', killAll);
  store.add(toDisposable(() => process.off('exit', killAll)));
  farewell = async () => {
    await servers.retireAll();
    await activity.flush();
  };

  servers.read();
  void activity.load();
  begin().catch(error => logger.error(error));

  async function begin(): Promise<void> {
    await folders.refresh();
    // From here on a folder counts as added: before, it was merely not looked at yet.
    store.add(new AddedFolders({ folders, servers, consent, logger }));
    store.add(vscode.workspace.onDidGrantWorkspaceTrust(startConsented));
    startConsented();
  }

  function startConsented(): void {
    if (settings.autoStart) {
      servers.startConsented();
    }
  }
}

function grantState({ workspaceState, globalState }: vscode.ExtensionContext): GrantState {
  // One global state serves all hosts, and `file:///workspace` is another folder on each.
  const { remoteName } = vscode.env;
  const host = remoteName ? `${remoteName}:${hostname()}` : '';
  return { workspace: workspaceState, global: globalState, host };
}

/** Settles when no server process is left and the activity log is on disk. */
export async function deactivate(): Promise<void> {
  await farewell?.();
}
