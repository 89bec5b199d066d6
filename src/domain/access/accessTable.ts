import type { FolderWord } from '../consent/statusWords.ts';
import type { Sentence } from '../sentence.ts';

/** The table of who sees which folder, for a colleague or an auditor. Printable as it is. */
export interface AccessTable {
  readonly folders: readonly FolderColumn[];
  readonly rows: readonly AccessRow[];
}

/** A folder of any server, or a root that one was told of and whose folder is gone. */
export interface FolderColumn {
  /** Its URI. */
  readonly id: string;
  /** Told apart from every other. */
  readonly name: string;
  readonly place: string;
}

/** Who may see folders: a server, or a client of the server above. */
export interface AccessRow {
  readonly id: string;
  readonly kind: 'server' | 'client';
  /** Told apart from every other, but for the clients of different servers. */
  readonly name: string;
  /** Its state, whether the system keeps it in its folders, and how roots reach it. */
  readonly about: readonly string[];
  /** One for each folder, in their order. */
  readonly cells: readonly AccessCell[];
}

/** How one folder stands with one that may see it. */
export interface AccessCell {
  readonly word: FolderWord;
  readonly words: readonly Sentence[];
  /** The meaning of the words, and since when they hold. */
  readonly title?: string;
  /** An answer of the user changes it. */
  readonly isAnswerable?: true;
  /** Whether an answer can also say that it is read only: whether that is what it would be now. */
  readonly mode?: 'read-only' | 'read-write';
}
