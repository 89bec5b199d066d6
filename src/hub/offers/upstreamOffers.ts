import { type After, afterReal } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { Forwarded, ForwardedRequest } from '../../mcp/forwarding.ts';
import { type ListKind, type Offer, type OfferKind, type Offers, offerKinds } from './offers.ts';

/** What it takes of a server to list its offers. */
interface OfferingServer {
  /** A list without its capability is not asked for. `undefined`: the server does not run. */
  readonly capabilities: Readonly<Partial<Record<ListKind, unknown>>> | undefined;
  readonly ask: Ask;
}

/** In milliseconds: how long a server may take for all pages of a list. */
const longestListing = 10_000;
/** In milliseconds: how long a list that failed is not asked for again, since asking may be slow. */
const longestFailure = 30_000;

/** What one server offers. Its lists are read when they are first needed, and after each change. */
export class UpstreamOffers {
  private readonly server: OfferingServer;
  private readonly lists: { readonly [K in OfferKind]: CachedList<K> };

  constructor(server: OfferingServer, after: After = afterReal) {
    const ask: Ask = request => server.ask(request);
    this.server = server;
    this.lists = {
      tools: new CachedList('tools', ask, after),
      resources: new CachedList('resources', ask, after),
      resourceTemplates: new CachedList('resourceTemplates', ask, after),
      prompts: new CachedList('prompts', ask, after),
    };
  }

  /** As {@link list}, of the tools. */
  tools(): Promise<readonly Offers['tools'][]> {
    return this.list('tools');
  }

  /**
   * What the server lists, no name or URI twice; empty when it did not declare the capability.
   * @throws its own error, or a {@link HumanError} when it takes too long; for some time after that
   *   the same, without asking again.
   */
  async list<K extends OfferKind>(kind: K): Promise<readonly Offers[K][]> {
    return this.server.capabilities?.[offerKinds[kind].capability]
      ? (await this.lists[kind].get()).offers
      : [];
  }

  /** What the server listed last; `undefined` before, and when that may have changed. */
  known<K extends OfferKind>(kind: K): readonly Offers[K][] | undefined {
    return this.lists[kind].value?.offers;
  }

  /** The faults of the list that was read last, in finished sentences; `undefined`: none. */
  remark(kind: OfferKind): string | undefined {
    return this.lists[kind].value?.remark;
  }

  /** The list may have changed. */
  drop(kind: ListKind): void {
    this.lists[kind].drop();
    if (kind === 'resources') {
      this.lists.resourceTemplates.drop();
    }
  }

  /** The server is another process or connection from now on. */
  dropAll(): void {
    for (const list of Object.values(this.lists)) {
      list.drop();
    }
  }
}

/** One list, read again only when it may have changed. A failure is kept for a time, too. */
class CachedList<K extends OfferKind> {
  private readonly kind: K;
  private readonly ask: Ask;
  private readonly after: After;
  private reading: Promise<ReadOffers<K>> | undefined;
  private read: ReadOffers<K> | undefined;
  private retry: IDisposable | undefined;

  constructor(kind: K, ask: Ask, after: After) {
    this.kind = kind;
    this.ask = ask;
    this.after = after;
  }

  /** `undefined` before it is read, and when it may have changed. */
  get value(): ReadOffers<K> | undefined {
    return this.read;
  }

  /** @throws what asking failed with, now or a short time ago. */
  get(): Promise<ReadOffers<K>> {
    if (!this.reading) {
      const reading = this.readInTime();
      this.reading = reading;
      reading.then(
        read => {
          if (this.reading === reading) {
            this.read = read;
          }
        },
        () => {
          if (this.reading === reading) {
            this.retry = this.after(longestFailure, () => this.drop());
          }
        },
      );
    }
    return this.reading;
  }

  /** The list may have changed: one that is being read goes to who waits for it, and is not kept. */
  drop(): void {
    this.retry?.dispose();
    this.retry = undefined;
    this.reading = undefined;
    this.read = undefined;
  }

  private async readInTime(): Promise<ReadOffers<K>> {
    const end = new AbortController();
    let timer: IDisposable | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = this.after(longestListing, () => {
        const { method } = offerKinds[this.kind];
        const seconds = String(longestListing / 1000);
        reject(new HumanError('It did not answer {0} within {1} seconds.', method, seconds));
        end.abort();
      });
    });
    try {
      return await Promise.race([readOffers(this.kind, this.ask, end.signal), tooLate]);
    } finally {
      timer?.dispose();
    }
  }
}

/** What was read of one list. */
interface ReadOffers<K extends OfferKind> {
  readonly offers: readonly Offers[K][];
  /** The faults of the list, in finished sentences; `undefined`: none. */
  readonly remark: string | undefined;
}

/** Sends a server a request. */
type Ask = (request: ForwardedRequest) => Promise<Forwarded>;

type ListPage = Readonly<Record<string, unknown>>;

const mostPages = 100;
const longestCursor = 64 * 1024;
const methodNotFound = -32601;

/** Reads a list of a server page by page, as long as its pages lead to new ones. */
async function readOffers<K extends OfferKind>(
  kind: K,
  ask: Ask,
  signal: AbortSignal,
): Promise<ReadOffers<K>> {
  const { method } = offerKinds[kind];
  const pages = new OfferPages(kind);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && !signal.aborted; page += 1) {
    const result = await pageAt(ask, {
      method,
      params: cursor === undefined ? {} : { cursor },
      signal,
    });
    const hasRoom = pages.take(result?.[kind]);
    cursor = cursorIn(result);
    if (!hasRoom || cursor === undefined) {
      return pages.read;
    }
    if (cursors.has(cursor) || cursor.length > longestCursor) {
      break;
    }
    cursors.add(cursor);
  }
  pages.end();
  return pages.read;
}

/** `undefined`: the server knows no such request, though it declared the capability for it. */
async function pageAt(ask: Ask, request: ForwardedRequest): Promise<ListPage | undefined> {
  const answer = await ask(request).catch(error => {
    // Servers that have resources and no templates often leave out the request for those.
    if (isMethodNotFound(error)) {
      return undefined;
    }
    throw error;
  });
  if (answer?.kind === 'questions') {
    throw new HumanError('It asked back when it was asked for {0}.', request.method);
  }
  return answer?.result;
}

function isMethodNotFound(error: unknown): boolean {
  return error instanceof Object && 'code' in error && error.code === methodNotFound;
}

function cursorIn(page: ListPage | undefined): string | undefined {
  const cursor = page?.['nextCursor'];
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

const mostOffers = 10_000;
const mostBytes = 8 * 1024 * 1024;

/** Gathers the usable entries from the pages of one list, up to the most that one server may have. */
class OfferPages<K extends OfferKind> {
  private readonly method: string;
  private readonly key: string;
  private readonly keys = new Set<string>();
  private readonly offers: Offers[K][] = [];
  private bytes = 0;
  private leftOut = 0;
  private isFull = false;

  constructor(kind: K) {
    const { method, key } = offerKinds[kind];
    this.method = method;
    this.key = key;
  }

  get read(): ReadOffers<K> {
    const { offers, method, key, leftOut } = this;
    const entries = leftOut === 1 ? '1 entry' : `${leftOut} entries`;
    const reason = `without a ${key} of its own or nested too deep`;
    const sentences = [
      ...(leftOut > 0 ? [`${entries} of ${method} left out: ${reason}.`] : []),
      ...(this.isFull ? [`The answer to ${method} is too long: not all of it is used.`] : []),
    ];
    return { offers, remark: sentences.length > 0 ? sentences.join(' ') : undefined };
  }

  /** Whether more can be taken after this page. */
  take(page: unknown): boolean {
    for (const entry of Array.isArray(page) ? page : []) {
      const size = sizeOf(entry);
      this.bytes += size ?? 0;
      if (this.bytes > mostBytes || this.offers.length === mostOffers) {
        this.end();
        break;
      }
      if (size !== undefined && this.isNew(entry)) {
        this.offers.push(entry);
      } else {
        this.leftOut += 1;
      }
    }
    return !this.isFull;
  }

  /** Leaves out all that would come after this. */
  end(): void {
    this.isFull = true;
  }

  private isNew(entry: unknown): entry is Offers[K] {
    const key = isObject(entry) ? entry[this.key] : undefined;
    const isNew = typeof key === 'string' && key !== '' && !this.keys.has(key);
    if (isNew) {
      this.keys.add(key);
    }
    return isNew;
  }
}

function isObject(value: unknown): value is Offer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `undefined`: it can't be sent on. JSON can be parsed that is nested too deep to be written. */
function sizeOf(entry: unknown): number | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(entry) ?? '');
  } catch {
    return undefined;
  }
}
