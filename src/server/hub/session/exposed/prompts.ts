import type { ServerContext } from '@modelcontextprotocol/server';
import { HumanError } from '../../../../domain/errors.ts';
import { exposedResult } from '../../expose/exposedResources.ts';
import type { RawRequest, RawResult } from '../../hubHost.ts';
import { asRequestError } from '../refusals.ts';
import { type ExposedAnswer, type ExposedParts, textParam, withMore } from './exposedCalls.ts';
import { findExposed } from './exposedTargets.ts';
import { withMeta } from './forwardedParams.ts';

/** The prompts of the servers, as prompts of the hub, which has none of its own. */
export function exposedPrompts(parts: ExposedParts): ExposedAnswer[] {
  const { prompts, children } = parts;
  return [
    [
      'prompts/list',
      async (_request, context) =>
        withMore({}, 'prompts', await prompts.list(await children.started(context))),
    ],
    ['prompts/get', (request, context) => asRequestError(get(parts, request, context))],
  ];
}

async function get(
  parts: ExposedParts,
  request: RawRequest,
  context: ServerContext,
): Promise<RawResult> {
  const exposed = textParam(request, 'name');
  const sought = { exposed, toolName: `prompt ${exposed}` };
  const target = await findExposed(parts, parts.prompts, sought, context);
  if (!target) {
    throw new HumanError('There is no such prompt.');
  }
  const { serverName, name } = target;
  const args = request.params?.['arguments'] ?? {};
  const params = { name, arguments: args };
  const call = { serverName, toolName: `prompt ${name}`, args, params, method: 'prompts/get' };
  return exposedResult(serverName, await parts.calls.run(withMeta(request, call), context));
}
