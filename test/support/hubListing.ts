import { setTimeout as delay } from 'node:timers/promises';
import type { Hub, ListedServers } from './hub.ts';
import { patience } from './patience.ts';

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
  const end = performance.now() + patience;
  for (;;) {
    const listed = await hub.listServers();
    if (fits(listed)) {
      return listed;
    }
    if (performance.now() > end) {
      throw new Error(`Waited in vain: ${what}. The last answer: ${JSON.stringify(listed)}`);
    }
    await delay(50);
  }
}

/** What is listed when the roots are known: the list waits no longer than a second for them. */
export function listedWithRoots(hub: Pick<Hub, 'listServers'>): Promise<ListedServers> {
  const isOpen = (problem: string) => problem.endsWith('has not answered yet.');
  return untilListed(hub, 'the roots', ({ problems }) => !problems.some(isOpen));
}
