import type { ConfigurationRoute } from '../exposure.ts';
import type { Root } from '../roots.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';

/** The ways other than the protocol in which a server gets its roots. */
export function configurationRoutes(rootsAs: readonly RootsRoute[]): ConfigurationRoute[] {
  return rootsAs.filter(route => route !== 'roots');
}

/**
 * What a change means for a process as it was started: nothing, that it is not up to date (it knows
 * of too few folders, or works in one that it may not see any more), or that it was started with one
 * that was taken away.
 */
export type ConfigurationChange = 'none' | 'outdated' | 'lost';

/** How the roots a server may see now differ from those its process was started with. */
export function configurationChange(
  given: readonly Root[],
  now: readonly Root[],
): ConfigurationChange {
  const uris = now.map(({ uri }) => uri);
  if (given.some(({ uri }) => !uris.includes(uri))) {
    return 'lost';
  }
  // The first root is often the working directory, so that their order counts, too.
  return given.length === uris.length && given.every(({ uri }, index) => uri === uris[index])
    ? 'none'
    : 'outdated';
}
