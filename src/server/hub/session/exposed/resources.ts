import type { ServerContext } from '@modelcontextprotocol/server';
import { HumanError } from '../../../../domain/errors.ts';
import { isFileUri } from '../../../../domain/paths/pathUri.ts';
import { printable } from '../../../../domain/printable.ts';
import { exposedContents } from '../../expose/exposedResources.ts';
import type { RawRequest, RawResult } from '../../hubHost.ts';
import { asRequestError } from '../refusals.ts';
import { type ExposedAnswer, type ExposedParts, textParam, withMore } from './exposedCalls.ts';
import { findExposedUri } from './exposedTargets.ts';
import { withMeta } from './forwardedParams.ts';

/** The resources of the servers, as resources of the hub. */
export function exposedResources(parts: ExposedParts): ExposedAnswer[] {
  const { resources, children } = parts;
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
      async (request, context, own) =>
        (await asRequestError(read(parts, request, context))) ?? own(),
    ],
  ];
}

/** `undefined`: it is no resource of a server, and may be a file. */
async function read(
  parts: ExposedParts,
  request: RawRequest,
  context: ServerContext,
): Promise<RawResult | undefined> {
  const method = 'resources/read';
  const exposed = textParam(request, 'uri');
  const target = await findExposedUri(parts, { exposed, toolName: method }, context);
  if (!target) {
    return isFileUri(exposed) || exposed === '' ? undefined : refuseUnknown(exposed);
  }
  const { serverName, name: uri } = target;
  const params = { uri };
  const call = { serverName, toolName: method, args: params, params, method };
  return exposedContents(serverName, await parts.calls.run(withMeta(request, call), context));
}

function refuseUnknown(uri: string): never {
  throw new HumanError(
    'No server has the resource "{0}", and it is not a file: URI. See resources/list.',
    printable(uri.slice(0, 200)),
  );
}
