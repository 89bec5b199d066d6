import type { Logger } from '../../base/logger.ts';
import { isOfferedAs, nameCandidates, offeredName } from '../../domain/hubConfig/offeredNames.ts';
import { printable } from '../../domain/printable.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { GuardedCalls } from '../session/guardedCalls.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { listProblem, type OfferedTool } from './upstreamOffers.ts';

/** The server, and its own name of a tool, behind the name that a client uses. */
export interface OfferTarget {
  readonly serverName: string;
  /** The name on that server. Whether there is such a tool is for the server to say. */
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
 * The tools of all servers, in their order, under the names that clients have. Servers that do not run
 * are started for it; one that fails is left out, and that is logged.
 */
export async function listTools(
  { upstreams, logger }: OffersSession,
  context: RequestContext,
): Promise<readonly OfferedTool[]> {
  const started = await upstreams.started(context);
  const all = await Promise.all(started.map(upstream => toolsOf(upstream, logger)));
  const listed = new Map<string, OfferedTool>();
  for (const [index, { server }] of started.entries()) {
    for (const tool of all[index] ?? []) {
      const name = offeredName(server.name, tool.name);
      // Should two names ever have the same hash, `findTool` takes the first as well.
      listed.set(name, listed.get(name) ?? { ...tool, name });
    }
  }
  return [...listed.values()];
}

/**
 * Finds the target of a name; `undefined`: none, as of the bundled server's own tools, whose names have no
 * `__`. A server that alone can tell is started.
 *
 * @throws {HumanError} when that can't be found out; the audit log has the request then.
 */
export async function findTool(
  { upstreams, calls, config }: OffersSession,
  offered: string,
  context: RequestContext,
): Promise<OfferTarget | undefined> {
  if (!offered.includes('__')) {
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
    for (const { server, own } of nameCandidates(offered, servers)) {
      serverName = server;
      const upstream = byName.get(server);
      if (own !== undefined || !upstream) {
        return { serverName, own: own ?? offered, upstream };
      }
      try {
        await upstream.comeUp(context.mcpReq.signal);
        const tools = await upstream.offerings.tools();
        const found = tools.find(({ name }) => isOfferedAs(server, name, offered));
        if (found !== undefined) {
          return { serverName, own: found.name, upstream };
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
    calls.noteUnrun({ serverName, toolName: offered }, error, context);
    throw error;
  }
}

async function toolsOf({ server, isUp, offerings }: Upstream, logger: OffersSession['logger']) {
  try {
    return isUp ? await offerings.tools() : [];
  } catch (error) {
    logger.warn(`${printable(server.name)}: ${listProblem(error)}`);
    return [];
  }
}
