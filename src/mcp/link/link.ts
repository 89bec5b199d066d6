import type { Event } from '../../base/emitter.ts';
import type { Era } from '../../domain/exposure.ts';
import type { Root } from '../../domain/roots.ts';
import type { ProtocolChoice } from '../../domain/servers/serverDefinition.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import type { Target } from '../process/openWire.ts';
import type { ServerEnding } from '../process/stdio/serverProcess.ts';
import type { SessionEvents } from './session.ts';

/** The state of a connection to a server. */
export type ConnectionState =
  | {
      readonly kind: 'stopped';
      /** Set when a process was stopped and its end was not normal. */
      readonly ending?: ServerEnding;
    }
  | { readonly kind: 'starting' }
  | {
      readonly kind: 'running';
      readonly era: Era;
      /** The negotiated revision, such as `2025-11-25`. */
      readonly protocolVersion: string;
      /** The id of the process. `undefined`: the server is reached over HTTP. */
      readonly pid: number | undefined;
    }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The events of one process or connection, starting before its handshake. */
export type LinkEvents = Pick<
  SessionEvents,
  'process' | 'onDidPass' | 'onDidAsk' | 'onDidWriteStderr' | 'onDidServeRoots' | 'onDidNeglect'
> &
  Partial<Pick<SessionEvents, 'onDidLog' | 'onDidChangeList'>>;

/**
 * Connects a managed server's process to what uses it: our session, or a client's relay. Only the
 * managed server starts and stops the link.
 */
export interface Link {
  readonly state: ConnectionState;
  readonly onDidChangeState: Event<ConnectionState>;
  readonly onDidBegin: Event<LinkEvents>;
  /** Fires when the server loses its last root because the client no longer has this root. */
  readonly onDidLoseRoots?: Event<void>;
  /** The name that the client gives itself. Left out: the link is our own session. */
  readonly clientName?: string;
  /**
   * Starts the server. Resolves to the resulting state; never rejects.
   *
   * @param roots `undefined`: the server is offered no roots.
   */
  start(
    target: Target,
    roots: readonly Root[] | undefined,
    protocol: ProtocolChoice,
  ): Promise<ConnectionState>;
  /** Ends the server and all that it started, and cancels a start. Settles after their end; never rejects. */
  stop(): Promise<void>;
  /** Kills the process immediately. Call it only when our own process is about to end. */
  kill(): void;
  setRoots(roots: readonly Root[]): void;
}
