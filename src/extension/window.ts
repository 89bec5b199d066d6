import { join } from 'node:path';
import type { DisposableStore } from '../base/disposable.ts';
import { ActivityFile } from './activity/activityFile.ts';
import { ActivityLog } from './activity/activityLog.ts';
import { StateRecorder } from './activity/stateRecorder.ts';
import { elicit, elicitationQuestions } from './commands/elicit.ts';
import { offerFolders } from './commands/offerFolders.ts';
import { ChangedServers } from './consent/changedServers.ts';
import { Consent } from './consent/consent.ts';
import { folderQuestions } from './consent/folderQuestions.ts';
import { OpenQuestions } from './consent/openQuestions.ts';
import { Toasts } from './consent/toasts.ts';
import { CandidateFolders } from './folders/candidateFolders.ts';
import { clientQuestions } from './gateway/clientQuestion.ts';
import { Clients } from './gateway/clients.ts';
import { Launcher, type Launchers } from './hub/launcher.ts';
import type { Logs } from './logs.ts';
import { Commands } from './registerCommand.ts';
import { AccessSource } from './servers/accessSource.ts';
import { bundledServer } from './servers/bundledServer.ts';
import { Elicitations } from './servers/elicitations.ts';
import { RootsChecks } from './servers/rootsChecks.ts';
import type { Server, ServerContext } from './servers/server.ts';
import { ServerIdentities } from './servers/serverIdentities.ts';
import { ServerLog } from './servers/serverLog.ts';
import { serverMemory } from './servers/serverMemory.ts';
import { Servers } from './servers/servers.ts';
import { ownerIn, serverStarts, targetContext } from './servers/windowTarget.ts';
import { settings } from './settings.ts';
import * as vscode from './vscode.ts';

/** The parts of a window that its features share. Each feature picks the ones that it takes. */
export type Window = ReturnType<typeof buildWindow>;

/** Builds the shared parts, which the store owns from then on. */
export function buildWindow(
  extension: vscode.ExtensionContext,
  store: DisposableStore,
  logs: Logs,
) {
  const { extensionUri, globalState } = extension;
  const logger = logs.extension;
  const editorFolder = userFolder(extension);
  const launchers = launchersIn(extension);
  const toasts = new Toasts(vscode);
  const { grants, records, secrets } = serverMemory(extension, store, logger);
  const activity = store.add(new ActivityLog(activityFile(extension), logger));
  const folders = store.add(new CandidateFolders(records, editorFolder));
  const identities = store.add(new ServerIdentities(globalState));
  const owner = ownerIn(store, logger);
  const target = targetContext(extension, owner);
  const { sandbox, openBrowser } = target;
  const asking = { toasts, extensionUri, logger, openBrowser };
  const elicitations = new Elicitations((server, params, signal, onAskNow) =>
    elicit(server, params, signal, onAskNow, asking),
  );
  const context: ServerContext = {
    accesses: store.add(new AccessSource(folders, grants)),
    identities,
    records,
    secrets,
    target,
    elicitations,
    starts: serverStarts(),
    logger,
    clientInfo: { name: 'mcp-roots', version: `${extension.extension.packageJSON.version}` },
    owner,
    logFor: definition => new ServerLog(() => logs.forServer(definition)),
    onExposure: exposure => activity.add(exposure),
  };
  const bundled = () => bundledServer(extension.extensionPath, settings);
  const servers = store.add(new Servers(bundled, context));
  const clients = store.add(new Clients(records, vscode.env.appName));
  const consent = new Consent(grants, activity, toasts);
  const questions = store.add(
    new OpenQuestions(servers, [
      store.add(new ChangedServers(servers, folders, consent, toasts, logger)),
      folderQuestions(servers, consent),
      elicitationQuestions(elicitations),
      clientQuestions(clients),
    ]),
  );
  return {
    extension,
    extensionUri,
    logs,
    logger,
    editorFolder,
    launchers,
    toasts,
    grants,
    records,
    secrets,
    activity,
    folders,
    identities,
    sandbox,
    openBrowser,
    elicitations,
    context,
    servers,
    clients,
    consent,
    questions,
    checks: new RootsChecks(context, logs),
    states: store.add(new StateRecorder(servers, activity)),
    commands: store.add(new Commands(logger, servers, clients)),
    /** Offers folders on disk to one server, and asks the user about them. */
    offer: (server: Server, paths: readonly string[]) =>
      offerFolders(server, paths, folders, consent, toasts, logger),
  };
}

/** The folder of the user's settings, of the editor's state and of the storage of extensions. */
function userFolder({ globalStorageUri }: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(globalStorageUri, '..', '..').fsPath;
}

/** `undefined`: no folder is open, and nothing is kept. */
function activityFile({ storageUri }: vscode.ExtensionContext): ActivityFile | undefined {
  return storageUri && new ActivityFile(storageUri.fsPath);
}

function launchersIn({ globalStorageUri, extensionPath }: vscode.ExtensionContext): Launchers {
  const launcher = (file: string, program: string) =>
    new Launcher(join(globalStorageUri.fsPath, 'hub', file), join(extensionPath, 'dist', program));
  return {
    hub: launcher('mcp-roots.cjs', 'server.js'),
    connector: launcher('connect.cjs', 'connect.js'),
  };
}
