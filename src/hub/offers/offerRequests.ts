import { offeredUri } from '../../domain/hubConfig/offeredNames.ts';
import { isJsonObject } from '../../domain/json.ts';
import { isFileUri } from '../../domain/paths/fileUri.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { HubAnswer, HubHost, RawRequest, RawResult } from '../hubHost.ts';
import type { GuardedCalls } from '../session/guardedCalls.ts';
import type { SessionOffers } from './sessionOffers.ts';
import { type Offer, type OfferKind, offerKinds } from './upstreamOffers.ts';

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
export function offerAnswers(
  host: HubHost,
  offers: SessionOffers,
  calls: GuardedCalls,
): readonly HubAnswer[] {
  const listing = (kind: OfferKind): HubAnswer => [
    offerKinds[kind].method,
    async (_request, context, own) => {
      // The bundled server has no prompts of its own.
      const page = kind === 'prompts' ? {} : await own();
      return page['nextCursor'] === undefined
        ? withMore(page, kind, await offers.list(kind, context))
        : page;
    },
  ];

  /** Passes on a request for one thing that a server offers; `undefined`: no server has it. */
  const use = async (kind: UsedKind, request: RawRequest, context: RequestContext) => {
    const { method, params: asked } = request;
    const nameOf = auditNames[kind];
    const offered = textIn(asked, offerKinds[kind].key);
    const target = await offers.find(kind, offered, nameOf(offered), context);
    if (!target) {
      return undefined;
    }
    const { serverName, own } = target;
    const given = asked?.['arguments'] ?? {};
    const [args, params] =
      kind === 'resources'
        ? [{ uri: own }, { uri: own }]
        : [given, { name: own, arguments: given }];
    const call = { serverName, toolName: nameOf(own), args, params, method };
    return { ...target, result: await calls.run(call, context) };
  };

  const callTool = async (request: RawRequest, context: RequestContext) => {
    const used = await use('tools', request, context);
    const tools = used?.upstream?.offerings.knownTools;
    const listed = tools?.find(({ name }) => name === used?.own);
    return (
      used && offeredResult(used.serverName, host.fitted(used.result, listed?.['outputSchema']))
    );
  };

  const readResource = async (request: RawRequest, context: RequestContext) => {
    const used = await use('resources', request, context);
    return used ? offeredContents(used.serverName, used.result) : noResource(request);
  };

  const getPrompt = async (request: RawRequest, context: RequestContext) => {
    const used = await use('prompts', request, context);
    if (!used) {
      throw new HumanError('There is no such prompt.');
    }
    return offeredResult(used.serverName, used.result);
  };

  return [
    ...(['tools', 'resources', 'resourceTemplates', 'prompts'] as const).map(listing),
    ['tools/call', async (request, context, own) => (await callTool(request, context)) ?? own()],
    [
      'resources/read',
      async (request, context, own) =>
        (await asRequestError(readResource(request, context))) ?? own(),
    ],
    ['prompts/get', (request, context) => asRequestError(getPrompt(request, context))],
  ];
}

/** The last page of a list, with more at its end. */
export function withMore(listed: RawResult, key: string, more: readonly object[]): RawResult {
  const own: readonly unknown[] = Array.isArray(listed[key]) ? listed[key] : [];
  return { ...listed, [key]: [...own, ...more] };
}

/** Refuses a resource that nobody has. A file is left to the bundled server, and so is no URI at all. */
function noResource({ params }: RawRequest): undefined {
  const uri = textIn(params, 'uri');
  if (!isFileUri(uri) && uri !== '') {
    throw new HumanError(
      'No server has the resource "{0}", and it is not a file: URI. See resources/list.',
      printable(uri.slice(0, 200)),
    );
  }
}

/** Empty where there is no text. */
function textIn(params: RawRequest['params'], key: string): string {
  const value = params?.[key];
  return typeof value === 'string' ? value : '';
}

/** The result of a read for the hub's client: as it came, but with the client's URIs in its contents. */
export function offeredContents(server: string, result: Offer): Offer {
  const { contents } = result;
  return Array.isArray(contents)
    ? { ...result, contents: contents.map(content => withOfferedUri(server, content)) }
    : result;
}

/**
 * The result of a tool or a prompt for the hub's client: as it came, but with URIs by which the client
 * can read the resources that it links to or holds.
 */
export function offeredResult(server: string, result: Offer): Offer {
  const { content, messages } = result;
  return {
    ...result,
    ...(Array.isArray(content) && { content: withOfferedLinks(server, content) }),
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

/**
 * For requests whose result has no place for an error: one that a person can act on becomes the
 * error of the request.
 */
async function asRequestError<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw isHumanError(error) ? Object.assign(error, { code: invalidParams }) : error;
  }
}

const invalidParams = -32602;
