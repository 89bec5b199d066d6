import { join } from 'node:path';
import type { DisposableStore } from '../base/disposable.ts';
import { ActivityFile } from './activity/activityFile.ts';
import { ActivityLog } from './activity/activityLog.ts';
import { elicit, elicitationQuestions } from './commands/elicit.ts';
import type { OfferFolders } from './commands/offerFolder.ts';
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
import type { ServerContext } from './servers/server.ts';
import { ServerIdentities } from './servers/serverIdentities.ts';
import { ServerLog } from './servers/serverLog.ts';
import { serverMemory } from './servers/serverMemory.ts';
import { serverStarts } from './servers/serverStarts.ts';
import { Servers } from './servers/servers.ts';
import { ownerIn, targetContext } from './servers/windowTarget.ts';
import { settings } from './settings.ts';
import { Overview } from './views/overview.ts';
import { ServersView } from './views/serversView.ts';
import * as vscode from './vscode.ts';

/** What the features of a window share. Each takes the parts that it needs. */
export type Window = ReturnType<typeof buildWindow>;

/** Builds the shared parts. No disk is looked at, and no server is started yet. */
export function buildWindow(
  extension: vscode.ExtensionContext,
  store: DisposableStore,
  logs: Logs,
) {
  const { extensionUri, extensionPath, storageUri, globalState } = extension;
  const logger = logs.extension;
  const editorFolder = userFolder(extension);
  const toasts = new Toasts(vscode);
  const memory = serverMemory(extension, store, logger);
  const { grants, records, secrets } = memory;
  const activityFile = storageUri && new ActivityFile(storageUri.fsPath);
  const activity = store.add(new ActivityLog(activityFile, logger));
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
  const servers = store.add(new Servers(() => bundledServer(extensionPath, settings), context));
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
  const offer: OfferFolders = (server, paths) =>
    offerFolders(server, paths, folders, consent, toasts, logger);
  const overview = store.add(new Overview(servers, clients, questions));
  return {
    ...asking,
    extension,
    context,
    logs,
    /** Where the editor keeps the user's settings and the storage of extensions. */
    editorFolder,
    keeping: { secrets, identities, editorFolder },
    memory,
    grants,
    records,
    sandbox,
    folders,
    servers,
    clients,
    consent,
    questions,
    elicitations,
    activity,
    checks: new RootsChecks(context, logs),
    launchers: launchersIn(extension),
    commands: new Commands(logger, servers, clients),
    offer,
    overview,
    view: store.add(new ServersView(servers, clients, questions, consent, overview, offer, logger)),
  };
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
