import { askUntil } from './askUntil.ts';
import type { Hub, ListedServers, ListedTool } from './hub.ts';

/**
 * Asks `list-servers` again until the answer fits, and gives that answer: for changes without an
 * event, such as that the hub has read its changed configuration.
 *
 * @throws when no answer fits in time.
 */
export async function untilListed(
  hub: Pick<Hub, 'listServers'>,
  what: string,
  fits: (listed: ListedServers) => boolean,
): Promise<ListedServers> {
  const listed = await askUntil(() => hub.listServers(), fits);
  if (!fits(listed)) {
    throw new Error(`Waited in vain: ${what}. The last answer: ${JSON.stringify(listed)}`);
  }
  return listed;
}

/** The tools of a server that the hub starts for it, once it has come up: a list waits for it five seconds. */
export async function untilItHasTools(
  hub: Pick<Hub, 'listTools'>,
  serverName: string,
): Promise<readonly ListedTool[]> {
  const tools = await askUntil(
    () => hub.listTools({ serverName }),
    ({ length }) => length > 0,
  );
  if (tools.length === 0) {
    throw new Error(`Waited in vain for the tools of ${serverName}.`);
  }
  return tools;
}
