import type { Logger } from '../../base/logger.ts';
import { nameCandidates, offeredName } from '../../domain/hubConfig/offeredNames.ts';
import { printable } from '../../domain/printable.ts';
import type { HubAnswer, HubHost, RawRequest, RawResult } from '../../server/hubHost.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { GuardedCalls } from '../session/guardedCalls.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { listProblem, type OfferedTool } from './upstreamOffers.ts';

/** The server and the tool that a client means by a tool name of the hub. */
export interface OfferTarget {
  readonly serverName: string;
  /** The tool's name on the server. Only the server knows whether the tool exists. */
  readonly own: string;
  /** The server. `undefined`: calls are refused, because the server is switched off or has a mistake. */
  readonly upstream: Upstream | undefined;
}

/** The parts of a session that this file needs to find the tools of servers. */
export interface OffersSession {
  readonly upstreams: Pick<Upstreams, 'present' | 'started'>;
  readonly calls: Pick<GuardedCalls, 'noteUnrun' | 'run'>;
  readonly config: Pick<ConfigFile, 'leftOut' | 'switchedOff'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Answers requests for tools. Lists the servers' tools after the bundled server's tools, and sends
 * the calls of the servers' tools on to the servers.
 */
export function offerAnswers(host: HubHost, session: OffersSession): readonly HubAnswer[] {
  return [
    [
      'tools/list',
      async (_request, context, own) => {
        const page = await own();
        return page['nextCursor'] === undefined
          ? withMoreTools(page, await listTools(session, context))
          : page;
      },
    ],
    [
      'tools/call',
      async ({ params: asked }, context, own) => {
        const target = await findTool(session, nameIn(asked), context);
        if (!target) {
          return own();
        }
        const { serverName, own: name, upstream } = target;
        const args = asked?.['arguments'] ?? {};
        const params = { name, arguments: args };
        const call = { serverName, toolName: name, args, params };
        const result = await session.calls.run(call, context);
        const listed = upstream?.offerings.knownTools?.find(tool => tool.name === name);
        return host.fitted(result, listed?.['outputSchema']);
      },
    ],
  ];
}

/** The result of a list, with more tools at its end. */
export function withMoreTools(listed: RawResult, more: readonly object[]): RawResult {
  const { tools } = listed;
  const own: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return { ...listed, tools: [...own, ...more] };
}

/** The name in a request. Empty: the name is not a text. */
function nameIn(params: RawRequest['params']): string {
  const name = params?.['name'];
  return typeof name === 'string' ? name : '';
}

/**
 * Returns the tools of all servers, in the order of the servers, under the names for clients.
 * Starts servers that do not run. Leaves out a server that fails, and logs a warning.
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
      // Two long names may end in the same hash. The first tool stays, which `findTool` also finds.
      listed.set(name, listed.get(name) ?? { ...tool, name });
    }
  }
  return [...listed.values()];
}

/**
 * Finds the server and the tool behind a tool name of the hub. Starts a server if only the server
 * can say whether it has the tool. `undefined`: no server has it. A name of the bundled server has
 * no `__`.
 *
 * @throws {HumanError} when a server that may have the tool does not start. The audit notes this.
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
    // Running servers are asked first, so that perhaps none has to start.
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
        const found = tools.find(({ name }) => offeredName(server, name) === offered);
        if (found !== undefined) {
          return { serverName, own: found.name, upstream };
        }
      } catch (error) {
        failure ??= { of: server, error }; // Another server may still have the tool.
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
