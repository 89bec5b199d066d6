import { afterReal, startDeadline } from '../../base/clock.ts';
import { toDisposable } from '../../base/disposable.ts';
import { Limiter, WaitingLine } from '../../base/limiter.ts';
import type { Json, Message } from '../../connect/messages.ts';
import { answerFrom, answerKey, type Snapshot } from '../../connect/snapshot.ts';
import type { DiscoveryClient } from '../../mcp/discoveryClient.ts';
import type { ResponseBody, Wire } from '../../mcp/wire.ts';
import { namesRevision } from './snapshots.ts';

/** The window, as far as it knows a server. */
export interface KnownServerHost {
  /** What the server said last. */
  readonly snapshot: () => Snapshot | undefined;
  /**
   * Has a process of the server say its handshake and lists; resolves to what went wrong.
   *
   * @param revision asked for in a handshake, if one is.
   * @throws HumanError why the server can't be used.
   */
  readonly discover: (isModern: boolean, revision: unknown) => Promise<DiscoveryClient['problems']>;
}

type Request = Pick<Message, 'params'> & { readonly method: string };
type Sent = Parameters<Wire['send']>[0];

/** The time that a client waits for what is not known yet, in milliseconds. */
const longestWait = 60_000;
const methodNotFound = { code: -32601, message: 'Method not found' };
const notYet = { code: -32000, message: 'The server has not answered yet. Try again.' };

/**
 * A server, as it answers clients that have no process. What it has not said yet, the window itself asks a
 * process for, one at a time.
 */
export class KnownServer {
  private readonly host: KnownServerHost;
  private readonly asking = new Limiter({ running: 1 });
  private readonly news = new WaitingLine();
  /** The errors for what the server does not answer, by the keys of the requests. */
  private readonly errors = new Map<string, ResponseBody>();

  constructor(host: KnownServerHost) {
    this.host = host;
  }

  /** The server has said more. */
  noteNews(): void {
    this.news.callAll();
  }

  /** Stands in for the process of one client. @param onFailure the server can't be asked. */
  wire(onFailure: (error: unknown) => void): Wire {
    const left = new AbortController();
    const take = (message: object) =>
      wire.take?.({ jsonrpc: '2.0', ...message } as Sent, () => {}, undefined);
    const wire: Wire = {
      kind: 'process',
      onDidPass: () => toDisposable(() => {}),
      ended: new Promise(() => {}),
      start: async () => {},
      send: async message => {
        if (!('method' in message && 'id' in message)) {
          return;
        }
        const { id, method } = message;
        if (method === 'subscriptions/listen') {
          take(acknowledged(id));
          return;
        }
        const answered = this.answer(message, left.signal).then(body => take({ id, ...body }));
        await answered.catch(onFailure);
      },
      close: async () => left.abort(),
      kill: () => {},
      explain: async error => ({ kind: 'protocol', message: String(error) }),
    };
    return wire;
  }

  private async answer(request: Request, left: AbortSignal): Promise<ResponseBody> {
    const limit = startDeadline(afterReal, longestWait);
    const told = async () => {
      while (!this.known(request)) {
        await this.news.join(left);
      }
    };
    if (!this.known(request)) {
      const asked = this.asking.run(() => this.ask(request), left);
      await Promise.race([told(), asked, limit.over]);
    }
    limit.dispose();
    return this.known(request) ?? { error: notYet };
  }

  private known({ method, params = {} }: Request): ResponseBody | undefined {
    const snapshot = this.host.snapshot();
    const asked = isMadeUp(method, params) ? latestIn(snapshot) : params;
    // Connectors repeat the log level to the process of their client.
    return method === 'logging/setLevel'
      ? { result: {} }
      : ((answerFrom(snapshot, method, asked) as ResponseBody | undefined) ??
          this.errors.get(keyOf(method, params)));
  }

  /** A page of a list is known with the one before it: a cursor that is not is made up. */
  private async ask(request: Request): Promise<void> {
    const { method, params = {} } = request;
    if (this.known(request) || params['cursor'] !== undefined) {
      return;
    }
    const isModern = answerKey(method, params).includes(' modern');
    const problems = await this.host.discover(isModern, params['protocolVersion']);
    if (!this.known(request)) {
      const key = keyOf(method, params);
      const error = problems.get('') ?? problems.get(method) ?? methodNotFound;
      this.errors.set(key, { error });
      // The next time it may succeed.
      if (error.code !== methodNotFound.code) {
        afterReal(longestWait, () => this.errors.delete(key));
      }
    }
  }
}

/** All revisions that clients make up have one key. */
function keyOf(method: string, params: Json): string {
  return isMadeUp(method, params) ? method : answerKey(method, params);
}

function isMadeUp(method: string, params: Json): boolean {
  return method === 'initialize' && !namesRevision(params);
}

/** A server answers a made-up revision by its latest. */
function latestIn(snapshot: Snapshot | undefined): Json {
  const keys = Object.keys(snapshot?.answers ?? {}).filter(key => key.startsWith('initialize '));
  return { protocolVersion: keys.sort().at(-1)?.split(' ')[1] };
}

/** The connector listens again at the process of its client: until then nothing is promised. */
function acknowledged(id: unknown) {
  const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
  const params = { _meta, notifications: {} };
  return { method: 'notifications/subscriptions/acknowledged', params };
}
