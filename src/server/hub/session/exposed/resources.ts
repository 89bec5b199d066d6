import { exposedContents } from '../../expose/exposedResources.ts';
import { asRequestError } from '../refusals.ts';
import { type ExposedAnswer, type ExposedParts, textParam, withMore } from './exposedCalls.ts';
import { withMeta } from './forwardedParams.ts';

/** The resources of the servers, as resources of the hub. */
export function exposedResources({ resources, children, calls }: ExposedParts): ExposedAnswer[] {
  return [
    [
      'resources/list',
      async (_request, context, own) => {
        const page = await own();
        return page['nextCursor'] === undefined
          ? withMore(page, 'resources', await resources.list(await children.started(context)))
          : page;
      },
    ],
    [
      'resources/templates/list',
      async (_request, context, own) => {
        const templates = await resources.listTemplates(await children.started(context));
        return withMore(await own(), 'resourceTemplates', templates);
      },
    ],
    [
      'resources/read',
      async (request, context, own) => {
        const found = resources.find(children.present(context), textParam(request, 'uri'));
        if (!found) {
          return own();
        }
        const { child, uri } = found;
        const { name } = child.server;
        const method = 'resources/read';
        const target = { uri };
        const call = { serverName: name, toolName: method, args: target, params: target, method };
        const read = calls.run(withMeta(request, call), context);
        return exposedContents(name, await asRequestError(read));
      },
    ],
  ];
}
