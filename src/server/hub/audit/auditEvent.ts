/**
 * What the audit tells: who was called, with which paths, and what was decided. There is no place
 * in it for what a call holds or answers.
 */
export type AuditEvent = RootsEvent | VerdictEvent | RoundEvent | ExposureEvent | ChildEvent;

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

/** The client went on with a call that had been allowed, and that was refused: the call is over. */
export interface RoundEvent extends Omit<VerdictEvent, 'event' | 'verdict'> {
  readonly event: 'round-refused';
}

/** Roots that one running instance of a server was handed because it asked for them. */
export interface ExposureEvent {
  readonly event: 'exposure';
  readonly server: string;
  readonly child: string;
  /** As it was told them: URIs. */
  readonly roots: readonly string[];
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
