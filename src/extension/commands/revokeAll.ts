import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { ServerMemory } from '../servers/serverMemory.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/**
 * Withdraws everything that one server, or that all, were allowed, once the user has confirmed it, and
 * that any client or agent was allowed with it.
 *
 * @param only the id of that server.
 * @throws {HumanError} when nothing is allowed.
 */
export async function revokeAll(
  only: string | undefined,
  servers: Servers,
  { grants, records }: Pick<ServerMemory, 'grants' | 'records'>,
  activity: Pick<ActivityLog, 'add'>,
): Promise<void> {
  const granted = grants.all.filter(({ decision }) => decision === 'allowed');
  const allowed = new Set([...granted.map(({ serverId }) => serverId), ...records.allowedServers]);
  const ids = only === undefined ? [...allowed] : [only].filter(id => allowed.has(id));
  if (ids.length === 0) {
    throw new HumanError('Nothing is allowed, so there is nothing to revoke.');
  }
  const labels = ids.map(id => `"${labelOf(id, servers)}"`);
  if (await isRevocationConfirmed(labels.join(', '))) {
    for (const serverId of ids) {
      const serverLabel = labelOf(serverId, servers);
      activity.add({ kind: 'revoked', at: Date.now(), serverId, serverLabel });
    }
    await Promise.all([grants, records].map(each => each.revoke(ids)));
  }
}

/** A server that is not defined any more is known by the name that is in its id. */
function labelOf(id: string, { all }: Servers): string {
  const server = all.find(({ definition }) => definition.id === id);
  return server?.definition.label ?? printable(id.replace(/^\w+:/, ''));
}

async function isRevocationConfirmed(labels: string): Promise<boolean> {
  const revoke = t('Revoke');
  const question = t('Revoke every folder from {0}?', labels);
  const detail = t(
    'This holds in all workspaces. Running servers lose their folders and are stopped. You are asked again before a server sees a folder, and in this workspace before a client uses a server.',
  );
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(question, options, revoke)) === revoke;
}
