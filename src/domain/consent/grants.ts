import { isPlace, isSamePlace } from '../../base/fileIdentity.ts';
import type { Folder } from '../folders/folders.ts';
import type { IdentityFields } from '../servers/serverIdentity.ts';

/**
 * The user's answer on one folder for one server. `undecided`: no answer. `replaced`: the answers
 * are about another folder that was in the same place. Both mean no access.
 */
export type Decision = 'allowed' | 'denied' | 'undecided' | 'replaced';

const decisions = ['allowed', 'denied'] as const;
const scopes = ['session', 'workspace', 'always'] as const;

/** How long an answer holds: until the window closes, in this workspace, or everywhere. */
export type GrantScope = (typeof scopes)[number];

/** One answer of the user on one folder for one server identity. */
export interface Grant {
  readonly serverId: string;
  /** The identity for which the user answered. The grant holds for this identity only. */
  readonly identity: string;
  /** The fields of that identity. They show what changed when the identity changes. */
  readonly fields: IdentityFields;
  /** The folder's URI. */
  readonly folder: string;
  readonly decision: (typeof decisions)[number];
  readonly scope: GrantScope;
  /** When the user answered, in milliseconds since 1970. */
  readonly at: number;
  /** The folder's place on disk. Without it, the answer holds for any folder at this URI. */
  readonly place?: string;
  /** The forbidden paths within the folder that the question listed. The permission covers them. */
  readonly despite?: readonly string[];
  /**
   * A sandbox lets the server read the folder but not change it; left out: the server may do both.
   * If the answer is a refusal, this is the user's choice for a later permission.
   */
  readonly isReadOnly?: true;
}

/** Facts about a folder now, which may end an earlier permission. */
export interface DecisionTerms {
  /** The forbidden paths that exist within the folder. */
  readonly forbiddenWithin: readonly string[];
  /**
   * The window's start in milliseconds since 1970. The device numbers of disks may change between
   * two windows, so they are not compared with the numbers in earlier grants.
   */
  readonly sessionStart: number;
}

/**
 * The decision of the grants on one folder for one identity. One refusal outweighs all permissions.
 *
 * A permission holds only for the folder it was given on, not for a replacement. The permission
 * must also cover every forbidden path that is within the folder now.
 */
export function decide(
  grants: readonly Grant[],
  identity: string,
  folder: Pick<Folder, 'uri' | 'disk' | 'place'>,
  terms: DecisionTerms,
): Decision {
  const own = grants.filter(grant => grant.identity === identity && grant.folder === folder.uri);
  if (own.some(({ decision }) => decision === 'denied')) {
    return 'denied';
  }
  const onThis = own.filter(grant => isOnThis(grant, folder, terms));
  if (onThis.some(({ despite = [] }) => isSubset(terms.forbiddenWithin, despite))) {
    return 'allowed';
  }
  return own.length > 0 && onThis.length === 0 ? 'replaced' : 'undecided';
}

/**
 * Returns a {@link decide} for many folders, which does not search all grants each time. Only
 * answers on this server count: another server with the same launch needs answers of its own.
 */
export function decider(
  grants: readonly Grant[],
  { serverId, identity }: Pick<Grant, 'serverId' | 'identity'>,
  sessionStart: number,
): (folder: Folder, forbiddenWithin: readonly string[]) => Decision {
  const own = byFolder(grants, serverId);
  return (folder, forbiddenWithin) =>
    decide(own.get(folder.uri) ?? [], identity, folder, { forbiddenWithin, sessionStart });
}

/**
 * Whether a folder is read-only for a server once it is allowed. One read-only answer on the
 * current identity is enough. If this identity has no answer, the latest earlier answer decides.
 *
 * @param grants the latest last.
 */
export function readOnlyChoices(
  grants: readonly Grant[],
  { serverId, identity }: Pick<Grant, 'serverId' | 'identity'>,
): (folder: Pick<Folder, 'uri'>) => boolean {
  const own = byFolder(grants, serverId);
  return ({ uri }) => {
    const all = own.get(uri) ?? [];
    const onThis = all.filter(grant => grant.identity === identity);
    const telling = onThis.length > 0 ? onThis : all.slice(-1);
    return telling.some(({ isReadOnly = false }) => isReadOnly);
  };
}

/**
 * Whether the latest answer on a folder was a refusal, for any identity of the server. Used to
 * remind the user of a refusal when the folder has no valid answer.
 *
 * @param grants the latest last.
 */
export function latestRefusals(
  grants: readonly Grant[],
  serverId: string,
): (folder: Pick<Folder, 'uri'>) => boolean {
  const own = byFolder(grants, serverId);
  return ({ uri }) => own.get(uri)?.at(-1)?.decision === 'denied';
}

function byFolder(
  grants: readonly Grant[],
  serverId: string,
): ReadonlyMap<string, readonly Grant[]> {
  const own = new Map<string, Grant[]>();
  for (const grant of grants.filter(grant => grant.serverId === serverId)) {
    own.set(grant.folder, [...(own.get(grant.folder) ?? []), grant]);
  }
  return own;
}

/** Whether no other folder took the granted folder's place on disk, as far as the grant tells. */
function isOnThis(
  { place, at }: Grant,
  folder: Pick<Folder, 'disk' | 'place'>,
  { sessionStart }: DecisionTerms,
): boolean {
  if (place === undefined || folder.disk !== 'directory') {
    return true;
  }
  return folder.place !== undefined && isSamePlace(folder.place, place, at >= sessionStart);
}

function isSubset(some: readonly string[], all: readonly string[]): boolean {
  return some.every(item => all.includes(item));
}

/** On each folder, answers for only so many identities of a server are kept: the newest. */
const formsKept = 8;

/**
 * The grants, the latest last, after a new answer. The new answer replaces every earlier answer for
 * the same folder and identity. Answers for earlier identities stay, in case a change is undone.
 *
 * If the user withdraws a permission, all earlier identities lose it, too. If the user refuses a
 * changed server, the answers on its earlier identities stay.
 */
export function answer<G extends Grant>(grants: readonly G[], next: G): G[] {
  const { serverId, identity, folder, decision } = next;
  const isRival = (grant: Grant) => grant.serverId === serverId && grant.folder === folder;
  const isWithdrawn = decision === 'denied' && isAllowed(grants.filter(isRival), identity);
  const former = grants
    .filter(grant => isRival(grant) && grant.identity !== identity)
    .filter(grant => !(isWithdrawn && grant.decision === 'allowed'))
    .slice(1 - formsKept);
  return [...grants.filter(grant => !isRival(grant)), ...former, next];
}

/** Whether the grants allow this identity and none refuses it, whatever is on disk now. */
function isAllowed(grants: readonly Grant[], identity: string): boolean {
  const own = grants.filter(grant => grant.identity === identity);
  return own.length > 0 && own.every(({ decision }) => decision === 'allowed');
}

/** Whether a value from a store is a grant. */
export function isGrant(value: unknown): value is Grant {
  const grant: Partial<Record<keyof Grant, unknown>> = Object(value);
  return (
    isFields(grant.fields) &&
    [grant.serverId, grant.identity, grant.folder].every(text => typeof text === 'string') &&
    new Set<unknown>(decisions).has(grant.decision) &&
    new Set<unknown>(scopes).has(grant.scope) &&
    typeof grant.at === 'number' &&
    (grant.place === undefined || isPlace(grant.place)) &&
    (grant.despite === undefined || isListOfWords(grant.despite)) &&
    (grant.isReadOnly === undefined || grant.isReadOnly === true)
  );
}

function isListOfWords(value: unknown): boolean {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

function isFields(value: unknown): value is IdentityFields {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(field => typeof field === 'string' || isListOfWords(field))
  );
}
