import type { FolderNote } from '../folders/folderNotes.ts';
import type { FolderRules, Ruling } from '../folders/folderRules.ts';
import type { Folder } from '../folders/folders.ts';
import { sameFolders } from '../folders/sameFolders.ts';
import type { Decision } from './grants.ts';

/** Why a folder is no root for a server now. */
export type LeftOut =
  | 'not-file'
  | 'restricted'
  | 'forbidden'
  | 'denied'
  | 'missing'
  | 'not-a-directory'
  | 'unreadable'
  | 'excluded'
  | 'duplicate'
  | 'not-offered'
  | 'undecided';

/** On what terms folders are exposed to one server. */
export interface AccessTerms {
  readonly isTrusted: boolean;
  readonly rules: FolderRules;
  /** Whether to ask about a folder that nothing was answered on. An answer stands without it. */
  readonly isOffered: (folder: Folder) => boolean;
  /** The user's answer on a folder, knowing that these forbidden paths lie within it. */
  readonly decisionOn: (folder: Folder, forbiddenWithin: readonly string[]) => Decision;
}

/** What is to be said on one folder, with or without regard to the others. */
export interface FolderStanding {
  readonly folder: Folder;
  /** `undefined`: it is a root. */
  readonly leftOut: LeftOut | undefined;
  readonly notes: readonly FolderNote[];
}

/**
 * How each folder stands, in folder order. One that is there under several paths stands as itself
 * only once, and what is said against one of the paths is said against all.
 */
export function standingsOf(folders: readonly Folder[], terms: AccessTerms): FolderStanding[] {
  const standings = new Map(folders.map(folder => [folder, standingOf(folder, terms)]));
  if (terms.isTrusted) {
    for (const group of sameFolders(folders)) {
      const members = group.flatMap(folder => standings.get(folder) ?? []);
      for (const member of withoutDuplicates(members)) {
        standings.set(member.folder, member);
      }
    }
  }
  return [...standings.values()];
}

function standingOf(folder: Folder, terms: AccessTerms): FolderStanding {
  if (folder.path === undefined || !terms.isTrusted) {
    return { folder, leftOut: folder.path === undefined ? 'not-file' : 'restricted', notes: [] };
  }
  const ruling = terms.rules.rulingOn(folder);
  const decision = terms.decisionOn(folder, ruling.forbiddenWithin);
  const leftOut = reasonToLeaveOut(folder, ruling, decision);
  const isOffered = leftOut !== 'undecided' || decision === 'replaced' || terms.isOffered(folder);
  const notes = notesOn(ruling, decision);
  return { folder, leftOut: isOffered ? leftOut : 'not-offered', notes };
}

function reasonToLeaveOut(
  { disk }: Folder,
  ruling: Ruling,
  decision: Decision,
): LeftOut | undefined {
  if (ruling.leftOut === 'forbidden') {
    return 'forbidden';
  }
  // A refusal outlives the folder: it is said even where there is nothing on disk to refuse.
  if (decision === 'denied') {
    return 'denied';
  }
  if (disk !== 'directory') {
    return disk;
  }
  return ruling.leftOut ?? (decision === 'allowed' ? undefined : 'undecided');
}

function notesOn({ isWide, forbiddenWithin }: Ruling, decision: Decision): FolderNote[] {
  return [
    ...(decision === 'replaced' ? [{ kind: 'replaced' } as const] : []),
    ...(isWide ? [{ kind: 'wide' } as const] : []),
    ...(forbiddenWithin.length > 0
      ? [{ kind: 'holds-forbidden', paths: forbiddenWithin } as const]
      : []),
  ];
}

/**
 * Of several paths to one folder the one stands that says most on it: a refusal before an answer,
 * an answer before a question, and the earlier before the later.
 */
function withoutDuplicates(members: readonly FolderStanding[]): readonly FolderStanding[] {
  const weight = ({ leftOut }: FolderStanding) => weights.get(leftOut) ?? -1;
  const [first] = [...members].sort((a, b) => weight(b) - weight(a));
  return members.map(member => {
    if (!first || member === first || weight(member) < 0) {
      return member;
    }
    const isRefused = weight(member) === heaviest;
    const note: FolderNote = { kind: 'same-as', name: first.folder.name };
    return {
      ...member,
      leftOut: isRefused ? member.leftOut : 'duplicate',
      notes: [...member.notes, note],
    };
  });
}

const heaviest = 3;
/** What is not here says nothing on other paths: it is about the disk. */
const weights: ReadonlyMap<LeftOut | undefined, number> = new Map([
  ['forbidden', heaviest],
  ['denied', heaviest],
  ['excluded', heaviest],
  [undefined, 2],
  ['undecided', 1],
  ['not-offered', 0],
] as const);
