import { type FolderNote, overlapNotes, sameFolders } from '../folders/folderNotes.ts';
import type { FolderRules, Ruling } from '../folders/folderRules.ts';
import type { Folder } from '../folders/folders.ts';
import { type Root, toRoots } from '../roots.ts';
import type { ServerRule } from '../servers/editorRules.ts';
import type { StartRoot } from '../servers/rootsChange.ts';
import type { Decision } from './grants.ts';
import type { ExclusionReason } from './statusWords.ts';

export interface AccessTerms {
  readonly isTrusted: boolean;
  /** True if the server is useless without a folder. */
  readonly needsFolder?: boolean;
  /** The rule that forbids the server. */
  readonly rule?: ServerRule | undefined;
  readonly rules: FolderRules;
  /** True if the user is asked about the folder. Answers on the folder hold in any case. */
  readonly isOffered: (folder: Folder) => boolean;
  /** The user's answer on a folder. `forbiddenWithin`: the forbidden paths in the folder now. */
  readonly decisionOn: (folder: Folder, forbiddenWithin: readonly string[]) => Decision;
  /** True if the latest answer on a folder was a refusal, for any definition of the server. */
  readonly wasRefused?: (folder: Folder) => boolean;
  /** True if an allowed folder is read-only. Only a sandbox enforces this. */
  readonly isReadOnly?: ((folder: Folder) => boolean) | undefined;
}

/** One folder for one server: the folder is a root, or excluded for a reason, never both. */
export type FolderAccess = {
  readonly folder: Folder;
  /** Warnings to show, the gravest first; empty in Restricted Mode and for folders not on disk. */
  readonly notes: readonly FolderNote[];
  /** Whether the folder is read-only for the server, now or once the folder is allowed. */
  readonly isReadOnly?: boolean;
} & (
  | { readonly root: Root; readonly exclusion?: undefined }
  | { readonly root?: undefined; readonly exclusion: ExclusionReason }
);

/** All folders for one server, and the folders without an answer. */
export interface Access {
  readonly folders: readonly FolderAccess[];
  /** The visible roots. Empty means no access, never "all". */
  readonly roots: readonly Root[];
  /** Folders the user has not decided on yet. */
  readonly waiting: readonly Folder[];
  /** True if the user refused every folder. Then the server does not even learn of roots. */
  readonly isRefused: boolean;
  /** The rule that forbids the server, whatever the user answered. */
  readonly rule?: ServerRule;
  readonly isRestricted: boolean;
  readonly needsFolder: boolean;
}

/**
 * Decides for each folder, in order, whether it is a root of the server. A root is allowed by a
 * grant and by the rules, is a `file:` folder on disk, and is trusted. No answer overrules a rule.
 */
export function accessTo(folders: readonly Folder[], terms: AccessTerms): Access {
  const statuses = statusesOf(folders, terms);
  const roots = toRoots(statuses.filter(({ exclusion }) => !exclusion).map(({ folder }) => folder));
  const rootOf = new Map(roots.map(root => [root.uri, root]));
  const possible = terms.isTrusted ? statuses.filter(isAnswerable) : [];
  const overlaps = overlapNotes(possible.map(({ folder }) => folder));
  const reasons = statuses.map(({ exclusion }) => exclusion);
  return {
    folders: statuses.map(status =>
      folderAccess(status, rootOf, overlaps.get(status.folder) ?? []),
    ),
    roots,
    waiting: statuses
      .filter(({ exclusion }) => exclusion === 'undecided')
      .map(({ folder }) => folder),
    isRefused: reasons.includes('denied') && reasons.every(reason => neverARoot(reason)),
    ...(terms.rule && { rule: terms.rule }),
    isRestricted: !terms.isTrusted,
    needsFolder: terms.needsFolder ?? false,
  };
}

/** Returns the visible roots with path and inode, so that a replaced folder does not match. */
export function startRoots({ folders }: Access): StartRoot[] {
  return folders.flatMap(({ root, notes, isReadOnly, folder: { path, place } }) => {
    const hidden = notes.flatMap(note => (note.kind === 'holds-forbidden' ? note.paths : []));
    return root && path !== undefined
      ? {
          ...root,
          path,
          ...(place !== undefined && { place, folder: place }),
          ...(isReadOnly && { isReadOnly }),
          ...(hidden.length > 0 && { hidden }),
        }
      : [];
  });
}

function folderAccess(
  { folder, exclusion, notes, isReadOnly }: RuledFolder,
  rootOf: ReadonlyMap<string, Root>,
  overlaps: readonly FolderNote[],
): FolderAccess {
  const root = rootOf.get(folder.uri);
  const all = { folder, notes: [...notes, ...overlaps], ...(isReadOnly && { isReadOnly }) };
  return root && !exclusion ? { ...all, root } : { ...all, exclusion: exclusion ?? 'undecided' };
}

function neverARoot(reason: ExclusionReason | undefined): boolean {
  return reason !== undefined && reasons[reason].isFinal;
}

/** Whether an answer of the user decides on the folder, because nothing stronger does. */
export function isAnswerable({ exclusion }: Pick<FolderAccess, 'exclusion'>): boolean {
  return (
    !exclusion || exclusion === 'denied' || exclusion === 'not-offered' || exclusion === 'undecided'
  );
}

/** True if this answer differs from the folder's current status. */
export function isNewAnswer(access: Pick<FolderAccess, 'exclusion'>, isAllowed: boolean): boolean {
  return isAnswerable(access) && access.exclusion !== (isAllowed ? undefined : 'denied');
}

/** A folder, before several paths to one folder are merged. */
interface RuledFolder {
  readonly folder: Folder;
  /** Why the folder is not a root; `undefined` if it is a root. */
  readonly exclusion: ExclusionReason | undefined;
  readonly notes: readonly FolderNote[];
  readonly isReadOnly?: boolean;
}

/**
 * The status of each folder, in folder order. If several paths lead to one folder, the folder
 * counts once, and a refusal of one path holds for all paths.
 */
function statusesOf(folders: readonly Folder[], terms: AccessTerms): RuledFolder[] {
  const statuses = new Map(folders.map(folder => [folder, statusOf(folder, terms)]));
  if (terms.isTrusted) {
    for (const group of sameFolders(folders)) {
      const members = group.flatMap(folder => statuses.get(folder) ?? []);
      for (const member of withoutDuplicates(members)) {
        statuses.set(member.folder, member);
      }
    }
  }
  return [...statuses.values()];
}

function statusOf(folder: Folder, terms: AccessTerms): RuledFolder {
  if (folder.path === undefined || !terms.isTrusted) {
    return { folder, exclusion: folder.path === undefined ? 'not-file' : 'restricted', notes: [] };
  }
  if (terms.rule) {
    return { folder, exclusion: 'ruled', notes: [] };
  }
  const ruling = terms.rules.rulingOn(folder);
  const decision = terms.decisionOn(folder, ruling.forbiddenWithin);
  const exclusion = exclusionOf(folder, ruling, decision);
  const isOffered = exclusion !== 'undecided' || decision === 'replaced' || terms.isOffered(folder);
  const wasRefused = exclusion === 'undecided' && terms.wasRefused?.(folder);
  const notes = [
    ...(wasRefused ? [{ kind: 'refused' } as const] : []),
    ...notesOn(ruling, decision),
  ];
  const isReadOnly = terms.isReadOnly?.(folder) ?? false;
  return { folder, exclusion: isOffered ? exclusion : 'not-offered', notes, isReadOnly };
}

function exclusionOf(
  { disk }: Folder,
  ruling: Ruling,
  decision: Decision,
): ExclusionReason | undefined {
  if (ruling.exclusion === 'forbidden') {
    return 'forbidden';
  }
  // The status is "denied" even if the folder is gone from the disk.
  if (decision === 'denied') {
    return 'denied';
  }
  if (disk !== 'directory') {
    return disk;
  }
  return ruling.exclusion ?? (decision === 'allowed' ? undefined : 'undecided');
}

function notesOn({ isWide, forbiddenWithin }: Ruling, decision: Decision): FolderNote[] {
  return [
    ...(decision === 'replaced' ? [{ kind: 'replaced' } as const] : []),
    ...(forbiddenWithin.length > 0
      ? [{ kind: 'holds-forbidden', paths: forbiddenWithin } as const]
      : []),
    ...(isWide ? [{ kind: 'wide' } as const] : []),
  ];
}

/**
 * Merges several paths to one folder. The path with the strongest status counts: a refusal before a
 * permission, a permission before a question, an earlier path before a later one. If one allowed
 * path is read-only, so is the result.
 */
function withoutDuplicates(members: readonly RuledFolder[]): readonly RuledFolder[] {
  const weight = ({ exclusion }: RuledFolder) => (exclusion ? reasons[exclusion].weight : 2);
  const [first] = [...members].sort((a, b) => weight(b) - weight(a));
  const isReadOnly = members.some(member => !member.exclusion && member.isReadOnly);
  return members.map(member => {
    if (!first || weight(member) < 0) {
      return member;
    }
    if (member === first) {
      return isReadOnly ? { ...member, isReadOnly } : member;
    }
    const isRefused = weight(member) === heaviest;
    const note: FolderNote = { kind: 'same-as', name: first.folder.name };
    return {
      ...member,
      exclusion: isRefused ? member.exclusion : 'duplicate',
      notes: [...member.notes, note],
    };
  });
}

interface ReasonTraits {
  /** True if the user's answer led to this status, or if no question will change the status. */
  readonly isFinal: boolean;
  /** Of several paths to one folder, the highest weight counts. A root has 2; -1: not compared. */
  readonly weight: number;
}

const heaviest = 3;
const reasons: Readonly<Record<ExclusionReason, ReasonTraits>> = {
  forbidden: { isFinal: true, weight: heaviest },
  denied: { isFinal: true, weight: heaviest },
  excluded: { isFinal: true, weight: heaviest },
  undecided: { isFinal: false, weight: 1 },
  'not-offered': { isFinal: true, weight: 0 },
  duplicate: { isFinal: true, weight: -1 },
  'not-file': { isFinal: true, weight: -1 },
  restricted: { isFinal: false, weight: -1 },
  ruled: { isFinal: false, weight: -1 },
  missing: { isFinal: false, weight: -1 },
  'not-a-directory': { isFinal: false, weight: -1 },
  unreadable: { isFinal: false, weight: -1 },
};
