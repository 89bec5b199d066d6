/**
 * What the audit tells: who was called, with which paths, and what was decided. There is no place
 * in it for what a call holds or answers.
 */
export type AuditEvent = RootsEvent | VerdictEvent | ChildEvent;

/** What the client of a session named as its roots, when it was asked or told of a change. */
export interface RootsEvent {
  readonly event: 'roots' | 'roots-changed';
  /** A name made for the audit: never the id that a client of the HTTP service signs in with. */
  readonly session: string;
  readonly roots: readonly string[];
  /** Who said so. */
  readonly source: string;
}

/** What was decided of one call, before the server heard of it. */
export interface VerdictEvent {
  readonly event: 'verdict';
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly verdict: 'allowed' | 'denied' | 'unchecked';
  /** Those that the verdict is about: real paths where there are any. */
  readonly paths: readonly string[];
  readonly reason?: string | undefined;
}

/** What became of one running instance of a server. */
export interface ChildEvent {
  readonly event: 'child';
  readonly server: string;
  /** Which instance, because each set of roots has one of its own. */
  readonly child: string;
  readonly state: string;
  readonly reason?: string | undefined;
}
