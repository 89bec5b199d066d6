import { HumanError } from '../../domain/sentence.ts';
import type { Forwarded, ForwardedRequest } from '../../mcp/forwarding.ts';
import { type Offer, type OfferKind, type Offers, offerKinds } from './offers.ts';

/** What was read of one list. */
export interface ReadOffers<K extends OfferKind> {
  readonly offers: readonly Offers[K][];
  /** The faults of the list, in finished sentences; `undefined`: none. */
  readonly remark: string | undefined;
}

/** Sends a server a request. */
export type Ask = (request: ForwardedRequest) => Promise<Forwarded>;

type ListPage = Readonly<Record<string, unknown>>;

const mostPages = 100;
const longestCursor = 64 * 1024;
const methodNotFound = -32601;

/** Reads a list of a server page by page, as long as its pages lead to new ones. */
export async function readOffers<K extends OfferKind>(
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
