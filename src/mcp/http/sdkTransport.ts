import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../failure.ts';
import type { KnownSecrets } from '../knownSecrets.ts';
import { AccessTokens } from '../oauth/accessTokens.ts';
import type { UnreadMessage } from '../unreadMessage.ts';
import { addressOf } from './address.ts';
import { headersOf, withHeaders } from './headers.ts';
import type { HttpStart } from './httpStart.ts';
import { limitedFetch } from './limitedFetch.ts';
import { mostReopenings, SessionWatch } from './sessionWatch.ts';
import { sseTransport } from './sseTransport.ts';
import { StreamKeeper } from './streamKeeper.ts';

const reopening = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 8000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: mostReopenings,
};

/** What happens on the way to a server, and what has to be known there. */
export interface HttpEvents {
  /** Gets what a sign-in brings. */
  readonly secrets: KnownSecrets;
  /** Whether the server has answered at all. */
  readonly isReached: () => boolean;
  /** A message came that is not read. */
  readonly onUnread: (message: UnreadMessage) => void;
  /** `true` while a person is asked to sign in; then `false`. */
  readonly onAskPerson: (isAsking: boolean) => void;
  /** The server, or its session with us, is not there any more. */
  readonly onLost: (message: string) => void;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  /** How long a stream of the older HTTP with SSE may be silent at first, in milliseconds. */
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
  const means = {
    fetch: watch.watching(tokens?.watching(fetch) ?? fetch),
    ...(tokens && { authProvider: tokens }),
  };
  if (start.transport === 'sse') {
    return sseTransport(url, means, on);
  }
  const streams = new StreamKeeper(() => void listen(http, on), on.signal);
  const http = new StreamableHTTPClientTransport(url, {
    ...means,
    fetch: streams.watching(means.fetch),
    reconnectionOptions: reopening,
    reconnectionScheduler: streams.schedule,
  });
  return http;
}

/** Opens the stream of messages, which has no event to go on from. */
async function listen(http: StreamableHTTPClientTransport, on: HttpEvents): Promise<void> {
  try {
    await http.resumeStream('');
  } catch (error) {
    on.onLost(`Its stream of messages can't be opened again: ${messageOf(error)}`);
  }
}

function tokensFor({ authorization, headers, isInteractive }: HttpStart, on: HttpEvents) {
  // Who names a key of his own has chosen how to sign in.
  const hasKey = Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
  if (!authorization || hasKey) {
    return undefined;
  }
  return new AccessTokens({
    authorization,
    secrets: on.secrets,
    fetch: limitedFetch(),
    // Later it would come out of nothing: the person who started the server has gone on to else.
    mayAsk: () => isInteractive === true && !on.isReached(),
    onAsk: on.onAskPerson,
    signal: on.signal,
  });
}
