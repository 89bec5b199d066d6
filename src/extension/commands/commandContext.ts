import type { Logger } from '../../base/logger.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Consent } from '../consent/consent.ts';
import type { GrantStore } from '../consent/grantStore.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import type { HubFiles } from '../hub/hubFiles.ts';
import type { Logs } from '../logs.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';
import type { RootsChecks } from '../servers/rootsChecks.ts';
import type { ServerIdentities } from '../servers/serverIdentities.ts';
import type { Servers } from '../servers/servers.ts';

/** What commands work with. */
export interface CommandContext {
  readonly logger: Logger;
  readonly logs: Logs;
  readonly folders: CandidateFolders;
  readonly servers: Servers;
  readonly grants: GrantStore;
  readonly consent: Consent;
  readonly activity: ActivityLog;
  readonly secrets: ServerSecrets;
  readonly identities: ServerIdentities;
  /** Where the editor keeps what is the user's: the settings, and storage for extensions. */
  readonly editorFolder: string;
  readonly checks: RootsChecks;
  readonly hub: HubFiles;
}
