import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Consent } from '../consent/consent.ts';
import type { GrantStore } from '../consent/grantStore.ts';
import type { ServerChoices } from '../consent/serverChoices.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import type { ClientAnswers } from '../gateway/clientAnswers.ts';
import type { Launchers } from '../hub/launcher.ts';
import type { Logs } from '../logs.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';
import type { Elicitations } from '../servers/elicitations.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { ServerIdentities } from '../servers/serverIdentities.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import { registerAddServer, registerImportServers } from './addingCommands.ts';
import {
  registerAllowFolders,
  registerCopyRootUri,
  registerRevealRoot,
  registerRevokeAll,
  registerRevokeFolders,
} from './folderCommands.ts';
import { type OfferFolders, registerOfferFolder } from './offerFolder.ts';
import { ResultDocuments } from './resultDocuments.ts';
import {
  registerCallTool,
  registerCheckRootsSupport,
  registerForgetSecrets,
  registerLetRead,
  registerRestartServer,
  registerReviewAccess,
  registerShowLog,
  registerStartServer,
  registerStopServer,
  registerUpdateServer,
} from './serverCommands.ts';
import {
  registerConnectClient,
  registerExportActivity,
  registerHelp,
  registerOpenHubConfig,
  registerShowActivity,
} from './windowCommands.ts';

/** The objects of a window that its commands work on. */
interface Window {
  readonly logger: Logger;
  readonly logs: Logs;
  readonly folders: CandidateFolders;
  readonly servers: Servers;
  readonly grants: GrantStore;
  readonly clientAnswers: ClientAnswers;
  readonly offers: ServerChoices;
  readonly consent: Consent;
  readonly activity: ActivityLog;
  readonly secrets: ServerSecrets;
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
}

/** Registers every command. They are there always, and answer with a reason when they can't run. */
export function registerCommands(window: Window): IDisposable {
  const { logger, logs, folders, servers, grants, consent, activity, elicitations } = window;
  const {
    clientAnswers,
    offers,
    secrets,
    identities,
    checks,
    launchers,
    offer,
    editorFolder,
    helpPage,
    sandbox,
  } = window;
  const store = new DisposableStore();
  const results = store.add(new ResultDocuments());
  store.add(registerAddServer(logger, servers, { secrets, identities }, sandbox));
  store.add(registerImportServers(logger, editorFolder, { secrets, identities }, sandbox));
  store.add(registerStartServer(logger, servers, folders, consent));
  store.add(registerStopServer(logger, servers));
  store.add(registerRestartServer(logger, servers, folders, consent));
  store.add(registerUpdateServer(logger, servers, folders, consent, sandbox));
  store.add(registerReviewAccess(logger, servers, folders, consent));
  store.add(registerRevokeAll(logger, servers, grants, [clientAnswers, offers], activity));
  store.add(registerAllowFolders(logger, consent));
  store.add(registerRevokeFolders(logger, consent));
  store.add(registerCallTool(logger, servers, results, elicitations));
  store.add(registerCheckRootsSupport(logger, servers, checks, results, activity));
  store.add(registerLetRead(logger, servers, consent, { secrets, identities }));
  store.add(registerShowLog(logger, servers, logs));
  store.add(registerForgetSecrets(logger, servers, secrets));
  store.add(registerShowActivity(logger));
  store.add(registerExportActivity(logger, activity));
  store.add(registerCopyRootUri(logger, folders));
  store.add(registerRevealRoot(logger, folders));
  store.add(registerOfferFolder(logger, servers, folders, offer));
  store.add(registerOpenHubConfig(logger, servers, launchers));
  store.add(registerConnectClient(logger, servers, launchers));
  store.add(registerHelp(logger, helpPage));
  return store;
}
