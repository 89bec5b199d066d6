import type { ConfigurationRoute } from '../exposure.ts';
import type { Root } from '../roots.ts';
import type { RootsRoute } from '../servers/serverDefinition.ts';

/** The ways other than the protocol in which a server gets its roots. */
export function configurationRoutes(rootsAs: readonly RootsRoute[]): ConfigurationRoute[] {
  return rootsAs.filter(route => route !== 'roots');
}

/**
 * What a change means for a process that was started with `given`: nothing, that it knows of too
 * few folders, or that it knows of one that it may not see any more.
 */
export type ConfigurationChange = 'none' | 'gained' | 'lost';

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
    : 'gained';
}
