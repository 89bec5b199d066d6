import {
  type AuthProvider,
  type FetchLike,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { inEnglish, sentence, type Words } from '../../../domain/sentence.ts';

interface Sending {
  readonly fetch: FetchLike;
  readonly authProvider?: AuthProvider;
}

/** What a stream reports to its owner, and what limits it. */
interface StreamEvents {
  readonly onLost: (message: Words) => void;
  readonly signal: AbortSignal;
  /** Time limit for the first event of an open stream, in milliseconds. */
  readonly longestOpening: number;
}

const events = 'text/event-stream';

/**
 * The SDK's transport for the older HTTP with SSE, of revision 2024-11-05. One stream brings all
 * messages, and its first event gives the address for ours. If none comes, `start` rejects with the
 * reason. When the stream ends, the server is lost: on a new stream, it would not know the session.
 */
export function sseTransport(
  url: URL,
  { fetch, authProvider }: Sending,
  { onLost, signal, longestOpening }: StreamEvents,
): Transport {
  const opening = new StreamOpening(longestOpening);
  const end = () => {
    const told = sentence("The stream of the server's messages has ended.");
    opening.fail(new Error(inEnglish(told)));
    onLost(told);
  };
  const sse = new SSEClientTransport(url, {
    ...(authProvider && { authProvider }),
    fetch: async (target, init) => {
      if (!isForStream(init)) {
        // The SDK does not report the status of a refused message.
        const response = await fetch(target, init);
        return response.ok ? response : refused(response, authProvider !== undefined);
      }
      try {
        const response = await fetch(target, init);
        return response.ok
          ? opening.followed(streamOf(response), end)
          : await refused(response, authProvider !== undefined);
      } catch (error) {
        opening.fail(error);
        throw error;
      }
    },
  });
  signal.addEventListener('abort', () => opening.fail(signal.reason));
  const start = sse.start.bind(sse);
  return Object.assign(sse, { start: () => opening.during(start()) });
}

/** If the opening of a stream fails, `during` rejects with the reason. The SDK tells a status. */
class StreamOpening {
  private readonly failure: Promise<never>;
  private readonly patience: number;
  private timer: NodeJS.Timeout | undefined;
  fail: (reason: unknown) => void = () => {};

  /** @param patience time limit for the first event of an open stream, in milliseconds. */
  constructor(patience: number) {
    this.patience = patience;
    this.failure = new Promise((_, reject) => {
      this.fail = reject;
    });
    this.failure.catch(() => {}); // Nobody may be waiting when it fails.
  }

  async during(start: Promise<void>): Promise<void> {
    start.catch(() => {}); // `this.failure` says more than this error.
    try {
      await Promise.race([this.failure, start]);
    } finally {
      clearTimeout(this.timer);
    }
  }

  /** Returns the response. Calls `onEnd` at its end. Starts the time limit for the first event. */
  followed(response: Response, onEnd: () => void): Response {
    const passage = new TransformStream<Uint8Array, Uint8Array>();
    const silent = new Error("The server's stream does not name the address for messages.");
    this.timer = setTimeout(() => this.fail(silent), this.patience);
    response.body?.pipeTo(passage.writable).then(onEnd, onEnd);
    return new Response(passage.readable, response);
  }
}

function isForStream(init: RequestInit | undefined): boolean {
  return new Headers(init?.headers).get('accept') === events;
}

/** @throws {SdkError} when the response is not a stream of events. */
function streamOf(response: Response): Response {
  const contentType = response.headers.get('content-type') ?? '';
  if (!contentType.trim().toLowerCase().startsWith(events)) {
    const message = `Unexpected content type: ${contentType}`;
    throw new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, message, { contentType });
  }
  return response;
}

/**
 * Returns a response that the SDK handles: a redirect, or a 401 that begins a sign-in.
 *
 * @throws {SdkHttpError} for any other status.
 */
async function refused(response: Response, canSignIn: boolean): Promise<Response> {
  const { status, statusText } = response;
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect || (status === 401 && canSignIn)) {
    return response;
  }
  const text = await response.text().catch(() => null);
  const code = SdkErrorCode.ClientHttpFailedToOpenStream;
  throw new SdkHttpError(code, `HTTP ${status} ${text ?? statusText}`, {
    status,
    statusText,
    text,
  });
}
