import { printable } from '../../domain/printable.ts';
import { shown } from '../../domain/shown.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { ServerRecords } from '../records/serverRecords.ts';
import type { Confirmation, Screen } from '../screen.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { listed, shortLabel } from '../shownNames.ts';
import { t } from '../text.ts';

/**
 * After a confirmation, withdraws the permissions of some or all servers, and of clients and agents
 * for these servers. The confirmation can't list permissions in other workspaces.
 */
export async function revokeAll(
  only: readonly Server[] | undefined,
  servers: Servers,
  records: Pick<ServerRecords, 'allowedServers' | 'revoke'>,
  activity: Pick<ActivityLog, 'add'>,
  screen: Screen,
): Promise<void> {
  const own = only?.map(({ definition }) => definition.id);
  const ids = own ?? [...new Set(records.allowedServers)];
  const labels = listed(ids.map(id => shortLabel({ label: labelOf(id, servers) })));
  if (await screen.confirm(...revocationOf(only === undefined, labels))) {
    for (const serverId of ids) {
      const serverLabel = labelOf(serverId, servers);
      activity.add({ kind: 'revoked', at: Date.now(), serverId, serverLabel });
    }
    await Promise.all((own ?? [undefined]).map(id => records.revoke(id)));
  }
}

/** The name of a server. If the server is no longer defined, its id contains the name. */
function labelOf(id: string, { all }: Servers): string {
  const server = all.find(({ definition }) => definition.id === id);
  return server?.definition.label ?? printable(id.replace(/^\w+:/, ''));
}

function revocationOf(isOfAll: boolean, labels: string): Confirmation {
  const question = isOfAll
    ? t('Revoke everything that you allowed for any server?')
    : t('Revoke every folder from {0}?', labels);
  const known = isOfAll && labels !== '' ? [t('Allowed in this window: {0}.', labels)] : [];
  const scope = t(
    'This applies to all workspaces. Running servers lose their folders and are stopped. You are asked again before a server sees a folder, and before a client uses a server.',
  );
  return [question, shown([...known, scope].join('\n')), t('Revoke')];
}
