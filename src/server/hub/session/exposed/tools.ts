import type { ServerContext } from '@modelcontextprotocol/server';
import { exposedResult } from '../../expose/exposedResources.ts';
import type { RawRequest, RawResult } from '../../hubHost.ts';
import { asToolResult } from '../refusals.ts';
import { type ExposedAnswer, type ExposedParts, textParam, withMore } from './exposedCalls.ts';
import { findExposed } from './exposedTargets.ts';
import { withMeta } from './forwardedParams.ts';

/** The tools of the servers, as tools of the hub. */
export function exposedTools(parts: ExposedParts): ExposedAnswer[] {
  const { tools, children } = parts;
  return [
    [
      'tools/list',
      async (_request, context, own) =>
        withMore(await own(), 'tools', await tools.list(await children.started(context))),
    ],
    [
      'tools/call',
      async (request, context, own) => (await asToolResult(call(parts, request, context))) ?? own(),
    ],
  ];
}

/** `undefined`: it is no tool of a server. */
async function call(
  parts: ExposedParts,
  request: RawRequest,
  context: ServerContext,
): Promise<RawResult | undefined> {
  const { host, tools, calls } = parts;
  const exposed = textParam(request, 'name');
  const target = await findExposed(parts, tools, { exposed, toolName: exposed }, context);
  if (!target) {
    return undefined;
  }
  const { serverName, name, child } = target;
  const args = request.params?.['arguments'] ?? {};
  const params = { name, arguments: args };
  const call = { serverName, toolName: name, args, params, method: 'tools/call' };
  const result = await calls.run(withMeta(request, call), context);
  const outputSchema = child && tools.listed(child, name)?.['outputSchema'];
  return exposedResult(serverName, host.fitted(result, outputSchema));
}
