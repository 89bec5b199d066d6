import { type After, afterReal } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { type ListKind, type OfferKind, type Offers, offerKinds } from './offers.ts';
import { type Ask, type ReadOffers, readOffers } from './readOffers.ts';

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
