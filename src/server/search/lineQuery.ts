/** What is searched for, line by line, and which of it is wanted. It is sent to a worker as it is. */
export interface LineQuery {
  /** Characters that stand for themselves, or a regular expression. */
  readonly pattern:
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'regex'; readonly source: string; readonly flags: string };
  /** How many lines before and after a match are wanted with it. */
  readonly contextLines: number;
  /** Whether only the files are wanted: then a file counts as one match. */
  readonly isForFiles: boolean;
  /** How many matches to pass over, and how many to return after those. */
  readonly offset: number;
  readonly limit: number;
}

/** A line of a file, numbered from 1: a match or, without columns, the context of one. */
export interface FoundLine {
  readonly line: number;
  /** Without its end, and cut where it is very long. */
  readonly text: string;
  /** Where in the whole line the first match starts and ends: UTF-16 units, counted from 1. */
  readonly column?: number;
  readonly endColumn?: number;
}

/** Files after each other, with a line feed behind each that is not part of it. */
export interface FileBytes {
  readonly bytes: Buffer;
  /** Where each file ends. */
  readonly ends: readonly number[];
}

export interface LineMatches {
  /** Files by their place among those that were searched together. */
  readonly matches: readonly { readonly file: number; readonly lines: readonly FoundLine[] }[];
  /** How many files match that are no UTF-8 text. */
  readonly notText: number;
  /** Whether there are more matches than are wanted: then nothing more need be searched. */
  readonly hasMore: boolean;
}
