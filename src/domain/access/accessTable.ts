/** Who sees which folder: what a person shows a colleague or an auditor. Printable as it is. */
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

/** Who may see folders: a server, an extension that asked for them, or a client of the server above. */
export interface AccessRow {
  readonly id: string;
  readonly kind: 'server' | 'extension' | 'client';
  /** Told apart from every other, but for the clients of different servers. */
  readonly name: string;
  readonly state: string;
  /** Whether the system keeps it in its folders, in words. */
  readonly keeping?: readonly string[];
  readonly isConfined?: true;
  /** How roots reach it. */
  readonly routes?: readonly string[];
  /** One for each folder, in their order. */
  readonly cells: readonly AccessCell[];
}

/** The word for a pair: that for how a folder stands with a server, or one of those below. */
export type AccessWord =
  | 'exposed'
  | 'allowed'
  | 'waiting'
  | 'not-asked'
  | 'denied'
  | 'not-offered'
  | 'forbidden'
  | 'excluded'
  | 'duplicate'
  | 'missing'
  | 'not-a-directory'
  | 'unreadable'
  | 'not-file'
  | 'restricted'
  | 'ruled'
  /** It was told of a folder that is none of the window any more. */
  | 'removed'
  /** The folder is none of its. */
  | 'none';

/** What holds for one folder and one that may see it. Nothing that is not so is said. */
export interface AccessCell {
  readonly word: AccessWord;
  /** When it was told, else when the user answered. */
  readonly time?: string;
  readonly isReadOnly?: true;
  /** It was told of something in the folder only. */
  readonly isPart?: true;
  /** It was told of it before that was taken back. */
  readonly isStillKnown?: true;
  /** What the user answered about was another folder at the same place. */
  readonly isReplaced?: true;
  /** An answer of the user changes it. */
  readonly isAnswerable?: true;
  /** Whether an answer can also say that it is read only: whether that is what it would be now. */
  readonly mode?: 'read-only' | 'read-write';
}
