import {
  type FetchLike,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { longestTimer } from '../../../base/timeLimit.ts';
import { type Sentence, sentence, type Words } from '../../../domain/sentence.ts';
import type { KnownSecrets } from '../knownSecrets.ts';
import { AccessTokens } from '../oauth/accessTokens.ts';
import type { UnreadMessage } from '../unreadMessage.ts';
import { OutageError } from './httpFailure.ts';
import { addressOf, type HttpStart, headersOf, withHeaders } from './httpStart.ts';
import { limitedFetch } from './limitedFetch.ts';
import { sseTransport } from './sseTransport.ts';

/** Limit of attempts in a row to reopen a stream. After that, the server counts as lost. */
const mostReopenings = 5;
const reopening = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 8000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: mostReopenings,
};

/** What a transport reports to its owner, and what the owner tells it. */
interface HttpEvents {
  readonly secrets: KnownSecrets;
  readonly isReached: () => boolean;
  readonly onUnread: (message: UnreadMessage) => void;
  /** Called with `true` when a person is asked to sign in, and with `false` when that is over. */
  readonly onAskPerson: (isAsking: boolean) => void;
  /** Called when the server, or its session with us, is gone. */
  readonly onLost: (message: Words) => void;
  readonly signal: AbortSignal;
  /** Time limit for the first event on a stream of the older HTTP with SSE, in milliseconds. */
  readonly longestOpening: number;
}

/** A transport of the SDK, for either kind of HTTP. */
export type SdkTransport = Transport &
  Partial<Pick<StreamableHTTPClientTransport, 'terminateSession'>>;

/**
 * The SDK's transport to one server. Adds limits to what is read, the headers of the definition,
 * the sign-in of a person, and a watch over the session.
 *
 * @throws when the address or a header is not valid.
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
  return new StreamableHTTPClientTransport(url, {
    ...sending,
    reconnectionOptions: reopening,
    reconnectionScheduler: (reopen, delay) => {
      const timer = setTimeout(reopen, Math.min(Math.max(delay, shortestPause), longestTimer));
      return () => clearTimeout(timer);
    },
  });
}

export const sessionEnded: Sentence = { template: 'The server ended the session.', values: [] };
const notReopened = "The stream of the server's messages can't be opened again: {0}";

function tokensFor({ authorization, headers, isInteractive }: HttpStart, on: HttpEvents) {
  // A user who named an authorization header has chosen how to sign in.
  const hasKey = Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
  if (!authorization || hasKey) {
    return undefined;
  }
  return new AccessTokens({
    authorization,
    secrets: on.secrets,
    fetch: limitedFetch(),
    // Asks for a sign-in only until the server's first answer. A later page would surprise people.
    mayAsk: () => isInteractive === true && !on.isReached(),
    onAsk: on.onAskPerson,
    signal: on.signal,
  });
}

/** The shortest pause before a stream is reopened, in milliseconds, even if a server asks for less. */
const shortestPause = 200;

/** Finds out from requests and responses whether the server still knows our session. */
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

  private see({ method, headers }: RequestInit, response: Response): void {
    const { ok, status, headers: answered } = response;
    const isStream = method === 'GET';
    const sent = new Headers(headers);
    const isInSession = sent.has('mcp-session-id');
    // Servers with the SDK for Rust report a lost session by 401, without `www-authenticate`.
    const isSignIn = answered.has('www-authenticate') || sent.has('authorization');
    const isForgotten = status === 404 || (status === 401 && !isSignIn);
    // Many servers do not have the stream of `GET`, and report that by 404, too.
    if (isForgotten && isInSession && (method === 'POST' || (isStream && this.hadStream))) {
      this.onLost(sessionEnded);
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
