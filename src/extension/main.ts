import { hostname } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, toDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { ProcessOwner } from '../mcp/stdio/processOwner.ts';
import { ActivityFile } from './activity/activityFile.ts';
import { ActivityLog } from './activity/activityLog.ts';
import type { CommandContext } from './commands/commandContext.ts';
import { registerCommands } from './commands/commands.ts';
import { offerFolders } from './commands/offerFolders.ts';
import { AddedFolders } from './consent/addedFolders.ts';
import { ChangedServers } from './consent/changedServers.ts';
import { Consent } from './consent/consent.ts';
import { type GrantState, GrantStore } from './consent/grantStore.ts';
import { RestartOnChange } from './consent/restartOnChange.ts';
import { RestartWishes } from './consent/restartWishes.ts';
import { CandidateFolders } from './folders/candidateFolders.ts';
import { OfferedFolders } from './folders/offeredFolders.ts';
import { HubFiles } from './hub/hubFiles.ts';
import { View } from './ids.ts';
import { Logs } from './logs.ts';
import { askForInput } from './secrets/askForInput.ts';
import { ServerSecrets } from './secrets/serverSecrets.ts';
import { AccessSource } from './servers/accessSource.ts';
import { bundledServer } from './servers/bundledServer.ts';
import type { OwnerIn } from './servers/clientBundle.ts';
import { editorRipgrep } from './servers/editorRipgrep.ts';
import { RootsChecks } from './servers/rootsChecks.ts';
import { ServerIdentities } from './servers/serverIdentities.ts';
import { ServerLog } from './servers/serverLog.ts';
import { serverStarts } from './servers/serverStarts.ts';
import { Servers } from './servers/servers.ts';
import type { TargetContext } from './servers/serverTarget.ts';
import { settings } from './settings.ts';
import { reportSettingsProblems } from './settingsProblems.ts';
import { ActivityTree } from './views/activityTree.ts';
import { FolderDrop } from './views/folderDrop.ts';
import { Overview } from './views/overview.ts';
import { ServersView } from './views/serversView.ts';
import { StatusBar } from './views/statusBar.ts';

/** What must still be done when the window closes. */
let farewell: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);

  const logs = store.add(new Logs());
  const logger = logs.extension;
  const offered = store.add(new OfferedFolders(context.workspaceState));
  const editorFolder = userFolder(context);
  const folders = store.add(new CandidateFolders({ offered, editorStorage: [editorFolder] }));
  const grants = store.add(new GrantStore(grantState(context), logger));
  const secrets = new ServerSecrets(context.secrets, context.workspaceState);
  const identities = store.add(new ServerIdentities(context.globalState));
  const activityFile = context.storageUri && new ActivityFile(context.storageUri.fsPath);
  const activity = store.add(new ActivityLog(activityFile, logger));
  const ripgrep = editorRipgrep(vscode.env.appRoot, process);
  const files = { extensionPath: context.extensionPath, ripgrep };
  const clientInfo = {
    name: 'mcp-roots',
    version: String(context.extension.packageJSON.version),
  };
  const owner = ownerIn(store, logger);
  const servers = store.add(
    new Servers(() => bundledServer(files, settings), {
      accesses: store.add(new AccessSource(folders, grants)),
      identities,
      secrets,
      target: targetContext(),
      starts: serverStarts(),
      logger,
      clientInfo,
      owner,
      logFor: definition => new ServerLog(() => logs.forServer(definition)),
    }),
  );
  const restartWishes = store.add(new RestartWishes(context.workspaceState));
  const consent = new Consent(grants, restartWishes);
  const checks = new RootsChecks({ clientInfo, owner }, logs);
  const overview = store.add(new Overview(servers));
  const hub = hubFiles(context);
  const commands: CommandContext = {
    logger,
    logs,
    folders,
    servers,
    grants,
    consent,
    activity,
    secrets,
    identities,
    editorFolder,
    checks,
    hub,
  };
  const drop = new FolderDrop((server, paths) => offerFolders(server, paths, commands), logger);

  store.add(servers.onDidExpose(exposure => activity.add(exposure)));
  const changed = store.add(new ChangedServers({ servers, folders, consent, logger }));
  store.add(new RestartOnChange(servers, restartWishes, logger));
  store.add(reportSettingsProblems(logs.extension));
  store.add(new ServersView({ servers, consent, overview, drop, logger }));
  store.add(
    vscode.window.registerTreeDataProvider(View.activity, store.add(new ActivityTree(activity))),
  );
  store.add(new StatusBar(overview));
  store.add(registerCommands(commands));

  // The last moment of the extension host, when there is no time left to wait for anything.
  const killAll = () => {
    servers.killAll();
    checks.killAll();
  };
  process.once('exit', killAll);
  store.add(toDisposable(() => process.off('exit', killAll)));
  farewell = async () => {
    await Promise.all([servers.retireAll(), checks.endAll()]);
    await activity.flush();
  };

  servers.read();
  void activity.load();
  begin().catch(error => logger.error(error));

  async function begin(): Promise<void> {
    await Promise.all([folders.refresh(), servers.refresh()]);
    // From here on a folder counts as added: before, it was merely not looked at yet.
    store.add(new AddedFolders({ folders, servers, consent, logger }));
    store.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => servers.refresh().then(startConsented)),
    );
    startConsented();
    await hub.refresh();
  }

  function startConsented(): void {
    if (settings.autoStart) {
      servers.startConsented();
      changed.askAboutEarlierAnswers();
    }
  }
}

/** Where this editor keeps settings, state and what extensions store. */
function userFolder({ globalStorageUri }: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(globalStorageUri, '..', '..').fsPath;
}

function hubFiles({ globalStorageUri, extensionPath }: vscode.ExtensionContext): HubFiles {
  return new HubFiles(
    join(globalStorageUri.fsPath, 'hub'),
    join(extensionPath, 'dist', 'server.js'),
  );
}

/** Makes the owner of the window's processes with the first of them. */
function ownerIn(store: DisposableStore, logger: Logger): OwnerIn {
  let owner: ProcessOwner | undefined;
  return ({ ProcessOwner }) => {
    owner ??= store.add(new ProcessOwner('editor', logger));
    return owner;
  };
}

function targetContext(): TargetContext {
  return {
    askForInput: question =>
      askForInput(
        question,
        settings.inputsFor(question.from).find(({ id }) => id === question.id),
      ),
    proxy: () => settings.proxy,
    // The text itself, which the editor opens as it stands. A `Uri` decodes the query and encodes it
    // another way: `%26` within a parameter becomes `&`, and ends it.
    openBrowser: async url => vscode.env.openExternal(url as unknown as vscode.Uri),
  };
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
