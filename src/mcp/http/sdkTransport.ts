import {
  type FetchLike,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { messageOf } from '../../base/messageOf.ts';
import { longestTimer } from '../../base/timeLimit.ts';
import { sentence, type Words } from '../../domain/sentence.ts';
import type { KnownSecrets } from '../knownSecrets.ts';
import { AccessTokens } from '../oauth/accessTokens.ts';
import type { UnreadMessage } from '../unreadMessage.ts';
import { OutageError } from './httpFailure.ts';
import { addressOf, type HttpStart, headersOf, withHeaders } from './httpStart.ts';
import { limitedFetch } from './limitedFetch.ts';
import { sseTransport } from './sseTransport.ts';

/** The most times in a row that a stream is opened again before the server counts as lost. */
const mostReopenings = 5;
const reopening = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 8000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: mostReopenings,
};

/** The surroundings of a transport: what it reports, and what it must know. */
interface HttpEvents {
  readonly secrets: KnownSecrets;
  readonly isReached: () => boolean;
  readonly onUnread: (message: UnreadMessage) => void;
  /** `true` while a person is asked to sign in; then `false`. */
  readonly onAskPerson: (isAsking: boolean) => void;
  /** The server, or its session with us, is not there any more. */
  readonly onLost: (message: Words) => void;
  readonly signal: AbortSignal;
  /** The longest silence at first of a stream of the older HTTP with SSE, in milliseconds. */
  readonly longestOpening: number;
}

/** A transport of the SDK, whichever way its messages go. */
export type SdkTransport = Transport &
  Partial<Pick<StreamableHTTPClientTransport, 'terminateSession'>>;

/**
 * The transport of the SDK to one server, with limits to what is read, the headers of its definition,
 * the sign-in of a person, and a watch over its session.
 *
 * @throws when no server has such an address, or no request such headers.
 */
export function sdkTransport(start: HttpStart, on: HttpEvents): SdkTransport {
  const url = addressOf(start.url);
  const fetch = withHeaders(limitedFetch(on.onUnread), url.origin, headersOf(start.headers));
  const tokens = tokensFor(start, on);
  const watch = new SessionWatch(on.onLost);
  const sending = {
    fetch: watch.watching(tokens?.watching(fetch) ?? fetch),
    ...(tokens && { authProvider: tokens }),
  };
  if (start.transport === 'sse') {
    return sseTransport(url, sending, on);
  }
  const streams = new StreamKeeper(() => void listen(http, on), on.signal);
  const http = new StreamableHTTPClientTransport(url, {
    ...sending,
    fetch: streams.watching(sending.fetch),
    reconnectionOptions: reopening,
    reconnectionScheduler: streams.schedule,
  });
  return http;
}

const notReopened = "Its stream of messages can't be opened again: {0}";

/** Opens the stream of messages, from no event on. */
async function listen(http: StreamableHTTPClientTransport, on: HttpEvents): Promise<void> {
  try {
    await http.resumeStream('');
  } catch (error) {
    on.onLost(sentence(notReopened, messageOf(error)));
  }
}

function tokensFor({ authorization, headers, isInteractive }: HttpStart, on: HttpEvents) {
  // A user who names an authorization header has chosen how to sign in.
  const hasKey = Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
  if (!authorization || hasKey) {
    return undefined;
  }
  return new AccessTokens({
    authorization,
    secrets: on.secrets,
    fetch: limitedFetch(),
    // Ask for a sign-in only until the server has first answered: later, a browser page would come
    // as a surprise.
    mayAsk: () => isInteractive === true && !on.isReached(),
    onAsk: on.onAskPerson,
    signal: on.signal,
  });
}

/** A server may ask for its stream to be opened again sooner, but not without a pause. */
const shortestPause = 200;

/**
 * Reopens the stream on which a server sends its messages, at a limited rate. The SDK does not reopen
 * it after a response on it, which it takes for the last message: after an unexpected response, none
 * would arrive any more.
 */
class StreamKeeper {
  private readonly openAgain: () => void;
  private readonly signal: AbortSignal;
  private open = 0;
  private wasOpen = false;
  private readonly pending = new Set<NodeJS.Timeout>();

  /**
   * @param openAgain called when there was a stream, and none is open or about to be.
   * @param signal ends the watch.
   */
  constructor(openAgain: () => void, signal: AbortSignal) {
    this.openAgain = openAgain;
    this.signal = signal;
    signal.addEventListener('abort', () => this.pending.forEach(timer => void clearTimeout(timer)));
  }

  /** For the SDK: opens a stream again after a while; the answer calls that off. */
  readonly schedule = (reopen: () => void, delay: number): (() => void) => {
    const run = () => {
      this.pending.delete(timer);
      reopen();
    };
    const timer = setTimeout(run, Math.min(Math.max(delay, shortestPause), longestTimer));
    this.pending.add(timer);
    return () => clearTimeout(timer);
  };

  watching(fetch: FetchLike): FetchLike {
    return async (url, init = {}) => {
      const response = await fetch(url, init);
      const { body, ok } = response;
      if (init.method !== 'GET' || !ok || !body) {
        return response;
      }
      // A stream with an event id continues the answer to a call, and rightly ends with it.
      this.wasOpen ||= !new Headers(init.headers).has('last-event-id');
      return new Response(this.follow(body), response);
    };
  }

  private follow(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const passage = new TransformStream<Uint8Array, Uint8Array>();
    this.open += 1;
    const end = () => {
      this.open -= 1;
      // After the SDK has taken the last event, and decided whether to reopen.
      setImmediate(() => this.check());
    };
    body.pipeTo(passage.writable).then(end, end);
    return passage.readable;
  }

  private check(): void {
    const isSeenTo = this.signal.aborted || this.pending.size > 0;
    if (this.wasOpen && this.open === 0 && !isSeenTo) {
      this.schedule(this.openAgain, shortestPause);
    }
  }
}

/** Tells from the requests to a server whether it, and its session with us, are still there. */
class SessionWatch {
  private readonly onLost: (message: Words) => void;
  private hadStream = false;
  private failures = 0;

  constructor(onLost: (message: Words) => void) {
    this.onLost = onLost;
  }

  watching(fetch: FetchLike): FetchLike {
    return async (url, init = {}) => {
      try {
        const response = await fetch(url, init);
        this.see(init, response);
        return response;
      } catch (error) {
        this.seeOutage(init, error);
        throw error;
      }
    };
  }

  private see({ method, headers }: RequestInit, { ok, status }: Response): void {
    const isStream = method === 'GET';
    const isInSession = new Headers(headers).has('mcp-session-id');
    // Many servers have no such stream at all, and say that, too, by 404.
    if (status === 404 && isInSession && (method === 'POST' || (isStream && this.hadStream))) {
      this.onLost(sentence('It has ended the session.'));
    } else if (isStream && ok) {
      this.hadStream = true;
      this.failures = 0;
    } else if (isStream && this.hadStream) {
      this.countFailure(`HTTP ${status}`);
    }
  }

  private seeOutage({ method }: RequestInit, error: unknown): void {
    if (!(error instanceof OutageError)) {
      return;
    }
    if (!error.wasConnected) {
      this.onLost(error.sentence);
    } else if (method === 'GET') {
      this.countFailure(error.sentence);
    }
  }

  private countFailure(reason: Words): void {
    this.failures += 1;
    if (this.failures >= mostReopenings) {
      this.onLost(sentence(notReopened, reason));
    }
  }
}
