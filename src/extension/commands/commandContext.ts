import type { Logger } from '../../base/logger.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { Consent } from '../consent/consent.ts';
import type { GrantStore } from '../consent/grantStore.ts';
import type { WorkspaceFolders } from '../folders/workspaceFolders.ts';
import type { Logs } from '../logs.ts';
import type { Servers } from '../servers/servers.ts';

/** What commands work with. */
export interface CommandContext {
  readonly logger: Logger;
  readonly logs: Logs;
  readonly folders: WorkspaceFolders;
  readonly servers: Servers;
  readonly grants: GrantStore;
  readonly consent: Consent;
  readonly activity: ActivityLog;
}
