import { isJsonObject } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { ConfigFile } from '../config/configFile.ts';
import type { HubAnswer, HubHost, RawRequest, RawResult } from '../hubHost.ts';
import { withMore } from '../offers/offerRequests.ts';
import type { CallNames, GuardedCalls } from '../session/guardedCalls.ts';
import type { SessionUpstreams } from '../session/sessionUpstreams.ts';
import { hubTools, isHubTool, readArguments } from './hubTools.ts';
import { listServers } from './listServers.ts';
import { listTools } from './listTools.ts';

/** What the hub's own tools work with, of one session. */
interface ToolSession {
  readonly host: HubHost;
  readonly upstreams: SessionUpstreams;
  readonly calls: GuardedCalls;
  readonly config: ConfigFile;
}

/** Lists and answers the hub's own tools, beside those of the bundled server. */
export function hubToolAnswers(session: ToolSession): HubAnswer[] {
  return [
    ['tools/list', async (_request, _context, own) => withMore(await own(), 'tools', hubTools)],
    [
      'tools/call',
      async (request, context, own) => {
        if (!isHubTool(request.params?.['name'])) {
          return own();
        }
        return session.host.fitted(await callHubTool(session, request, context), undefined);
      },
    ],
  ];
}

/** @throws the error of a server, as it came. */
async function callHubTool(
  session: ToolSession,
  { params }: RawRequest,
  context: RequestContext,
): Promise<RawResult> {
  const name = String(params?.['name']);
  const given = params?.['arguments'];
  const read = readArguments(name, given);
  if (!read.ok) {
    const mistake = new HumanError('{0}', read.problem);
    if (name === 'call-tool') {
      session.calls.noteUnrun(namesIn(given), mistake, context);
    }
    throw mistake;
  }
  const { host, upstreams, calls, config } = session;
  const { serverName, toolName, toolArgs = {}, search } = read.args;
  switch (name) {
    case 'list-servers':
      return upstreams.look(context, (present, whyNoRoots) =>
        listServers(present, { config, whyNoRoots }),
      );
    case 'list-tools':
      return upstreams.use(context, present =>
        upstreams.listing(context.mcpReq.signal, ready =>
          listTools(
            present,
            { serverName: asText(serverName), search: asText(search), config },
            ready,
          ),
        ),
      );
    default:
      return calls.run(
        {
          serverName: String(serverName),
          toolName: String(toolName),
          args: toolArgs,
          method: 'tools/call',
          params: { name: toolName, arguments: toolArgs },
        },
        context,
        host.roots,
      );
  }
}

function namesIn(given: unknown): CallNames {
  const { serverName, toolName } = isJsonObject(given) ? given : {};
  return { serverName: asText(serverName) ?? '', toolName: asText(toolName) ?? '' };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
