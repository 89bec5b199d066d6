import { dirname, join } from 'node:path';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Consent } from '../consent/consent.ts';
import type { ServerChoices } from '../consent/serverChoices.ts';
import type { Toasts } from '../consent/toasts.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import type { ClientAnswers } from '../gateway/clientAnswers.ts';
import type { Launchers } from '../hub/launcher.ts';
import { Command } from '../ids.ts';
import type { Logs } from '../logs.ts';
import type { AccessWindow } from '../pages/accessPage.ts';
import type { Commands } from '../registerCommand.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';
import type { Elicitations } from '../servers/elicitations.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { ServerIdentities } from '../servers/serverIdentities.ts';
import type { ServerMemory } from '../servers/serverMemory.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import type { ServersView } from '../views/serversView.ts';
import type * as vscode from '../vscode.ts';
import {
  registerAllowFolders,
  registerRevealRoot,
  registerRevokeAll,
  registerRevokeFolders,
} from './folderCommands.ts';
import { type OfferFolders, registerOfferFolder } from './offerFolder.ts';
import { registerReportIssue } from './reportIssue.ts';
import { ResultDocuments } from './resultDocuments.ts';
import {
  registerCallTool,
  registerCheckRootsSupport,
  registerForgetSecrets,
  registerLetRead,
  registerRemedies,
  registerRestartServer,
  registerReviewAccess,
  registerServerLife,
  registerShowLog,
  registerStartServer,
  registerStopServer,
  registerUpdateServer,
} from './serverCommands.ts';
import {
  registerConnectClient,
  registerExportActivity,
  registerFilterServers,
  registerHelp,
  registerOpenHubConfig,
  registerShowAccess,
  registerShowActivity,
  registerShowStatus,
} from './windowCommands.ts';

/** The objects of a window that its commands work on. */
interface Window extends AccessWindow {
  readonly commands: Commands;
  readonly logs: Logs;
  readonly folders: CandidateFolders;
  readonly clientAnswers: ClientAnswers;
  readonly view: ServersView;
  readonly offers: ServerChoices;
  readonly consent: Consent;
  readonly toasts: Toasts;
  readonly activity: ActivityLog;
  readonly secrets: ServerSecrets;
  readonly memory: ServerMemory;
  readonly identities: ServerIdentities;
  readonly checks: RootsChecks;
  readonly elicitations: Elicitations;
  readonly launchers: Launchers;
  readonly offer: OfferFolders;
  /** Where the editor keeps the user's settings and the storage of extensions. */
  readonly editorFolder: string;
  /** The path of the first page of the manuals. */
  readonly helpPage: string;
  readonly sandbox: SandboxSource;
  readonly extension: vscode.Extension<unknown>;
  /** Whether it could be opened. */
  readonly openBrowser: (url: string) => Promise<boolean>;
}

/** Registers every command. They are there always, and answer with a reason when they can't run. */
export function registerCommands(window: Window): IDisposable {
  const { commands, logs, folders, servers, grants, consent, activity } = window;
  const {
    clientAnswers,
    questions,
    view,
    offers,
    secrets,
    identities,
    checks,
    launchers,
    toasts,
    offer,
    editorFolder,
    helpPage,
    sandbox,
  } = window;
  const { lastCalls } = window.memory;
  const keeping = { secrets, identities, editorFolder };
  const store = new DisposableStore();
  const results = store.add(new ResultDocuments());
  store.add(registerServerLife(commands, { ...window, keeping }));
  store.add(registerStartServer(window));
  store.add(registerStopServer(commands, servers, view));
  store.add(registerRestartServer(window));
  store.add(registerUpdateServer(window, sandbox));
  store.add(registerReviewAccess(commands, servers, folders, consent));
  store.add(registerRevokeAll(commands, servers, grants, [clientAnswers, offers], activity));
  store.add(registerShowAccess(commands, window));
  store.add(registerAllowFolders(commands, consent));
  store.add(registerRevokeFolders(commands, consent));
  store.add(registerCallTool(commands, { ...window, lastCalls, results }));
  store.add(registerCheckRootsSupport(commands, servers, checks, results, activity, toasts));
  store.add(registerRemedies({ ...window, keeping }));
  store.add(registerLetRead(commands, servers, consent, keeping));
  store.add(registerShowLog(commands, servers, logs));
  store.add(registerForgetSecrets(commands, servers, secrets));
  store.add(registerShowActivity(commands));
  store.add(registerExportActivity(commands, activity));
  store.add(registerRevealRoot(commands, folders));
  store.add(registerOfferFolder(commands, servers, folders, offer));
  store.add(registerOpenHubConfig(commands, servers, launchers));
  store.add(registerConnectClient(commands, servers, launchers));
  store.add(registerHelp(commands, Command.help, helpPage));
  const sandboxPage = join(dirname(helpPage), 'sandbox.md');
  store.add(registerHelp(commands, Command.sandboxHelp, sandboxPage));
  store.add(registerReportIssue(commands, servers, window.extension));
  store.add(registerFilterServers(commands, view));
  store.add(registerShowStatus(commands, { servers, questions, consent }));
  return store;
}
