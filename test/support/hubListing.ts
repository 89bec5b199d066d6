import { askUntil } from './askUntil.ts';
import type { Hub, ListedServers, ListedTool } from './hub.ts';

/**
 * Asks `list-servers` again and again until the answer fits, and gives that answer: for what no event
 * tells a client of, such as that the hub has seen a change of its configuration.
 *
 * @throws when it does not fit in time.
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
