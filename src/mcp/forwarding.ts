/** How far the server is with a request. */
export interface ForwardedProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A request of somebody else that a server is to be sent. It may take as long as it takes. */
export interface ForwardedRequest {
  readonly method: string;
  /** What is between two neighbours on the way only, such as their revision, is left out. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Calls it off: the server is told. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ForwardedProgress) => void;
  /** The answers to the questions of an earlier round, and what came with those. */
  readonly answers?: InputAnswers;
}

/** What a server wants to know before it answers a request. */
export interface InputRequest {
  readonly method: string;
  readonly params?: unknown;
}

/** What it wants to know, each under a name of its own. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

/** The answers to the questions of a server, from whoever was asked them. */
export interface InputAnswers {
  /** By the names of the questions. None of them may be for roots. */
  readonly responses: Readonly<Record<string, unknown>>;
  /** What came with the questions, exactly. */
  readonly continuation: string;
}

/** Questions that somebody else has to answer, and what has to come back with the answers. */
export interface Questions {
  readonly kind: 'questions';
  /** Those but for roots, which are answered on the way. */
  readonly requests: InputRequests;
  /** Opaque; it may go to anybody and is held to be from anybody when it comes back. */
  readonly continuation: string;
}

/** What a server made of a request: its result, as it came, or questions that it has first. */
export type Forwarded =
  | { readonly kind: 'result'; readonly result: Readonly<Record<string, unknown>> }
  | Questions;
