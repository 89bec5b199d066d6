import { exposedResult } from '../../expose/exposedResources.ts';
import { asToolResult } from '../refusals.ts';
import {
  type ExposedAnswer,
  type ExposedParts,
  findExposed,
  textParam,
  withMore,
} from './exposedCalls.ts';
import { withMeta } from './forwardedParams.ts';

/** The tools of the servers, as tools of the hub. */
export function exposedTools({ host, tools, children, calls }: ExposedParts): ExposedAnswer[] {
  return [
    [
      'tools/list',
      async (_request, context, own) =>
        withMore(await own(), 'tools', await tools.list(await children.started(context))),
    ],
    [
      'tools/call',
      async (request, context, own) => {
        const found = await findExposed(tools, children, textParam(request, 'name'), context);
        if (!found) {
          return own();
        }
        const { child, name } = found;
        const args = request.params?.['arguments'] ?? {};
        const params = { name, arguments: args };
        const { name: serverName } = child.server;
        const call = { serverName, toolName: name, args, params, method: 'tools/call' };
        const result = await asToolResult(calls.run(withMeta(request, call), context));
        const fitted = host.fitted(result, tools.listed(child, name)?.['outputSchema']);
        return exposedResult(serverName, fitted);
      },
    ],
  ];
}
