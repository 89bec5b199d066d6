import { afterReal } from '../../base/clock.ts';
import { toDisposable } from '../../base/disposable.ts';
import { listen } from '../../base/endOfInput.ts';
import { Limiter, WaitingLine } from '../../base/limiter.ts';
import { within } from '../../base/timeLimit.ts';
import type { Json, Message } from '../../connect/messages.ts';
import { acknowledged, answerFrom, answerKey, type Snapshot } from '../../connect/snapshot.ts';
import type { DiscoveryClient } from '../../mcp/link/discoveryClient.ts';
import type { ResponseBody, Wire } from '../../mcp/process/wire.ts';
import { namesRevision } from './snapshots.ts';

/** How a window gets the answers of a server. */
export interface KnownServerHost {
  /** The server's last answers. */
  readonly snapshot: () => Snapshot | undefined;
  /**
   * Asks a process of the server for its handshake and lists. Resolves to the requests' errors.
   *
   * @param revision the revision that the handshake asks for, if there is a handshake.
   * @throws HumanError that says why the server can't be used.
   */
  readonly discover: (isModern: boolean, revision: unknown) => Promise<DiscoveryClient['problems']>;
}

type Request = Pick<Message, 'params'> & { readonly method: string };
type Sent = Parameters<Wire['send']>[0];

/** How many milliseconds a client waits for an answer that the window does not have. */
const longestWait = 60_000;
const methodNotFound = { code: -32601, message: 'Method not found' };
const notYet = { code: -32000, message: 'The server has not answered yet. Try again.' };

/**
 * Answers clients without a process from a server's stored answers. If an answer is missing, the
 * window asks a process of its own. Only one such process runs at a time.
 */
export class KnownServer {
  private readonly host: KnownServerHost;
  private readonly asking = new Limiter({ running: 1 });
  private readonly news = new WaitingLine();
  /** The errors for requests that the server does not support, by {@link keyOf}. */
  private readonly errors = new Map<string, ResponseBody>();

  constructor(host: KnownServerHost) {
    this.host = host;
  }

  /** Call this when more answers of the server are stored. */
  noteNews(): void {
    this.news.callAll();
  }

  /**
   * Whether a client that begins with this message needs no process yet. If the message is a
   * handshake, the list of tools must be stored, too, with all its pages.
   */
  isEnoughFor({ method = '', params = {} }: Message): boolean {
    const snapshot = this.host.snapshot();
    const stored = (asked: string, cursor?: unknown): Json | undefined =>
      Object(answerFrom(snapshot, asked, { ...params, cursor })).result;
    const answer = stored(method);
    const seen = new Set<unknown>();
    let page = Object(answer?.['capabilities']).tools ? stored('tools/list') : answer;
    for (let cursor = page?.['nextCursor']; cursor !== undefined && !seen.has(cursor); ) {
      seen.add(cursor);
      page = stored('tools/list', cursor);
      cursor = page?.['nextCursor'];
    }
    return answer !== undefined && page !== undefined;
  }

  /** Stands in for one client's process. Calls `onFailure` if no process can be asked. */
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
        if (method === listen) {
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
    const untilKnown = async () => {
      while (!this.known(request)) {
        await this.news.join(left);
      }
    };
    if (!this.known(request)) {
      const asked = this.asking.run(() => this.ask(request), left);
      await within(Promise.race([untilKnown(), asked]), longestWait, undefined);
    }
    return this.known(request) ?? { error: notYet };
  }

  private known({ method, params = {} }: Request): ResponseBody | undefined {
    const snapshot = this.host.snapshot();
    const asked = isMadeUp(method, params) ? latestIn(snapshot) : params;
    const known = answerFrom(snapshot, method, asked) as ResponseBody | undefined;
    return known ?? this.errors.get(keyOf(method, params));
  }

  /** Asks a process, except about a new cursor: all pages are stored, so the client invented it. */
  private async ask(request: Request): Promise<void> {
    const { method, params = {} } = request;
    if (this.known(request) || params['cursor'] !== undefined) {
      return;
    }
    const isModern = answerKey(method, params).includes(' modern');
    const problems = await this.host.discover(isModern, params['protocolVersion']);
    // The process was asked for all lists, so a list that is missing now is an error.
    const unknown = [method, ...problems.keys()].filter(
      one => !this.known({ method: one, params }),
    );
    for (const one of unknown) {
      const key = keyOf(one, params);
      const error = problems.get('') ?? problems.get(one) ?? methodNotFound;
      this.errors.set(key, { error });
      // After an error other than "Method not found", a later try may succeed.
      if (error.code !== methodNotFound.code) {
        afterReal(longestWait, () => this.errors.delete(key));
      }
    }
  }
}

/** The key of a request. All handshakes with an invented revision share one key. */
function keyOf(method: string, params: Json): string {
  return isMadeUp(method, params) ? method : answerKey(method, params);
}

function isMadeUp(method: string, params: Json): boolean {
  return method === 'initialize' && !namesRevision(params);
}

/** The latest stored revision, because a server answers an invented revision with its latest. */
function latestIn(snapshot: Snapshot | undefined): Json {
  const keys = Object.keys(snapshot?.answers ?? {}).filter(key => key.startsWith('initialize '));
  return { protocolVersion: keys.sort().at(-1)?.split(' ')[1] };
}
