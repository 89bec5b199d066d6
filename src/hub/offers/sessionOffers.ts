import type { Logger } from '../../base/logger.ts';
import { isOfferedAs } from '../../domain/hubConfig/offeredNames.ts';
import { printable } from '../../domain/printable.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { CallNames, GuardedCalls } from '../session/guardedCalls.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import {
  listProblem,
  type Offer,
  type OfferKind,
  type Offers,
  offerKinds,
  type UpstreamOffers,
} from './upstreamOffers.ts';

/** A server whose offers are listed, running or not. */
export interface OfferingUpstream {
  readonly server: { readonly name: string };
  /** Whether it runs. Only then is it asked for its lists. */
  readonly isUp: boolean;
  readonly offerings: Pick<UpstreamOffers, 'list' | 'last'>;
  /** Starts it unless it runs. */
  comeUp(signal: AbortSignal): Promise<void>;
}

/** The server, and its own name or URI, behind one that a client uses. */
export interface OfferTarget {
  readonly serverName: string;
  /** The name or URI on that server. Whether there is such a thing is for the server to say. */
  readonly own: string;
  /** `undefined`: it has a mistake or is switched off in the configuration, so calls are refused. */
  readonly upstream?: OfferingUpstream;
}

/** The offers of a session's servers, under names and URIs that tell the servers apart. */
export class SessionOffers {
  private readonly upstreams: Pick<Upstreams, 'present' | 'started'>;
  private readonly calls: Pick<GuardedCalls, 'noteUnrun'>;
  private readonly config: Pick<ConfigFile, 'leftOut' | 'switchedOff'>;
  private readonly logger: Pick<Logger, 'warn'>;

  constructor(
    upstreams: Pick<Upstreams, 'present' | 'started'>,
    calls: Pick<GuardedCalls, 'noteUnrun'>,
    config: Pick<ConfigFile, 'leftOut' | 'switchedOff'>,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.upstreams = upstreams;
    this.calls = calls;
    this.config = config;
    this.logger = logger;
  }

  /** The offers of all servers of a kind. Servers that do not run are started for it. */
  async list<K extends OfferKind>(kind: K, context: RequestContext): Promise<readonly Offers[K][]> {
    return listOffers(kind, await this.upstreams.started(context), this.logger);
  }

  /**
   * Finds the target of a name or URI; `undefined`: none. A server that alone can tell is started.
   *
   * @param toolName what the audit log calls it until its server is known.
   * @throws {HumanError} when that can't be found out; the audit log has the request then.
   */
  async find(
    kind: OfferKind,
    offered: string,
    toolName: string,
    context: RequestContext,
  ): Promise<OfferTarget | undefined> {
    const { naming } = offerKinds[kind];
    if (naming.isForeign(offered)) {
      return undefined;
    }
    const present = await this.beforeCall({ serverName: '', toolName }, context, async () =>
      this.upstreams.present(context),
    );
    const found = await findOffer(kind, present, offered, this.logger);
    if (!found) {
      const servers = [...this.config.leftOut, ...this.config.switchedOff];
      const [candidate] = naming.candidates(offered, servers);
      return candidate && { serverName: candidate.server, own: candidate.own ?? offered };
    }
    const { upstream, own } = found;
    const { name: serverName } = upstream.server;
    if (own !== undefined) {
      return { serverName, own, upstream };
    }
    const { signal } = context.mcpReq;
    await this.beforeCall({ serverName, toolName }, context, () => upstream.comeUp(signal));
    const again = await findOffer(kind, [upstream], offered, this.logger);
    return again?.own === undefined ? undefined : { serverName, own: again.own, upstream };
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

/**
 * The offers of one kind of all servers, in their order, under the names or URIs that clients have. One that
 * fails is left out, and that is logged.
 */
export async function listOffers<K extends OfferKind>(
  kind: K,
  upstreams: readonly OfferingUpstream[],
  logger: Pick<Logger, 'warn'>,
): Promise<readonly Offers[K][]> {
  const { key, naming } = offerKinds[kind];
  const listed = new Map<string, Offers[K]>();
  for (const { upstream, offers } of await gather(kind, upstreams, logger)) {
    for (const offer of offers) {
      const offered = naming.offered(upstream.server.name, String((offer as Offer)[key]));
      // Should two names ever have the same hash, `findOffer` takes the first as well.
      listed.set(offered, listed.get(offered) ?? { ...offer, [key]: offered });
    }
  }
  return [...listed.values()];
}

/** Finds the target of an offered name or URI among servers that run, or can. */
interface FoundOffer {
  readonly upstream: OfferingUpstream;
  /** `undefined`: only that server can tell, and it does not run. */
  readonly own: string | undefined;
}

/** `undefined`: no server can have it. */
export async function findOffer(
  kind: OfferKind,
  upstreams: readonly OfferingUpstream[],
  offered: string,
  logger: Pick<Logger, 'warn'>,
): Promise<FoundOffer | undefined> {
  const { naming, key } = offerKinds[kind];
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
  for (const { upstream, offers } of await gather(kind, possible, logger)) {
    const names = offers.map((offer: Offer) => String(offer[key]));
    const own = names.find(name => isOfferedAs(upstream.server.name, name, offered));
    if (own !== undefined) {
      return { upstream, own };
    }
  }
  return candidates.find(({ upstream }) => !upstream.isUp);
}

function gather<K extends OfferKind>(
  kind: K,
  upstreams: readonly OfferingUpstream[],
  logger: Pick<Logger, 'warn'>,
) {
  return Promise.all(
    upstreams.map(async upstream => {
      try {
        return { upstream, offers: await offersOf(kind, upstream) };
      } catch (error) {
        logger.warn(`${printable(upstream.server.name)}: ${listProblem(error)}`);
        return { upstream, offers: [] };
      }
    }),
  );
}

async function offersOf<K extends OfferKind>(
  kind: K,
  { isUp, offerings }: OfferingUpstream,
): Promise<readonly Offers[K][]> {
  if (isUp) {
    return offerings.list(kind);
  }
  // Of a server that has stopped no resource is listed: which there are depends on the roots.
  return offerKinds[kind].key === 'name' ? (offerings.last(kind) ?? []) : [];
}
