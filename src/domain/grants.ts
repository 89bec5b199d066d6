import type { IdentityFields } from './serverIdentity.ts';

/** The user's standing answer on one folder for one server. Nothing said means `undecided`. */
export type Decision = 'allowed' | 'denied' | 'undecided';

/** How long an answer holds: until the window closes, in this workspace, or everywhere. */
export type GrantScope = 'session' | 'workspace' | 'always';

/** One answer of the user for (server identity, folder). */
export interface Grant {
  readonly serverId: string;
  /** The identity the user saw when answering. The grant holds for no other. */
  readonly identity: string;
  /** What that identity was made of, so that a later change can be shown. */
  readonly fields: IdentityFields;
  /** The folder's URI. */
  readonly folder: string;
  readonly decision: 'allowed' | 'denied';
  readonly scope: GrantScope;
  /** When the user answered, in milliseconds since 1970. */
  readonly at: number;
}

/** What the grants say on one folder for one server identity: deny beats allow, silence is neither. */
export function decide(grants: readonly Grant[], identity: string, folder: string): Decision {
  const decisions = grants
    .filter(grant => grant.identity === identity && grant.folder === folder)
    .map(({ decision }) => decision);
  if (decisions.includes('denied')) {
    return 'denied';
  }
  return decisions.includes('allowed') ? 'allowed' : 'undecided';
}

/** Of how many forms that a server had, answers are kept. */
const formsKept = 8;

/**
 * The grants with a new answer, in the place of every earlier one on the same folder for the same
 * identity. Answers on what the server was before stay, for when it becomes that again.
 *
 * Withdrawing a permission withdraws it from all that the server ever was, and not only from what
 * it is now. Refusing it to a server that has changed leaves the earlier answers alone.
 */
export function answer(grants: readonly Grant[], next: Grant): Grant[] {
  const { serverId, identity, folder, decision } = next;
  const isWithdrawn = decision === 'denied' && decide(grants, identity, folder) === 'allowed';
  const isOnThis = (grant: Grant) => grant.serverId === serverId && grant.folder === folder;
  const former = grants
    .filter(grant => isOnThis(grant) && grant.identity !== identity)
    .filter(grant => !(isWithdrawn && grant.decision === 'allowed'))
    .sort((a, b) => b.at - a.at)
    .slice(0, formsKept - 1);
  return [...grants.filter(grant => !isOnThis(grant)), ...former, next];
}

/** When everything a server was allowed was withdrawn, by server id, in milliseconds since 1970. */
export type Revocations = Readonly<Record<string, number>>;

/** The grants without the permissions that were given before they were all withdrawn. Refusals stay. */
export function standing(
  grants: readonly Grant[],
  revocations: Revocations | undefined,
): readonly Grant[] {
  return grants.filter(
    ({ serverId, decision, at }) =>
      decision === 'denied' || (revocations && at > (revocations[serverId] ?? 0)),
  );
}

/** Reads stored revocations; `undefined` when they can't be understood, and then nothing stands. */
export function readRevocations(stored: unknown): Revocations | undefined {
  const isMap = typeof stored === 'object' && stored !== null;
  const isReadable = isMap && Object.values(stored).every(time => typeof time === 'number');
  return isReadable ? (stored as Revocations) : stored === undefined ? {} : undefined;
}

/** What the server was when the user last answered, if none of the answers is on what it is now. */
export function formerFields(
  grants: readonly Grant[],
  serverId: string,
  identity: string,
): IdentityFields | undefined {
  const own = grants.filter(grant => grant.serverId === serverId);
  const isKnown = own.some(grant => grant.identity === identity);
  return isKnown ? undefined : own.sort((a, b) => b.at - a.at)[0]?.fields;
}

/** Grants as they are kept between sessions. */
export interface StoredGrants {
  readonly version: 1;
  readonly grants: readonly Grant[];
}

/**
 * Reads what a store holds. Anything but grants of this version grants nothing:
 * `ok: false` means that something was there and could not be understood.
 */
export function readGrants(stored: unknown): { ok: boolean; grants: readonly Grant[] } {
  if (stored === undefined) {
    return { ok: true, grants: [] };
  }
  const { version, grants } = (stored ?? {}) as Partial<Record<keyof StoredGrants, unknown>>;
  if (version !== 1 || !Array.isArray(grants) || !grants.every(isGrant)) {
    return { ok: false, grants: [] };
  }
  return { ok: true, grants };
}

function isGrant(value: unknown): value is Grant {
  const grant = (value ?? {}) as Partial<Record<keyof Grant, unknown>>;
  return (
    typeof grant.serverId === 'string' &&
    typeof grant.identity === 'string' &&
    isFields(grant.fields) &&
    typeof grant.folder === 'string' &&
    (grant.decision === 'allowed' || grant.decision === 'denied') &&
    (grant.scope === 'workspace' || grant.scope === 'always') &&
    typeof grant.at === 'number'
  );
}

function isFields(value: unknown): value is IdentityFields {
  const isWord = (item: unknown) => typeof item === 'string';
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      field => isWord(field) || (Array.isArray(field) && field.every(isWord)),
    )
  );
}
