import type { AccessTable } from '../domain/access/accessTable.ts';

/** Says that a page has loaded and can take messages. */
export interface Loaded {
  readonly kind: 'loaded';
}

/** The first message to a page: the texts in the editor's language. */
export interface Greeting {
  readonly kind: 'greeting';
  /** Translations by the English text; empty if the editor is in English. */
  readonly texts: Readonly<Record<string, string>>;
}

/** The messages to the page of the access table. */
export type ToAccessPage =
  | {
      readonly kind: 'table';
      readonly table: AccessTable;
      /** Why no server sees any folder. */
      readonly notice?: string | undefined;
      /** The new filter; `undefined`: the filter stays. */
      readonly filter?: string | undefined;
    }
  /** Says that the text of the table is in the clipboard. */
  | { readonly kind: 'copied' };

// A server's values travel as JSON text. The editor turns some objects into instances of its own
// classes, by marks in the objects, and a server could set such marks.

/** A tool, resource or prompt, ready to show. All texts are printable, except in the schema. */
export interface ShownTool {
  readonly name: string;
  /** The title; empty if the tool has only a name. */
  readonly title: string;
  /** What is called (tool, resource or prompt), and its server. */
  readonly origin: string;
  readonly description: string;
  /** What the server says about the tool's effects; empty if it says nothing. */
  readonly effects: string;
  /** The schema as JSON. */
  readonly inputSchema: string;
}

/** The outcome of a call. */
export type ShownOutcome = { readonly milliseconds: number } & (
  | {
      readonly kind: 'result';
      /** The whole result as JSON. */
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
      /** The schema as JSON. */
      readonly schema: string;
    }
  | { readonly kind: 'page'; readonly message: string; readonly url: string; readonly host: string }
  /** Asks whether to call again, after the person has finished on the server's pages. */
  | { readonly kind: 'again' };

/** Messages to the tab of a tool call, or to the tab of a single question, which gets no tool. */
export type ToToolCall =
  | { readonly kind: 'tool'; readonly tool: ShownTool }
  /** A call runs. The text is its progress; empty: the progress is unknown. */
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
  /** `args` is an object as JSON. */
  | { readonly kind: 'call'; readonly args: string }
  | { readonly kind: 'cancel' }
  /** `content` is an object as JSON, if the question has a form. */
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly action: 'accept' | 'decline';
      readonly content: string;
    }
  | { readonly kind: 'openResource'; readonly uri: string }
  | { readonly kind: 'copy' }
  /** `content` is the index of a content in the result. -1 means the text of the whole result. */
  | { readonly kind: 'save'; readonly content: number };
