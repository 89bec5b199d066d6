import { offeredUri } from '../../domain/hubConfig/offeredNames.ts';
import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { Answerer, HubAnswer, HubHost, RawRequest, RawResult } from '../hubHost.ts';
import { findOffer, listOffers, type OffersSession } from './sessionOffers.ts';
import { type OfferKind, offerKinds } from './upstreamOffers.ts';

type UsedKind = 'tools' | 'resources' | 'prompts';

/** The name in the audit of a request for one of them. */
const auditNames: Readonly<Record<UsedKind, (own: string) => string>> = {
  tools: name => name,
  resources: () => 'resources/read',
  prompts: name => `prompt ${name}`,
};

/**
 * Answers requests for tools, resources and prompts: lists what the session's servers offer beside
 * what the bundled server itself does, and passes on what is for them.
 */
export function offerAnswers(host: HubHost, session: OffersSession): readonly HubAnswer[] {
  const listing = (kind: OfferKind): HubAnswer => [
    offerKinds[kind].method,
    async (_request, context, own) => {
      // The bundled server has nothing but tools of its own.
      const page = kind === 'tools' ? await own() : {};
      return page['nextCursor'] === undefined
        ? withMore(page, kind, await listOffers(session, kind, context))
        : page;
    },
  ];

  const passing =
    (kind: UsedKind): Answerer =>
    async (request, context, own) => {
      const { method, params: asked } = request;
      const nameOf = auditNames[kind];
      const offered = textIn(asked, offerKinds[kind].key);
      const target = await findOffer(session, kind, offered, nameOf(offered), context);
      if (!target) {
        return kind === 'tools' ? own() : refuseUnknown(kind, offered);
      }
      const { serverName, own: name, upstream } = target;
      const given = asked?.['arguments'] ?? {};
      const [args, params] =
        kind === 'resources' ? [{ uri: name }, { uri: name }] : [given, { name, arguments: given }];
      const call = { serverName, toolName: nameOf(name), args, params, method };
      const result = offeredResult(serverName, await session.calls.run(call, context));
      const listed = upstream?.offerings.knownTools?.find(tool => tool.name === name);
      return kind === 'tools' ? host.fitted(result, listed?.['outputSchema']) : result;
    };

  return [
    ...(['tools', 'resources', 'resourceTemplates', 'prompts'] as const).map(listing),
    ['tools/call', passing('tools')],
    ['resources/read', passing('resources')],
    ['prompts/get', passing('prompts')],
  ];
}

/** The last page of a list, with more at its end. */
export function withMore(listed: RawResult, key: string, more: readonly object[]): RawResult {
  const own: readonly unknown[] = Array.isArray(listed[key]) ? listed[key] : [];
  return { ...listed, [key]: [...own, ...more] };
}

function refuseUnknown(kind: 'resources' | 'prompts', offered: string): never {
  if (kind === 'prompts') {
    throw new HumanError('There is no such prompt.');
  }
  throw new HumanError(
    'No server has the resource "{0}". See resources/list.',
    printable(offered.slice(0, 200)),
  );
}

/** Empty where there is no text. */
function textIn(params: RawRequest['params'], key: string): string {
  const value = params?.[key];
  return typeof value === 'string' ? value : '';
}

/**
 * A result for the hub's client: as it came, but with URIs by which the client can read the resources
 * that it links to or holds.
 */
export function offeredResult(server: string, result: RawResult): RawResult {
  const { content, contents, messages } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: withOfferedLinks(server, content) }),
    ...(Array.isArray(contents) && { contents: contents.map(one => withOfferedUri(server, one)) }),
    ...(Array.isArray(messages) && {
      messages: messages.map(message =>
        isJsonObject(message) && 'content' in message
          ? { ...message, content: withOfferedLinks(server, message['content']) }
          : message,
      ),
    }),
  };
}

function withOfferedLinks(server: string, content: unknown): unknown {
  if (Array.isArray(content)) {
    return content.map(item => withOfferedLinks(server, item));
  }
  if (!isJsonObject(content)) {
    return content;
  }
  const { type, resource } = content;
  if (type === 'resource' && resource !== undefined) {
    return { ...content, resource: withOfferedUri(server, resource) };
  }
  return type === 'resource_link' ? withOfferedUri(server, content) : content;
}

function withOfferedUri(server: string, content: unknown): unknown {
  return content instanceof Object && 'uri' in content && typeof content.uri === 'string'
    ? { ...content, uri: offeredUri(server, content.uri) }
    : content;
}
