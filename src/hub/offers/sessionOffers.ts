import type { Logger } from '../../base/logger.ts';
import { printable } from '../../domain/printable.ts';
import { isHumanError } from '../../domain/sentence.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { CallNames, GuardedCalls } from '../session/guardedCalls.ts';
import type { SessionUpstreams } from '../session/sessionUpstreams.ts';
import { type Offer, type OfferKind, type Offers, offerKinds } from './offers.ts';
import type { UpstreamOffers } from './upstreamOffers.ts';

/** A server whose offers are listed, running or not. */
export interface OfferingUpstream {
  readonly server: { readonly name: string; readonly fingerprint: string };
  /** Whether it runs. Only then is it asked for its lists. */
  readonly isUp: boolean;
  readonly offerings: Pick<UpstreamOffers, 'list'>;
  /** Starts it unless it runs. */
  comeUp(signal: AbortSignal): Promise<void>;
}

/** What a name or URI that a client uses stands for. */
export interface OfferTarget {
  readonly serverName: string;
  /** The name or URI on that server. Whether there is such a thing is for the server to say. */
  readonly own: string;
  /** `undefined`: it has a mistake or is switched off in the configuration, so calls are refused. */
  readonly upstream?: OfferingUpstream;
}

/** What a request asks for, and what the audit log calls that until its server is known. */
interface Sought {
  readonly offered: string;
  readonly toolName: string;
}

/**
 * What the servers of one session offer, under names and URIs that tell the servers apart. Sessions
 * share none of it, because a tool's description may name the folders of its session.
 */
export class SessionOffers {
  private readonly upstreams: Pick<SessionUpstreams, 'present' | 'started'>;
  private readonly calls: Pick<GuardedCalls, 'noteUnrun'>;
  private readonly config: Pick<ConfigFile, 'leftOut' | 'switchedOff'>;
  private readonly lists: { readonly [K in OfferKind]: OfferedList<K> };

  constructor(
    upstreams: Pick<SessionUpstreams, 'present' | 'started'>,
    calls: Pick<GuardedCalls, 'noteUnrun'>,
    config: Pick<ConfigFile, 'leftOut' | 'switchedOff'>,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.upstreams = upstreams;
    this.calls = calls;
    this.config = config;
    this.lists = {
      tools: new OfferedList('tools', logger),
      resources: new OfferedList('resources', logger),
      resourceTemplates: new OfferedList('resourceTemplates', logger),
      prompts: new OfferedList('prompts', logger),
    };
  }

  /** What all servers offer of a kind. Those that do not run are started for it, if they can be. */
  async list<K extends OfferKind>(kind: K, context: RequestContext): Promise<readonly Offers[K][]> {
    return this.lists[kind].list(await this.upstreams.started(context));
  }

  /** The entry as the server last listed it in this session; `undefined`: it did not. */
  lastListed(kind: OfferKind, upstream: OfferingUpstream, own: string): Offer | undefined {
    return this.lists[kind].lastListed(upstream, own);
  }

  /**
   * What a name or URI stands for; `undefined`: nothing. A server that alone can tell is started.
   * @throws {HumanError} when that can't be found out; the audit log has the request then.
   */
  async find(
    kind: OfferKind,
    { offered, toolName }: Sought,
    context: RequestContext,
  ): Promise<OfferTarget | undefined> {
    const list: OfferedList<OfferKind> = this.lists[kind];
    const { naming } = offerKinds[kind];
    if (naming.isForeign(offered)) {
      return undefined;
    }
    const present = await this.beforeCall({ serverName: '', toolName }, context, async () =>
      this.upstreams.present(context),
    );
    const found = await list.find(present, offered);
    if (!found) {
      return this.ofServerNotRun(kind, offered);
    }
    const { upstream, own } = found;
    const { name: serverName } = upstream.server;
    if (own !== undefined) {
      return { serverName, own, upstream };
    }
    const { signal } = context.mcpReq;
    await this.beforeCall({ serverName, toolName }, context, () => upstream.comeUp(signal));
    const again = await list.find([upstream], offered);
    return again?.own === undefined ? undefined : { serverName, own: again.own, upstream };
  }

  private ofServerNotRun(kind: OfferKind, offered: string): OfferTarget | undefined {
    const servers = [...this.config.leftOut, ...this.config.switchedOff];
    const [candidate] = offerKinds[kind].naming.candidates(offered, servers);
    return candidate && { serverName: candidate.server, own: candidate.own ?? offered };
  }

  /** Does what comes before a call. When that fails, the audit log has the call all the same. */
  private async beforeCall<T>(
    names: CallNames,
    context: RequestContext,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.calls.noteUnrun(names, error, context);
      throw error;
    }
  }
}

/** What an offered name or URI stands for among servers that run, or can. */
interface FoundOffer {
  readonly upstream: OfferingUpstream;
  /** `undefined`: only that server can tell, and it does not run. */
  readonly own: string | undefined;
}

/** What several servers offer of one kind. */
export class OfferedList<K extends OfferKind> {
  private readonly kind: K;
  private readonly logger: Pick<Logger, 'warn'>;
  /** What the servers listed when they last ran, by their fingerprints. */
  private readonly remembered = new Map<string, readonly Offers[K][]>();

  constructor(kind: K, logger: Pick<Logger, 'warn'>) {
    this.kind = kind;
    this.logger = logger;
  }

  /**
   * What all servers offer, in their order, under the names or URIs that clients have. A server that
   * does not run is listed as it is remembered. One that fails is left out, and that is logged.
   */
  async list(upstreams: readonly OfferingUpstream[]): Promise<readonly Offers[K][]> {
    const { key, naming } = offerKinds[this.kind];
    const listed = new Map<string, Offers[K]>();
    for (const { upstream, offers } of await this.gather(upstreams)) {
      for (const offer of offers) {
        const offered = naming.offered(upstream.server.name, this.ownOf(offer));
        // Should two names ever have the same hash, `find` takes the first as well.
        listed.set(offered, listed.get(offered) ?? { ...offer, [key]: offered });
      }
    }
    return [...listed.values()];
  }

  /** `undefined`: no server can have it. */
  async find(
    upstreams: readonly OfferingUpstream[],
    offered: string,
  ): Promise<FoundOffer | undefined> {
    const { naming } = offerKinds[this.kind];
    const byName = new Map(upstreams.map(upstream => [upstream.server.name, upstream]));
    const candidates = naming.candidates(offered, [...byName.keys()]).flatMap(candidate => {
      const upstream = byName.get(candidate.server);
      return upstream ? { upstream, own: candidate.own } : [];
    });
    const told = candidates.find(({ own }) => own !== undefined);
    if (told) {
      return told;
    }
    const possible = candidates.map(({ upstream }) => upstream);
    for (const { upstream, offers } of await this.gather(possible)) {
      const { name } = upstream.server;
      const offer = offers.find(one => naming.isOfferedAs(name, this.ownOf(one), offered));
      if (offer) {
        return { upstream, own: this.ownOf(offer) };
      }
    }
    return candidates.find(({ upstream }) => !upstream.isUp);
  }

  /** Only for kinds that are remembered. */
  lastListed({ server }: OfferingUpstream, own: string): Offers[K] | undefined {
    return this.remembered.get(server.fingerprint)?.find(offer => this.ownOf(offer) === own);
  }

  private ownOf(offer: Offer): string {
    return String(offer[offerKinds[this.kind].key]);
  }

  private gather(upstreams: readonly OfferingUpstream[]) {
    return Promise.all(
      upstreams.map(async upstream => {
        try {
          return { upstream, offers: await this.of(upstream) };
        } catch (error) {
          this.logger.warn(`${printable(upstream.server.name)}: ${problemOf(error)}`);
          return { upstream, offers: [] };
        }
      }),
    );
  }

  private async of({ server, isUp, offerings }: OfferingUpstream): Promise<readonly Offers[K][]> {
    if (!isUp) {
      return this.remembered.get(server.fingerprint) ?? [];
    }
    const offers = await offerings.list(this.kind);
    if (offerKinds[this.kind].isRemembered) {
      this.remembered.set(server.fingerprint, offers);
    }
    return offers;
  }
}

function problemOf(error: unknown): string {
  if (isHumanError(error)) {
    return error.message;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `It did not say what it offers: ${printable(reason.slice(0, 500))}`;
}
