import type { Logger } from '../../base/logger.ts';
import { isOfferedAs } from '../../domain/hubConfig/offeredNames.ts';
import { printable } from '../../domain/printable.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { GuardedCalls } from '../session/guardedCalls.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { listProblem, type Offer, type OfferKind, offerKinds } from './upstreamOffers.ts';

/** The server, and its own name or URI, behind one that a client uses. */
export interface OfferTarget {
  readonly serverName: string;
  /** The name or URI on that server. Whether there is such a thing is for the server to say. */
  readonly own: string;
  /** `undefined`: it has a mistake or is switched off in the configuration, so calls are refused. */
  readonly upstream: Upstream | undefined;
}

/** The parts of a session that its servers' offers are found by. */
export interface OffersSession {
  readonly upstreams: Pick<Upstreams, 'present' | 'started'>;
  readonly calls: Pick<GuardedCalls, 'noteUnrun' | 'run'>;
  readonly config: Pick<ConfigFile, 'leftOut' | 'switchedOff'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * The offers of one kind of all servers, in their order, under the names or URIs that clients have.
 * Servers that do not run are started for it; one that fails is left out, and that is logged.
 */
export async function listOffers(
  { upstreams, logger }: OffersSession,
  kind: OfferKind,
  context: RequestContext,
): Promise<readonly Offer[]> {
  const { key, naming } = offerKinds[kind];
  const started = await upstreams.started(context);
  const all = await Promise.all(started.map(upstream => offersOf(upstream, kind, logger)));
  const listed = new Map<string, Offer>();
  for (const [index, { server }] of started.entries()) {
    for (const offer of all[index] ?? []) {
      const offered = naming.offered(server.name, String(offer[key]));
      // Should two names ever have the same hash, `findOffer` takes the first as well.
      listed.set(offered, listed.get(offered) ?? { ...offer, [key]: offered });
    }
  }
  return [...listed.values()];
}

/**
 * Finds the target of a name or URI; `undefined`: none. A server that alone can tell is started.
 *
 * @param toolName what the audit log calls it until its server is known.
 * @throws {HumanError} when that can't be found out; the audit log has the request then.
 */
export async function findOffer(
  { upstreams, calls, config }: OffersSession,
  kind: OfferKind,
  offered: string,
  toolName: string,
  context: RequestContext,
): Promise<OfferTarget | undefined> {
  const { key, naming } = offerKinds[kind];
  if (naming.isForeign(offered)) {
    return undefined;
  }
  let serverName = '';
  let failure: { readonly of: string; readonly error: unknown } | undefined;
  try {
    const present = await upstreams.present(context);
    // Those that run are asked first: perhaps none has to be started.
    const inOrder = [...present].sort((one, other) => Number(other.isUp) - Number(one.isUp));
    const byName = new Map(inOrder.map(upstream => [upstream.server.name, upstream]));
    const { leftOut, switchedOff } = config;
    const servers = [...byName.keys(), ...leftOut, ...switchedOff];
    for (const { server, own } of naming.candidates(offered, servers)) {
      serverName = server;
      const upstream = byName.get(server);
      if (own !== undefined || !upstream) {
        return { serverName, own: own ?? offered, upstream };
      }
      try {
        await upstream.comeUp(context.mcpReq.signal);
        const names = (await upstream.offerings.list(kind)).map(offer => String(offer[key]));
        const found = names.find(name => isOfferedAs(server, name, offered));
        if (found !== undefined) {
          return { serverName, own: found, upstream };
        }
      } catch (error) {
        failure ??= { of: server, error }; // It may be of another server all the same.
      }
    }
    if (failure) {
      serverName = failure.of;
      throw failure.error;
    }
    return undefined;
  } catch (error) {
    calls.noteUnrun({ serverName, toolName }, error, context);
    throw error;
  }
}

async function offersOf(
  { server, isUp, offerings }: Upstream,
  kind: OfferKind,
  logger: OffersSession['logger'],
) {
  try {
    return isUp ? await offerings.list(kind) : [];
  } catch (error) {
    logger.warn(`${printable(server.name)}: ${listProblem(error)}`);
    return [];
  }
}
