import { type After, afterReal, startDeadline } from '../../base/clock.ts';
import { longestMessage } from '../../base/lineReader.ts';
import { messageOf } from '../../base/messageOf.ts';
import {
  nameCandidates,
  offeredName,
  offeredUri,
  uriCandidates,
} from '../../domain/hubConfig/offeredNames.ts';
import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import type { Listed } from '../../mcp/connection.ts';
import type { ForwardedRequest } from '../../mcp/forwarding.ts';
import type { RawResult } from '../hubHost.ts';

/** An entry of a list, as its server sent it: nothing is taken out of it, and nothing added. */
export type Offer = Readonly<Record<string, unknown>>;

export type OfferedTool = Offer & { readonly name: string };

/** The kinds of what a server can offer. */
export type OfferKind = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

/** The method and key that list one kind, and the names that the hub's clients have for its entries. */
interface OfferTraits {
  readonly method: string;
  /** The capability without which a server is not asked. Templates change with the resources. */
  readonly capability: Listed;
  /** The member that tells its entries apart. */
  readonly key: 'name' | 'uri' | 'uriTemplate';
  readonly naming: typeof names;
}

/** The names that clients have for what servers offer, so that two servers never collide. */
const names = {
  offered: offeredName,
  /** The servers among some that a name can belong to. */
  candidates: nameCandidates,
  /** Whether it can belong to no server behind the hub, as the bundled server's own tools. */
  isForeign: (name: string) => !name.includes('__'),
};

/** The same of URIs. */
const uris: typeof names = {
  offered: offeredUri,
  candidates: uriCandidates,
  isForeign: uri => !uri.includes('+'),
};

export const offerKinds: Readonly<Record<OfferKind, OfferTraits>> = {
  tools: { method: 'tools/list', capability: 'tools', key: 'name', naming: names },
  resources: { method: 'resources/list', capability: 'resources', key: 'uri', naming: uris },
  resourceTemplates: {
    method: 'resources/templates/list',
    capability: 'resources',
    key: 'uriTemplate',
    naming: uris,
  },
  prompts: { method: 'prompts/list', capability: 'prompts', key: 'name', naming: names },
};

/** The parts of an upstream that list its offers. */
interface OfferingServer {
  /** A list without its capability is not asked for. `undefined`: the server does not run. */
  readonly capabilities: Readonly<Partial<Record<Listed, unknown>>> | undefined;
  readonly forward: (request: ForwardedRequest) => Promise<RawResult>;
}

/** In milliseconds: how long a server may take for all pages of a list. */
const longestListing = 10_000;
/** Some servers have a next page for ever. */
const mostPages = 100;
const methodNotFound = -32601;

interface ReadOffers {
  readonly offers: readonly Offer[];
  /** The faults of the list, in finished sentences; `undefined`: none. */
  readonly remark: string | undefined;
}

/** A list that is read, or was. */
interface KeptList {
  readonly reading: Promise<ReadOffers>;
  /** `undefined` until it is there. */
  read?: ReadOffers;
}

/** The offers of one server. Its lists are read when first needed, and after each change. */
export class UpstreamOffers {
  private readonly server: OfferingServer;
  private readonly after: After;
  private readonly lists = new Map<OfferKind, KeptList>();

  constructor(server: OfferingServer, after: After = afterReal) {
    this.server = server;
    this.after = after;
  }

  /** As {@link list}, of the tools. */
  async tools(): Promise<readonly OfferedTool[]> {
    return (await this.list('tools')) as readonly OfferedTool[];
  }

  /**
   * The server's list, no name or URI twice; empty when it did not declare the capability.
   * @throws its own error, or a {@link HumanError} when it takes too long.
   */
  async list(kind: OfferKind): Promise<readonly Offer[]> {
    if (!this.server.capabilities?.[offerKinds[kind].capability]) {
      return [];
    }
    return (await (this.lists.get(kind) ?? this.begin(kind)).reading).offers;
  }

  /** The last list of its tools; `undefined` before, and when that may have changed. */
  get knownTools(): readonly OfferedTool[] | undefined {
    return this.lists.get('tools')?.read?.offers as readonly OfferedTool[] | undefined;
  }

  /** The faults of that list, in finished sentences; `undefined`: none. */
  get toolsRemark(): string | undefined {
    return this.lists.get('tools')?.read?.remark;
  }

  /** The list may have changed: one that is being read goes to who waits for it, and is not kept. */
  drop(kind: Listed): void {
    this.lists.delete(kind);
    if (kind === 'resources') {
      this.lists.delete('resourceTemplates');
    }
  }

  /** The server is another process or connection from now on. */
  dropAll(): void {
    this.lists.clear();
  }

  private begin(kind: OfferKind): KeptList {
    const kept: KeptList = { reading: this.readInTime(kind) };
    this.lists.set(kind, kept);
    kept.reading.then(
      read => {
        kept.read = read;
      },
      () => this.lists.get(kind) === kept && this.lists.delete(kind),
    );
    return kept;
  }

  private async readInTime(kind: OfferKind): Promise<ReadOffers> {
    const end = new AbortController();
    const tooLate = startDeadline(this.after, longestListing);
    const late = tooLate.over.then(() => {
      end.abort();
      const seconds = String(longestListing / 1000);
      const template = 'It did not answer {0} within {1} seconds.';
      throw new HumanError(template, offerKinds[kind].method, seconds);
    });
    try {
      return await Promise.race([readOffers(kind, this.server, end.signal), late]);
    } finally {
      tooLate.dispose();
    }
  }
}

/** Reads a list of a server page by page. */
async function readOffers(
  kind: OfferKind,
  server: Pick<OfferingServer, 'forward'>,
  signal: AbortSignal,
): Promise<ReadOffers> {
  const { method, key } = offerKinds[kind];
  const offers = new Map<unknown, Offer>();
  let [entries, pages, bytes] = [0, 0, 0];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await pageAt(server, { method, params, signal });
    const listed = page?.[kind];
    for (const entry of Array.isArray(listed) ? listed : []) {
      const own = isJsonObject(entry) ? entry[key] : undefined;
      entries += 1;
      if (typeof own === 'string' && own !== '' && !offers.has(own)) {
        offers.set(own, entry);
        bytes += JSON.stringify(entry).length;
      }
    }
    const { nextCursor } = page ?? {};
    cursor = typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
    pages += 1;
  } while (cursor !== undefined && pages < mostPages && bytes < longestMessage && !signal.aborted);
  const leftOut = entries - offers.size;
  const what = leftOut === 1 ? '1 entry' : `${leftOut} entries`;
  const sentences = [
    ...(leftOut > 0 ? [`${what} of ${method} left out: without a ${key} of its own.`] : []),
    ...(cursor === undefined
      ? []
      : [`The answer to ${method} is too long: not all of it is used.`]),
  ];
  return { offers: [...offers.values()], remark: sentences.join(' ') || undefined };
}

/** `undefined`: the server knows no such request, though it declared the capability for it. */
async function pageAt(server: Pick<OfferingServer, 'forward'>, request: ForwardedRequest) {
  return server.forward(request).catch(error => {
    // Servers that have resources and no templates often leave out the request for those.
    if (Object(error).code === methodNotFound) {
      return undefined;
    }
    throw error;
  });
}

/** Why a server's list can't be read, in finished sentences that are printable. */
export function listProblem(error: unknown): string {
  if (isHumanError(error)) {
    return error.message;
  }
  const reason = messageOf(error);
  return `It did not say what it offers: ${printable(reason.slice(0, 500))}`;
}
