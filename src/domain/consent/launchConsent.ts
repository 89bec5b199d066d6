import { boundLess, type IdentityFields } from '../servers/serverIdentity.ts';
import type { Grant } from './grants.ts';

/** Stands in the place of a folder in the answer on whether a server may be started at all. */
export const launchSubject = 'mcp-roots:launch';

/**
 * Whether the user agreed to start a server as it is, having been shown how. Allowing it folders, by
 * a tick for example, is no such answer: that does not show what is run.
 */
export function isLaunchAllowed(
  grants: readonly Grant[],
  { serverId, identity }: Pick<Grant, 'serverId' | 'identity'>,
): boolean {
  const own = grants.filter(
    grant =>
      grant.serverId === serverId && grant.identity === identity && grant.folder === launchSubject,
  );
  return own.length > 0 && own.every(({ decision }) => decision === 'allowed');
}

/**
 * Whether the user agreed to start a server before answers were bound to everything that it is
 * started with, and has not said anything on its start since.
 */
export function isAskedOnceMore(grants: readonly Grant[], serverId: string): boolean {
  const own = grants.filter(grant => grant.serverId === serverId && grant.folder === launchSubject);
  return own.length > 0 && own.every(({ fields }) => boundLess(fields));
}

/**
 * What a server was when the user last answered on it, if that was never on what it is now. Where
 * its start was ever agreed to, only such answers count.
 */
export function formerFields(
  grants: readonly Grant[],
  serverId: string,
  identity: string,
): IdentityFields | undefined {
  const own = grants.filter(grant => grant.serverId === serverId);
  const launches = own.filter(({ folder }) => folder === launchSubject);
  const telling = launches.length > 0 ? launches : own;
  const isKnown = telling.some(grant => grant.identity === identity);
  return isKnown ? undefined : telling.sort((a, b) => b.at - a.at)[0]?.fields;
}
