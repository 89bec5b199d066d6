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

/** Messages to the page on access. */
export type ToAccessPage =
  | {
      readonly kind: 'table';
      readonly table: AccessTable;
      /** Why nobody sees anything. */
      readonly notice?: string | undefined;
      /** The new filter; `undefined`: it stays. */
      readonly filter?: string | undefined;
    }
  /** The text is in the clipboard. */
  | { readonly kind: 'copied' };

// Values of a server travel as a text of JSON. The editor makes objects of its own of some that it
// passes on, by marks that a server could set.

/** A tool, with what is said of it. Only the schema is not printable yet. */
export interface ShownTool {
  readonly name: string;
  /** Empty: it has none but its name. */
  readonly title: string;
  readonly serverLabel: string;
  readonly description: string;
  /** The server's claims on its effects; empty: none. */
  readonly effects: string;
  /** JSON */
  readonly inputSchema: string;
}

/** The outcome of a call. */
export type ShownOutcome = { readonly milliseconds: number } & (
  | {
      readonly kind: 'result';
      /** JSON of the whole result. */
      readonly result: string;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly details: string }
  | { readonly kind: 'cancelled' }
);

/** A question to the person during a call. */
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

/** Messages to the tab. That of a question alone gets no tool. */
export type ToToolCall =
  | { readonly kind: 'tool'; readonly tool: ShownTool }
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

/** Messages from the tab. */
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
