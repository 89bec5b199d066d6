import { exposedResult } from '../../expose/exposedResources.ts';
import { asRequestError } from '../refusals.ts';
import {
  type ExposedAnswer,
  type ExposedParts,
  findExposed,
  textParam,
  withMore,
} from './exposedCalls.ts';
import { withMeta } from './forwardedParams.ts';

/** The prompts of the servers, as prompts of the hub, which has none of its own. */
export function exposedPrompts({ prompts, children, calls }: ExposedParts): ExposedAnswer[] {
  return [
    [
      'prompts/list',
      async (_request, context) =>
        withMore({}, 'prompts', await prompts.list(await children.started(context))),
    ],
    [
      'prompts/get',
      async (request, context) => {
        const exposed = textParam(request, 'name');
        const found = await findExposed(prompts, children, exposed, context);
        if (!found) {
          throw Object.assign(new Error('There is no such prompt.'), { code: invalidParams });
        }
        const { child, name } = found;
        const args = request.params?.['arguments'] ?? {};
        const params = { name, arguments: args };
        const { name: serverName } = child.server;
        const call = {
          serverName,
          toolName: `prompt ${name}`,
          args,
          params,
          method: 'prompts/get',
        };
        return exposedResult(
          serverName,
          await asRequestError(calls.run(withMeta(request, call), context)),
        );
      },
    ],
  ];
}

const invalidParams = -32602;
