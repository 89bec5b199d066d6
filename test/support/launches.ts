import type { HttpLaunch, StdioLaunch } from '../../src/domain/servers/launch.ts';

/** A launch as a process of which only this is said. */
export function stdioLaunch(said: Partial<Omit<StdioLaunch, 'type'>> = {}): StdioLaunch {
  const nothing = { args: [], cwd: undefined, env: {}, envFile: undefined };
  return { type: 'stdio', command: 'files', ...nothing, ...said };
}

/** A server called at this URL. */
export function httpLaunch(url: string, headers: HttpLaunch['headers'] = {}): HttpLaunch {
  return { type: 'http', url, headers };
}
