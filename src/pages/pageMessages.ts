import type { AccessTable } from '../domain/access/accessTable.ts';

/** A page has loaded and can take messages. */
export interface Loaded {
  readonly kind: 'loaded';
}

/** The first message to a page: the texts in the editor's language. */
export interface Greeting {
  readonly kind: 'greeting';
  /** Translations by their English text; empty if the editor's language is English. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Messages to the page of the access table. */
export type ToAccessPage =
  | {
      readonly kind: 'table';
      readonly table: AccessTable;
      /** Why nobody sees any folder. */
      readonly notice?: string | undefined;
      /** The new filter; `undefined` keeps the old one. */
      readonly filter?: string | undefined;
    }
  /** The table's text is in the clipboard. */
  | { readonly kind: 'copied' };

// A server's values travel as JSON text. Some objects that the editor passes on become instances of
// its classes, by marks that a server could set.

/** A tool, resource or prompt as shown. Only the schema is not made printable yet. */
export interface ShownTool {
  readonly name: string;
  /** Empty if it has only a name. */
  readonly title: string;
  /** The kind of the tool, and its server. */
  readonly origin: string;
  readonly description: string;
  /** The server's claims about the tool's effects; empty for none. */
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
  /** Asks whether to call again, once the person is done with the pages of the server. */
  | { readonly kind: 'again' };

/** Messages to the tab. A tab that only asks a question gets no tool. */
export type ToToolCall =
  | { readonly kind: 'tool'; readonly tool: ShownTool }
  /** A call is under way, with its progress; an empty text means that the progress is unknown. */
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
  /** `content` is JSON of an object, if the question has a form. */
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly action: 'accept' | 'decline';
      readonly content: string;
    }
  | { readonly kind: 'openResource'; readonly uri: string }
  | { readonly kind: 'copy' }
  /** The index of a content of the result; -1: the text of the whole result. */
  | { readonly kind: 'save'; readonly content: number };
