import type { Servers } from '../servers/servers.ts';

/** How many questions (server, folder) wait for the user's answer. A server that stands still asks none. */
export function countWaiting({ all }: Servers): number {
  const live = all.filter(({ isLive }) => isLive);
  return live.reduce((sum, { access }) => sum + access.waiting.length, 0);
}

/** How many servers run. */
export function countRunning({ all }: Servers): number {
  return all.filter(({ state }) => state.kind === 'running').length;
}

/** How many folders are visible to a server that runs. */
export function countVisible({ all }: Servers): number {
  const running = all.filter(({ state }) => state.kind === 'running');
  return new Set(running.flatMap(({ access }) => access.roots.map(({ uri }) => uri))).size;
}
