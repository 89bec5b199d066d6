import type { Event } from '../base/emitter.ts';
import type { Era } from '../domain/exposure.ts';
import type { Root } from '../domain/roots.ts';
import type { ProtocolChoice } from '../domain/servers/serverDefinition.ts';
import type { Failure } from '../domain/servers/serverFailure.ts';
import type { Target } from './openWire.ts';
import type { SessionEvents } from './session.ts';
import type { ServerEnding } from './stdio/serverProcess.ts';

/** The state of a connection to a server. */
export type ConnectionState =
  | {
      readonly kind: 'stopped';
      /** Set when a process was stopped and did not end as it should. */
      readonly ending?: ServerEnding;
    }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'running';
      readonly era: Era;
      /** The negotiated revision, such as `2025-11-25`. */
      readonly protocolVersion: string;
      /** `undefined`: the server is reached over HTTP. */
      readonly pid: number | undefined;
    }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The events of one process or connection, from before its handshake on. */
export type LinkEvents = Pick<
  SessionEvents,
  'process' | 'onDidPass' | 'onDidWriteStderr' | 'onDidServeRoots' | 'onDidNeglect'
> &
  Partial<Pick<SessionEvents, 'onDidLog' | 'onDidChangeList'>>;

/**
 * Joins the process of a managed server to its user: our own session, or a client's relay. The managed
 * server alone starts and stops it.
 */
export interface Link {
  readonly state: ConnectionState;
  readonly onDidChangeState: Event<ConnectionState>;
  readonly onDidBegin: Event<LinkEvents>;
  /** A server that was handed roots may see none any more, because its client has none of them. */
  readonly onDidLoseRoots?: Event<void>;
  /** The client that uses it, by the name it gives itself; left out: it is our own. */
  readonly clientName?: string;
  /**
   * Settles in the state that this leads to; never rejects.
   *
   * @param roots `undefined`: the server is offered no roots.
   */
  start(
    target: Target,
    roots: readonly Root[] | undefined,
    protocol: ProtocolChoice,
  ): Promise<ConnectionState>;
  /** Ends what it started, and calls off a start. Settles when nothing is left; never rejects. */
  stop(): Promise<void>;
  /** Kills the process at once. For the last moment of our own process. */
  kill(): void;
  setRoots(roots: readonly Root[]): void;
}
