import type {
  JSONRPCMessage,
  JSONRPCRequest,
  Result,
  Transport,
} from '@modelcontextprotocol/client';
import type { Event } from '../../base/emitter.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import type { Direction } from '../../domain/traceLine.ts';
import type { ServerEnding } from './stdio/serverProcess.ts';

/** One message on a wire, or bytes from the server that are not a message. */
export type Traffic =
  | {
      /** `stray`: a response to no request of ours or to a cancelled request, or a second response. */
      readonly kind: 'message' | 'stray';
      readonly direction: Direction;
      readonly message: JSONRPCMessage;
      /** The request that this message answers. */
      readonly request?: JSONRPCRequest | undefined;
    }
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
 * Takes a message of the server. Returns `false` if somebody else must handle the message.
 *
 * @param reply answers the message, now or later, if it is a request.
 * @param line the line, if the message came alone in it. Valid only during the call.
 */
export type TakeMessage = (
  message: JSONRPCMessage,
  reply: Reply,
  line: Buffer | undefined,
) => boolean;

/**
 * The connection to one server: the pipes of a process, or HTTP. `close` ends our process, or our
 * HTTP session. It resolves after that end, and may be called again.
 */
export interface Wire extends Transport {
  readonly kind: 'process' | 'http';
  /** Takes a message. If it returns `false`, `onmessage` gets the message. */
  take?: TakeMessage;
  /** Sends a message as its original line, without the line end. Missing on a wire without lines. */
  sendLine?(message: JSONRPCMessage, line: Buffer): void;
  /** Resolves when there is room to send more; `undefined`: there is room now. Never rejects. */
  drained?(): Promise<unknown> | undefined;
  /** Everything that passes over the wire, in order. */
  readonly onDidPass: Event<Traffic>;
  /** Each line of the standard error of a process. */
  readonly onDidWriteStderr?: Event<string>;
  readonly lastLines?: readonly string[];
  /** Fires `true` when a person is asked, and `false` later. Time-outs must not count that time. */
  readonly onDidAskPerson?: Event<boolean>;
  /** The process id, if the server is a process of ours. */
  readonly pid?: number | null;
  /** Resolves when the wire is gone. After `close` or `kill`, ignore the value. Never rejects. */
  readonly ended: Promise<Failure>;
  /** How the process ended, if not normally. `undefined`: it ended normally, or the wire is still open. */
  readonly ending?: ServerEnding | undefined;
  /** The failure behind an error of the handshake or of a request. Never rejects. */
  explain(error: unknown): Promise<Failure>;
  /** Ends the wire immediately, without waiting. Call it only when our own process is about to end. */
  kill(): void;
}
