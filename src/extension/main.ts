import { hostname } from 'node:os';
import { join } from 'node:path';
import { DisposableStore, type IDisposable, toDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { ServerDefinition } from '../domain/servers/serverDefinition.ts';
import type { Sandbox } from '../mcp/sandbox/sandbox.ts';
import type { ProcessOwner } from '../mcp/stdio/processOwner.ts';
import { ActivityFile } from './activity/activityFile.ts';
import { ActivityLog } from './activity/activityLog.ts';
import { StateRecorder } from './activity/stateRecorder.ts';
import { registerCommands } from './commands/commands.ts';
import { elicit } from './commands/elicit.ts';
import type { OfferFolders } from './commands/offerFolder.ts';
import { offerFolders } from './commands/offerFolders.ts';
import { AddedFolders } from './consent/addedFolders.ts';
import { ChangedServers } from './consent/changedServers.ts';
import { Consent } from './consent/consent.ts';
import { type GrantState, GrantStore } from './consent/grantStore.ts';
import { OpenQuestions } from './consent/openQuestions.ts';
import { RestartOnChange } from './consent/restartOnChange.ts';
import { ServerChoices } from './consent/serverChoices.ts';
import { Toasts } from './consent/toasts.ts';
import { DefinitionFiles } from './definitionFiles/definitionFiles.ts';
import { CandidateFolders } from './folders/candidateFolders.ts';
import { OfferedFolders } from './folders/offeredFolders.ts';
import { ClientAnswers } from './gateway/clientAnswers.ts';
import { Clients } from './gateway/clients.ts';
import { openGateway } from './gateway/gateway.ts';
import { Launcher, type Launchers } from './hub/launcher.ts';
import { View } from './ids.ts';
import { Logs } from './logs.ts';
import { LastCalls } from './pages/lastCalls.ts';
import { Commands, reportFailure } from './registerCommand.ts';
import { askForInput } from './secrets/askForInput.ts';
import { ServerSecrets } from './secrets/serverSecrets.ts';
import { AccessSource } from './servers/accessSource.ts';
import { bundledServer } from './servers/bundledServer.ts';
import { Elicitations } from './servers/elicitations.ts';
import { loadClient, type OwnerIn } from './servers/loadClient.ts';
import { RootsChecks } from './servers/rootsChecks.ts';
import { SandboxHint } from './servers/sandboxHint.ts';
import type { Server, ServerContext } from './servers/server.ts';
import { ServerIdentities } from './servers/serverIdentities.ts';
import { ServerLog } from './servers/serverLog.ts';
import { serverStarts } from './servers/serverStarts.ts';
import { Servers } from './servers/servers.ts';
import type { SandboxSource, TargetContext } from './servers/serverTarget.ts';
import { showSandboxHint } from './servers/showSandboxHint.ts';
import { settings } from './settings.ts';
import { reportSettingsProblems } from './settingsProblems.ts';
import { ActivityTree } from './views/activityTree.ts';
import { Overview } from './views/overview.ts';
import { ServersView } from './views/serversView.ts';
import { StatusBar } from './views/statusBar.ts';
import * as vscode from './vscode.ts';

/** Ends the servers and writes the activity log: the work left for when the window closes. */
let farewell: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const store = new DisposableStore();
  context.subscriptions.push(store);

  const logs = store.add(new Logs());
  const logger = logs.extension;
  const editorFolder = userFolder(context);
  const state = grantState(context);
  const offered = store.add(new OfferedFolders(context.workspaceState));
  const folders = store.add(new CandidateFolders(offered, editorFolder));
  const grants = store.add(new GrantStore(state, logger));
  const secrets = new ServerSecrets(context.secrets, context.workspaceState);
  const identities = store.add(new ServerIdentities(context.globalState));
  const offers = store.add(new ServerChoices(context.workspaceState, 'offers'));
  const activityFile = context.storageUri && new ActivityFile(context.storageUri.fsPath);
  const activity = store.add(new ActivityLog(activityFile, logger));
  const clientInfo = { name: 'mcp-roots', version: `${context.extension.packageJSON.version}` };
  const owner = ownerIn(store, logger);
  const target = targetContext(context, owner);
  const accesses = store.add(new AccessSource(folders, grants));
  const toasts = new Toasts(vscode);
  const { extensionUri } = context;
  const asking = { toasts, extensionUri, logger, openBrowser: target.openBrowser };
  const elicitations = new Elicitations((server, params, signal, onAskNow) =>
    elicit(server, params, signal, onAskNow, asking),
  );
  const shared: ServerContext = {
    accesses,
    identities,
    offers,
    secrets,
    target,
    elicitations,
    starts: serverStarts(),
    logger,
    clientInfo,
    owner,
    logFor: definition => new ServerLog(() => logs.forServer(definition)),
    onExposure: exposure => activity.add(exposure),
  };
  const servers = store.add(new Servers(bundledDefinition(context), shared));
  const states = store.add(new StateRecorder(servers, activity));
  const answers = store.add(new ClientAnswers(context.workspaceState));
  const clients = store.add(new Clients(answers, offers, vscode.env.appName));
  const restartWishes = store.add(new ServerChoices(context.workspaceState, 'restartWishes'));
  const consent = new Consent(grants, restartWishes, activity, toasts);
  const choices = [offers, restartWishes];
  const lastCalls = store.add(new LastCalls(context.workspaceState));
  const memory = { grants, clientAnswers: answers, choices, offered, lastCalls, secrets };
  const checks = new RootsChecks({ clientInfo, owner }, logs);
  const launchers = launchersIn(context);
  const help = join(context.extensionPath, 'media', 'help');
  const offer: OfferFolders = (server, paths) =>
    offerFolders(server, paths, folders, consent, toasts, logger);

  const changed = store.add(new ChangedServers(servers, folders, consent, toasts, logger));
  const questions = store.add(new OpenQuestions(servers, clients, changed, elicitations));
  const overview = store.add(new Overview(servers, clients, questions));
  const activityTree = store.add(new ActivityTree(activity));
  const commands = new Commands(logger, servers, clients);
  const view = store.add(
    new ServersView(servers, clients, questions, consent, overview, offer, logger),
  );
  store.add(vscode.window.registerTreeDataProvider(View.activity, activityTree));
  store.add(new StatusBar(overview));
  store.add(
    registerCommands({
      commands,
      logger,
      logs,
      folders,
      servers,
      clients,
      grants,
      clientAnswers: answers,
      questions,
      view,
      offers,
      consent,
      toasts,
      activity,
      secrets,
      memory,
      identities,
      checks,
      elicitations,
      launchers,
      offer,
      editorFolder,
      extensionUri,
      helpPage: join(help, 'index.md'),
      sandbox: target.sandbox,
      extension: context.extension,
      openBrowser: target.openBrowser,
    }),
  );
  store.add(reportSettingsProblems(toasts, logger));
  store.add(new RestartOnChange(servers, restartWishes, toasts, logger));
  store.add(new SandboxHint(servers, showHint, context.globalState, logger));
  store.add(endWithWindow(servers, clients, checks, states, activity));

  void activity.load();
  void reportFailure(logger, begin);

  async function showHint(unkept: readonly Server[]): Promise<boolean> {
    return showSandboxHint(toasts, unkept, await target.sandbox(), join(help, 'sandbox.md'));
  }

  async function begin(): Promise<void> {
    await Promise.all([folders.refresh(), servers.refresh()]);
    // From here on a new folder counts as added: before, the disk had not been looked at yet.
    store.add(new AddedFolders(folders, servers, consent, logger));
    store.add(
      vscode.workspace.onDidGrantWorkspaceTrust(() => servers.refresh().then(startConsented)),
    );
    startConsented();
    // Not before: what they say of a server in a file that is open already is known only now.
    store.add(
      new DefinitionFiles({
        servers,
        questions,
        clients,
        editorFolder,
        launchers,
        keeping: { secrets, identities, editorFolder },
        sandbox: target.sandbox,
        logger,
      }),
    );
    await Promise.all([
      reportFailure(logger, openTheGateway),
      launchers.hub.refresh(),
      launchers.connector.refresh(),
    ]);
  }

  async function openTheGateway(): Promise<void> {
    const { connector } = launchers;
    clients.begin(
      await openGateway({
        servers,
        context: shared,
        commands,
        answers,
        activity,
        restarts: restartWishes,
        toasts,
        extension: context,
        connector: () => connector.prepare().then(() => connector.path),
      }),
    );
  }

  function startConsented(): void {
    if (settings.autoStart) {
      servers.startConsented();
    }
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

/** Makes the owner of the window's processes when the first one is about to start. */
function ownerIn(store: DisposableStore, logger: Logger): OwnerIn {
  let owner: ProcessOwner | undefined;
  return ({ ProcessOwner }) => {
    owner ??= store.add(new ProcessOwner('editor', logger));
    return owner;
  };
}

/** Where what sandboxed servers fetch is installed. */
function installedPlace({ globalStorageUri }: vscode.ExtensionContext): string {
  return join(globalStorageUri.fsPath, 'installed');
}

/** Makes the sandbox of this machine when the first server is about to start in it. */
function sandboxIn(context: vscode.ExtensionContext, owner: OwnerIn): SandboxSource {
  const { extensionPath, globalState } = context;
  let sandbox: Sandbox | undefined;
  const key = 'sandboxProofs';
  const proofs = () => globalState.get<readonly string[]>(key, []);
  return async () => {
    const bundle = await loadClient();
    const memory = {
      has: (proof: string) => proofs().includes(proof),
      add: (proof: string) => void globalState.update(key, [...proofs(), proof].slice(-mostProofs)),
    };
    sandbox ??= new bundle.Sandbox(bundle.ownAttacker(join(extensionPath, 'dist')), memory, {
      storage: installedPlace(context),
      owner: owner(bundle),
    });
    return sandbox;
  };
}

/** The last kernels and versions are enough: one that is met again is tried again. */
const mostProofs = 10;

function targetContext(context: vscode.ExtensionContext, owner: OwnerIn): TargetContext {
  return {
    sandbox: sandboxIn(context, owner),
    askForInput: async question => {
      const defined = settings.inputsFor(question.from).find(({ id }) => id === question.id);
      return askForInput(question, defined);
    },
    proxy: () => settings.proxy,
    rules: () => settings.rules,
    // The text itself, which the editor opens as it is. A `Uri` decodes the query and encodes it
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

/** Resolves when no server process is left and the activity log is on disk. */
export async function deactivate(): Promise<void> {
  await farewell?.();
}
