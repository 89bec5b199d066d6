import type { Logger } from '../../base/logger.ts';
import type { After } from '../after.ts';
import type { AuditLog } from './audit/auditLog.ts';
import type { ChildSets } from './children/childSets.ts';
import type { ConfigFile } from './config/configFile.ts';
import type { HeldCalls } from './session/heldCalls.ts';

/** What every session of a hub shares. */
export interface HubParts {
  readonly config: ConfigFile;
  readonly sets: ChildSets;
  readonly held: HeldCalls;
  readonly audit: AuditLog | undefined;
  /** Whether the tools, resources and prompts of the servers are offered as the hub's own. */
  readonly exposesTools: boolean;
  readonly logger: Logger;
  readonly after: After;
}
