import { join } from 'node:path';
import { DisposableStore, type IDisposable, toDisposable } from '../base/disposable.ts';
import type { ServerDefinition } from '../domain/servers/serverDefinition.ts';
import { ActivityFile } from './activity/activityFile.ts';
import { ActivityLog } from './activity/activityLog.ts';
import { StateRecorder } from './activity/stateRecorder.ts';
import { registerCallCommands } from './commands/callCommands.ts';
import { registerDefinitionCommands } from './commands/definitionCommands.ts';
import { elicit, elicitationQuestions } from './commands/elicit.ts';
import { registerFolderCommands } from './commands/folderCommands.ts';
import type { OfferFolders } from './commands/offerFolder.ts';
import { offerFolders } from './commands/offerFolders.ts';
import { registerServerCommands } from './commands/serverCommands.ts';
import {
  registerAccessCommands,
  registerConnectCommands,
  registerHelpCommands,
  registerViewCommands,
} from './commands/windowCommands.ts';
import { AddedFolders } from './consent/addedFolders.ts';
import { ChangedServers } from './consent/changedServers.ts';
import { Consent } from './consent/consent.ts';
import { folderQuestions } from './consent/folderQuestions.ts';
import { OpenQuestions } from './consent/openQuestions.ts';
import { Toasts } from './consent/toasts.ts';
import { DefinitionFiles } from './definitionFiles/definitionFiles.ts';
import { CandidateFolders } from './folders/candidateFolders.ts';
import { clientQuestions } from './gateway/clientQuestion.ts';
import { Clients } from './gateway/clients.ts';
import { openGateway } from './gateway/gateway.ts';
import { Launcher, type Launchers } from './hub/launcher.ts';
import { View } from './ids.ts';
import { Logs } from './logs.ts';
import { Commands, reportFailure } from './registerCommand.ts';
import { AccessSource } from './servers/accessSource.ts';
import { bundledServer } from './servers/bundledServer.ts';
import { Elicitations } from './servers/elicitations.ts';
import { RootsChecks } from './servers/rootsChecks.ts';
import type { ServerContext } from './servers/server.ts';
import { ServerIdentities } from './servers/serverIdentities.ts';
import { ServerLog } from './servers/serverLog.ts';
import { serverMemory } from './servers/serverMemory.ts';
import { serverStarts } from './servers/serverStarts.ts';
import { Servers } from './servers/servers.ts';
import { ownerIn, targetContext } from './servers/windowTarget.ts';
import { settings } from './settings.ts';
import { reportSettingsProblems } from './settingsProblems.ts';
import { ActivityTree } from './views/activityTree.ts';
import { Overview } from './views/overview.ts';
import { ServersView } from './views/serversView.ts';
import { StatusBar } from './views/statusBar.ts';
import * as vscode from './vscode.ts';

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
  const { extension, extensionUri, storageUri, globalState } = context;
  const logger = logs.extension;
  const editorFolder = userFolder(context);
  const launchers = launchersIn(context);
  const toasts = new Toasts(vscode);
  const memory = serverMemory(context, store, logger);
  const { grants, records, secrets } = memory;
  const activityFile = storageUri && new ActivityFile(storageUri.fsPath);
  const activity = store.add(new ActivityLog(activityFile, logger));
  const folders = store.add(new CandidateFolders(records, editorFolder));
  const identities = store.add(new ServerIdentities(globalState));
  const keeping = { secrets, identities, editorFolder };
  const owner = ownerIn(store, logger);
  const target = targetContext(context, owner);
  const { sandbox, openBrowser } = target;
  const asking = { toasts, extensionUri, logger, openBrowser };
  const elicitations = new Elicitations((server, params, signal, onAskNow) =>
    elicit(server, params, signal, onAskNow, asking),
  );
  const shared: ServerContext = {
    accesses: store.add(new AccessSource(folders, grants)),
    identities,
    records,
    secrets,
    target,
    elicitations,
    starts: serverStarts(),
    logger,
    clientInfo: { name: 'mcp-roots', version: `${extension.packageJSON.version}` },
    owner,
    logFor: definition => new ServerLog(() => logs.forServer(definition)),
    onExposure: exposure => activity.add(exposure),
  };
  const servers = store.add(new Servers(bundledDefinition(context), shared));
  const clients = store.add(new Clients(records, vscode.env.appName));
  const consent = new Consent(grants, activity, toasts);
  const changed = store.add(new ChangedServers(servers, folders, consent, toasts, logger));
  const questions = store.add(
    new OpenQuestions(servers, [
      changed,
      folderQuestions(servers, consent),
      elicitationQuestions(elicitations),
      clientQuestions(clients),
    ]),
  );
  const checks = new RootsChecks(shared, logs);
  const states = store.add(new StateRecorder(servers, activity));
  store.add(endWithWindow(servers, clients, checks, states, activity));

  const commands = new Commands(logger, servers, clients);
  const offer: OfferFolders = (server, paths) =>
    offerFolders(server, paths, folders, consent, toasts, logger);
  const overview = store.add(new Overview(servers, clients, questions));
  const view = store.add(
    new ServersView(servers, clients, questions, consent, overview, offer, logger),
  );
  store.add(
    vscode.window.registerTreeDataProvider(View.activity, store.add(new ActivityTree(activity))),
  );
  store.add(new StatusBar(overview));
  store.add(registerViewCommands(commands, view, activity, { servers, questions, consent }));
  store.add(registerFolderCommands(commands, servers, folders, consent, offer));
  const access = { servers, clients, grants, questions, consent, extensionUri, logger };
  store.add(registerAccessCommands(commands, access, memory, activity));
  const start = { commands, logger, servers, folders, consent, toasts, view };
  store.add(registerServerCommands(start, sandbox, logs));
  const definitions = { servers, clients, keeping, memory, sandbox, logs, view, toasts };
  store.add(registerDefinitionCommands(commands, definitions, consent));
  const calls = { servers, elicitations, toasts, records, extensionUri, logger, openBrowser };
  store.add(registerCallCommands(commands, calls, checks, activity));
  store.add(registerConnectCommands(commands, servers, launchers));
  store.add(registerHelpCommands(commands, servers, extension));
  store.add(reportSettingsProblems(toasts, logger));

  void activity.load();
  await Promise.all([folders.refresh(), servers.refresh()]);
  // From here on a new folder counts as added: before, the disk had not been looked at yet.
  store.add(new AddedFolders(folders, servers, consent, logger));
  store.add(
    vscode.workspace.onDidGrantWorkspaceTrust(() =>
      servers.refresh().then(() => startConsented(servers)),
    ),
  );
  startConsented(servers);
  // Not before: what they say of a server in a file that is open already is known only now.
  store.add(
    new DefinitionFiles({
      servers,
      questions,
      clients,
      editorFolder,
      launchers,
      keeping,
      sandbox,
      logger,
    }),
  );
  const { hub, connector } = launchers;
  const gateway = {
    servers,
    context: shared,
    commands,
    activity,
    toasts,
    extension: context,
    connector: () => connector.prepare().then(() => connector.path),
  };
  await Promise.all([
    reportFailure(logger, async () => clients.begin(await openGateway(gateway))),
    hub.refresh(),
    connector.refresh(),
  ]);
}

function startConsented(servers: Servers): void {
  if (settings.autoStart) {
    servers.startConsented();
  }
}

/** Ends with the window what runs in it: in time when it is closed, at once when the host exits. */
function endWithWindow(
  servers: Servers,
  clients: Clients,
  checks: RootsChecks,
  states: StateRecorder,
  activity: ActivityLog,
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

/** The definition of the bundled server, as the settings are when it is called. */
function bundledDefinition({ extensionPath }: vscode.ExtensionContext): () => ServerDefinition {
  return () => bundledServer(extensionPath, settings);
}

/** The folder of the user's settings, of the editor's state and of the storage of extensions. */
function userFolder({ globalStorageUri }: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(globalStorageUri, '..', '..').fsPath;
}

function launchersIn({ globalStorageUri, extensionPath }: vscode.ExtensionContext): Launchers {
  const launcher = (file: string, program: string) =>
    new Launcher(join(globalStorageUri.fsPath, 'hub', file), join(extensionPath, 'dist', program));
  return {
    hub: launcher('mcp-roots.cjs', 'server.js'),
    connector: launcher('connect.cjs', 'connect.js'),
  };
}

/** Resolves when no server process is left and the activity log is on disk. */
export async function deactivate(): Promise<void> {
  await farewell?.();
}
