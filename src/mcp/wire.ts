import type { JSONRPCMessage, Result, Transport } from '@modelcontextprotocol/client';
import type { Event } from '../base/emitter.ts';
import type { Failure } from '../domain/servers/serverFailure.ts';
import type { Direction } from '../domain/traceLine.ts';
import type { ServerEnding } from './stdio/serverProcess.ts';

/** One message on its way, or something from the server that was no message. */
export type Traffic =
  | { readonly kind: 'message'; readonly direction: Direction; readonly message: JSONRPCMessage }
  /** A response that nobody waits for: to no request of ours, to one that was called off, or a second one. */
  | { readonly kind: 'stray'; readonly direction: Direction; readonly message: JSONRPCMessage }
  | { readonly kind: 'rubbish'; readonly length: number };

/** The content of the response to a request. */
export type ResponseBody =
  | { readonly result: Result }
  | {
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
    };

/** Sends the response to one request. */
export type Reply = (response: ResponseBody) => void;

/**
 * @param reply answers the message, now or later, if it is a request.
 * @param line in which it came alone, if it did; it is the taker's only during the call.
 */
export type TakeMessage = (
  message: JSONRPCMessage,
  reply: Reply,
  line: Buffer | undefined,
) => boolean;

/**
 * The way to one server: the pipes of a process or HTTP. `close` ends our process, or our session, at
 * the other end, resolves when nothing of it is left, and may be called again.
 */
export interface Wire extends Transport {
  readonly kind: 'process' | 'http';
  /** Takes a message, which then goes no further, or leaves it to `onmessage`. */
  take?: TakeMessage;
  /** Sends a message as the line that it came in, without its end; left out where there are no lines. */
  sendLine?(message: JSONRPCMessage, line: Buffer): void;
  /** Resolves when there is room for more to send; `undefined`: there is. Never rejects. */
  drained?(): Promise<unknown> | undefined;
  /** Everything that goes over the wire, in its order. */
  readonly onDidPass: Event<Traffic>;
  /** Each line of the standard error of a process. */
  readonly onDidWriteStderr?: Event<string>;
  /** The last of those lines. */
  readonly lastLines?: readonly string[];
  /** `true` while a person is asked something, which no time-out may count; then `false`. */
  readonly onDidAskPerson?: Event<boolean>;
  /** The process, where the server is one of ours. */
  readonly pid?: number | null;
  /** Resolves when the wire is gone, to the failure this is unless it was asked for. Never rejects. */
  readonly ended: Promise<Failure>;
  /** The force that its end took; `undefined`: it ended as it should, or is not closed. */
  readonly ending?: ServerEnding | undefined;
  /** The cause of an error in the handshake. Never rejects. */
  explain(error: unknown): Promise<Failure>;
  /** Ends it at once, without waiting. For the last moment of our own process. */
  kill(): void;
}
