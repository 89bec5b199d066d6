import type { HubAnswer, HubHost, RawRequest, RawResult } from '../hubHost.ts';
import { findTool, listTools, type OffersSession } from './sessionOffers.ts';

/**
 * Answers requests for tools: lists what the session's servers offer beside what the bundled server itself
 * does, and passes on the calls that are for them.
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

/** The last page of a list of tools, with more at its end. */
export function withMoreTools(listed: RawResult, more: readonly object[]): RawResult {
  const { tools } = listed;
  const own: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return { ...listed, tools: [...own, ...more] };
}

/** Empty where there is no text. */
function nameIn(params: RawRequest['params']): string {
  const name = params?.['name'];
  return typeof name === 'string' ? name : '';
}
