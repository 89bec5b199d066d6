import type { IDisposable } from '../../base/disposable.ts';
import { type LogLevel, logLevels } from '../../domain/logLevels.ts';
import type { RelayedRequest } from '../../mcp/relayedRequests.ts';
import type { ServerLogEntry } from '../../mcp/serverMessages.ts';
import { asItCame, type RequestContext } from '../../server/requestContext.ts';
import type { HubHost, RawRequest, RawResult } from '../hubHost.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { SuspendableCall } from './suspendedCalls.ts';

/**
 * Relays the questions that an upstream (a legacy server behind the hub) asks while it works on a
 * call, to the client whose call that is: in a legacy session as
 * a request to the client, in the modern era as the answer to the call. A question does not say
 * which call it is about, so it goes with the latest call; all of them are of the same client.
 */
export class RelayToClient {
  private readonly host: Pick<HubHost, 'era'>;
  /** The requests of the client that have no answer yet, with the ids of their upstreams. */
  private readonly requests = new Map<RequestContext, string>();
  /** The client's calls that may be answered with a question, until they have their results. */
  private readonly calls = new Set<SuspendableCall>();

  constructor(host: Pick<HubHost, 'era'>) {
    this.host = host;
  }

  /** The calls that have no answer yet, the oldest first. */
  get callsInFlight(): Iterable<RequestContext> {
    return this.requests.keys();
  }

  /**
   * Notes a request of the client until its answer settles: the upstream's questions may be about
   * it meanwhile.
   */
  async during<T>(upstream: string, context: RequestContext, answer: Promise<T>): Promise<T> {
    this.requests.set(context, upstream);
    try {
      return await answer;
    } finally {
      this.requests.delete(context);
    }
  }

  /** Notes a call that may be answered with a question. */
  add(call: SuspendableCall): void {
    this.calls.add(call);
    void call.over.then(() => this.calls.delete(call));
  }

  async answer(
    { method, params }: RelayedRequest,
    signal: AbortSignal,
    upstream: string,
  ): Promise<RawResult> {
    const request = { method, params };
    const calls = [...this.calls].filter(({ begun }) => begun.upstream === upstream);
    // If none has an open request of the client, the latest of all.
    const call = calls.findLast(({ isInRound }) => isInRound) ?? calls.at(-1);
    if (call) {
      return call.ask(request, signal);
    }
    const [context] = [...this.requests].findLast(([, called]) => called === upstream) ?? [];
    if (this.host.era === 'legacy' && context) {
      // The form of the answer is between the server and the client; the hub does not check it.
      const options = { signal, timeout: longestAnswer };
      return (await context.mcpReq.send(request, asItCame, options)) as RawResult;
    }
    const error = new Error(`Nobody can be asked for ${method} now.`);
    throw Object.assign(error, { code: methodNotFound });
  }
}

const methodNotFound = -32601;

/** In milliseconds: the person who is asked may be away. */
const longestAnswer = 30 * 60_000;

/**
 * Passes on the log messages of a session's upstreams. A legacy client gets them from the level on
 * that it set; a modern client gets them within its calls, in each from the level on that it names.
 */
export class PassedLogs implements IDisposable {
  private readonly host: HubHost;
  private readonly upstreams: Pick<Upstreams, 'onDidLog' | 'setLogLevel'>;
  private readonly relay: Pick<RelayToClient, 'callsInFlight'>;
  private readonly listening: IDisposable;
  /** The least level that servers are asked for; `undefined` until a modern client names one. */
  private level: LogLevel | undefined;

  constructor(host: HubHost, upstreams: PassedLogs['upstreams'], relay: PassedLogs['relay']) {
    this.host = host;
    this.upstreams = upstreams;
    this.relay = relay;
    this.level = host.era === 'legacy' ? 'info' : undefined;
    this.listening = upstreams.onDidLog(({ upstream, entry }) =>
      this.pass(upstream.server.name, entry),
    );
  }

  /** Answers `logging/setLevel`, and asks the servers for messages of that level. */
  setLevel({ params }: RawRequest): RawResult {
    const level = logLevels.find(known => known === params?.['level']);
    if (!level) {
      const levels = logLevels.join(', ');
      throw Object.assign(new Error(`The level must be one of: ${levels}.`), { code: -32602 });
    }
    this.level = level;
    this.upstreams.setLogLevel(level);
    return {};
  }

  /**
   * Asks the servers for the log level of the call that is sent next. When that call is over, the
   * level stays: other calls may be in flight, and each call gets only the messages it wants.
   */
  heed(context: RequestContext): void {
    const wanted = this.host.logLevel(context);
    if (wanted && !isWanted(wanted, this.level)) {
      this.level = wanted;
      this.upstreams.setLogLevel(wanted);
    }
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** For a client that knows only the hub, its logger names the server, too. */
  private pass(server: string, { level, logger, text, isJson }: ServerLogEntry): void {
    const { host, relay } = this;
    const data = isJson ? asSent(text) : text;
    const params = { level, logger: logger === undefined ? server : `${server}/${logger}`, data };
    const method = 'notifications/message';
    if (host.era === 'legacy') {
      if (isWanted(level, this.level)) {
        host.notify(method, params);
      }
      return;
    }
    for (const context of relay.callsInFlight) {
      if (isWanted(level, host.logLevel(context))) {
        // Fails only when the client has ended the session.
        context.mcpReq.notify({ method, params }).catch(() => {});
      }
    }
  }
}

/** Whether a client that wants messages from a level on gets one of this level. */
function isWanted(level: LogLevel, least: LogLevel | undefined): boolean {
  return least !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(least);
}

function asSent(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json; // The text was cut, or a secret in it was left out.
  }
}
