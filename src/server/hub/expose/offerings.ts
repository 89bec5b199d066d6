import type { IDisposable } from '../../../base/disposable.ts';
import { HumanError } from '../../../domain/errors.ts';
import { type After, afterReal } from '../../after.ts';
import { KeptAnswer } from './keptAnswer.ts';
import { type ListKind, listRequests, type OfferKind, type Offers } from './offers.ts';
import type { OffersRead } from './offersRead.ts';
import { type Ask, readOffers } from './readOffers.ts';

/** What is needed of a server to know what it offers. */
export interface OfferingServer {
  /** What it declared; what is not among it is not asked for. `undefined`: it does not run. */
  readonly capabilities: Readonly<Partial<Record<ListKind, unknown>>> | undefined;
  readonly forward: Ask;
}

/** In milliseconds: how long a server may take for all pages of a list. */
const longestListing = 10_000;

type Kept = { readonly [K in OfferKind]: KeptAnswer<OffersRead<K>> };

/** What one server offers. Its lists are read when they are first needed, and after each change. */
export class Offerings {
  private readonly server: OfferingServer;
  private readonly after: After;
  private readonly kept: Kept;

  constructor(server: OfferingServer, after: After = afterReal) {
    this.server = server;
    this.after = after;
    this.kept = {
      tools: new KeptAnswer(after),
      resources: new KeptAnswer(after),
      resourceTemplates: new KeptAnswer(after),
      prompts: new KeptAnswer(after),
    };
  }

  /** As {@link list}, of the tools. */
  tools(): Promise<readonly Offers['tools'][]> {
    return this.list('tools');
  }

  /**
   * What the server lists, each under another name or URI; empty where it declared no such thing.
   * @throws its own error, or a {@link HumanError} when it takes too long; for some time after that
   *   the same, without asking again.
   */
  async list<K extends OfferKind>(kind: K): Promise<readonly Offers[K][]> {
    if (!this.server.capabilities?.[listRequests[kind].capability]) {
      return [];
    }
    return (await this.keptOf(kind).get(() => this.read(kind))).offers;
  }

  /** What was listed last; `undefined`: it was not, or there may be others by now. */
  known<K extends OfferKind>(kind: K): readonly Offers[K][] | undefined {
    return this.keptOf(kind).value?.offers;
  }

  /** What is wrong with what was listed last, in finished sentences; `undefined`: nothing. */
  remark(kind: OfferKind): string | undefined {
    return this.kept[kind].value?.remark;
  }

  /** The server may offer others from now on. */
  drop(kind: ListKind): void {
    this.kept[kind].drop();
    if (kind === 'resources') {
      this.kept.resourceTemplates.drop();
    }
  }

  /** It is another process or connection from now on. */
  dropAll(): void {
    for (const kept of Object.values(this.kept)) {
      kept.drop();
    }
  }

  private keptOf<K extends OfferKind>(kind: K): KeptAnswer<OffersRead<K>> {
    return this.kept[kind];
  }

  private async read<K extends OfferKind>(kind: K): Promise<OffersRead<K>> {
    const end = new AbortController();
    let timer: IDisposable | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      timer = this.after(longestListing, () => {
        const seconds = String(longestListing / 1000);
        reject(
          new HumanError(
            'It did not answer {0} within {1} seconds.',
            listRequests[kind].method,
            seconds,
          ),
        );
        end.abort();
      });
    });
    const ask: Ask = request => this.server.forward(request);
    try {
      return await Promise.race([readOffers(kind, ask, end.signal), tooLate]);
    } finally {
      timer?.dispose();
    }
  }
}
