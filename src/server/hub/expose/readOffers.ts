import { HumanError } from '../../../domain/errors.ts';
import type { Forwarded, ForwardedRequest } from '../../../mcp/forwarding.ts';
import { listRequests, type OfferKind } from './offers.ts';
import { OffersRead } from './offersRead.ts';

/** Sends a server a request. */
export type Ask = (request: ForwardedRequest) => Promise<Forwarded>;

type Page = Readonly<Record<string, unknown>>;

const mostPages = 100;
const longestCursor = 64 * 1024;
const methodNotFound = -32601;

/** Reads a list of a server page by page, as long as its pages lead to new ones. */
export async function readOffers<K extends OfferKind>(
  kind: K,
  ask: Ask,
  signal: AbortSignal,
): Promise<OffersRead<K>> {
  const { method } = listRequests[kind];
  const read = new OffersRead(kind);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && !signal.aborted; page += 1) {
    const result = await pageAt(ask, {
      method,
      params: cursor === undefined ? {} : { cursor },
      signal,
    });
    const hasRoom = read.take(result?.[kind]);
    cursor = cursorIn(result);
    if (!hasRoom || cursor === undefined) {
      return read;
    }
    if (cursors.has(cursor) || cursor.length > longestCursor) {
      break;
    }
    cursors.add(cursor);
  }
  read.end();
  return read;
}

/** `undefined`: the server knows no such list, though it offers what is listed in it. */
async function pageAt(ask: Ask, request: ForwardedRequest): Promise<Page | undefined> {
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

function cursorIn(page: Page | undefined): string | undefined {
  const cursor = page?.['nextCursor'];
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}
