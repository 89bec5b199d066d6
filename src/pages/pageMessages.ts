import type { AccessTable } from '../domain/access/accessTable.ts';

/** A page says that it is loaded, and can be told what to show. */
export interface Loaded {
  readonly kind: 'loaded';
}

/** The first message to a page: the editor's language. */
export interface Greeting {
  readonly kind: 'greeting';
  /** By each English text its translation; none in English. */
  readonly texts: Readonly<Record<string, string>>;
}

/** What the page with the table of who sees what is told. */
export type ToAccessPage =
  | {
      readonly kind: 'table';
      readonly table: AccessTable;
      /** Why nobody sees anything. */
      readonly notice?: string | undefined;
      /** What alone is to be shown from now on; `undefined`: what was. */
      readonly filter?: string | undefined;
    }
  /** The text is in the clipboard. */
  | { readonly kind: 'copied' };

// What a server wrote travels as a text of JSON. The editor makes objects of its own of some that it
// passes on, by marks that a server could set.

/** A tool, with what is said of it. Only the schema is not printable yet. */
export interface ShownTool {
  readonly name: string;
  /** Empty: it has none but its name. */
  readonly title: string;
  readonly serverLabel: string;
  readonly description: string;
  /** What the server claims of its effects; empty: nothing. */
  readonly effects: string;
  /** JSON */
  readonly inputSchema: string;
}

/** A call that was made before, to be made again. */
export interface ShownCall {
  readonly when: string;
  /** JSON */
  readonly args: string;
}

/** What a call came to. */
export type ShownOutcome = { readonly milliseconds: number } & (
  | {
      readonly kind: 'result';
      /** JSON of the whole result. */
      readonly result: string;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly details: string }
  | { readonly kind: 'cancelled' }
);

/** What the person is asked during a call. */
export type ShownQuestion =
  | {
      readonly kind: 'form';
      readonly message: string;
      /** JSON */
      readonly schema: string;
    }
  | { readonly kind: 'page'; readonly message: string; readonly url: string; readonly host: string }
  /** Whether to call again, being done with the pages that the server sent to. */
  | { readonly kind: 'again' };

/** What the tab is told. That of a question alone is told of no tool. */
export type ToToolCall =
  | { readonly kind: 'tool'; readonly tool: ShownTool; readonly calls: readonly ShownCall[] }
  | { readonly kind: 'calls'; readonly calls: readonly ShownCall[] }
  /** A call is under way, and this far; an empty text: it is not told how far. */
  | { readonly kind: 'calling'; readonly text: string; readonly percent: number | undefined }
  | {
      readonly kind: 'asked';
      readonly id: number;
      readonly serverLabel: string;
      readonly question: ShownQuestion;
    }
  | { readonly kind: 'settled'; readonly id: number }
  | { readonly kind: 'outcome'; readonly outcome: ShownOutcome };

/** What the tab says. */
export type FromToolCall =
  /** `args` is JSON of an object. */
  | { readonly kind: 'call'; readonly args: string }
  | { readonly kind: 'cancel' }
  /** `content` is JSON of an object, where one was asked for. */
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly action: 'accept' | 'decline';
      readonly content: string;
    }
  | { readonly kind: 'openResource'; readonly uri: string }
  | { readonly kind: 'copy' }
  /** One of the contents of the result; -1: the text of all of it. */
  | { readonly kind: 'save'; readonly content: number };
