import { isFileUri } from '../../domain/paths/pathUri.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { HubAnswer, HubHost, RawRequest, RawResult } from '../hubHost.ts';
import { asRequestError } from '../session/callErrors.ts';
import type { GuardedCall, GuardedCalls } from '../session/guardedCalls.ts';
import { offeredContents, offeredResult, withMeta } from './offerForwarding.ts';
import type { OfferTarget, SessionOffers } from './sessionOffers.ts';

/**
 * Answers requests for tools, resources and prompts: lists what the session's servers offer beside
 * what the bundled server itself does, and passes on what is for them.
 */
export function offerAnswers(
  host: HubHost,
  offers: SessionOffers,
  calls: GuardedCalls,
): readonly HubAnswer[] {
  const use = (kind: UsedKind, request: RawRequest, context: RequestContext) =>
    useOffer(offers, call => calls.run(call, context, host.roots), { kind, request, context });

  const callTool = async (request: RawRequest, context: RequestContext) => {
    const used = await use('tools', request, context);
    if (!used) {
      return undefined;
    }
    const { serverName, own, upstream } = used.target;
    const listed = upstream && offers.lastListed('tools', upstream, own);
    return offeredResult(serverName, host.fitted(used.result, listed?.['outputSchema']));
  };

  const readResource = async (request: RawRequest, context: RequestContext) => {
    const used = await use('resources', request, context);
    return used ? offeredContents(used.target.serverName, used.result) : noResource(request);
  };

  const getPrompt = async (request: RawRequest, context: RequestContext) => {
    const used = await use('prompts', request, context);
    if (!used) {
      throw new HumanError('There is no such prompt.');
    }
    return offeredResult(used.target.serverName, used.result);
  };

  return [
    [
      'tools/list',
      async (_request, context, own) =>
        withMore(await own(), 'tools', await offers.list('tools', context)),
    ],
    ['tools/call', async (request, context, own) => (await callTool(request, context)) ?? own()],
    [
      'resources/list',
      async (_request, context, own) => {
        const page = await own();
        return page['nextCursor'] === undefined
          ? withMore(page, 'resources', await offers.list('resources', context))
          : page;
      },
    ],
    [
      'resources/templates/list',
      async (_request, context, own) => {
        const templates = await offers.list('resourceTemplates', context);
        return withMore(await own(), 'resourceTemplates', templates);
      },
    ],
    [
      'resources/read',
      async (request, context, own) =>
        (await asRequestError(readResource(request, context))) ?? own(),
    ],
    [
      // The bundled server has none of its own.
      'prompts/list',
      async (_request, context) => withMore({}, 'prompts', await offers.list('prompts', context)),
    ],
    ['prompts/get', (request, context) => asRequestError(getPrompt(request, context))],
  ];
}

/** The last page of a list, with more at its end. */
export function withMore(listed: RawResult, key: string, more: readonly object[]): RawResult {
  const own: readonly unknown[] = Array.isArray(listed[key]) ? listed[key] : [];
  return { ...listed, [key]: [...own, ...more] };
}

type UsedKind = 'tools' | 'resources' | 'prompts';

/** What the audit calls a request for one of them. */
const auditNames: Readonly<Record<UsedKind, (own: string) => string>> = {
  tools: name => name,
  resources: () => 'resources/read',
  prompts: name => `prompt ${name}`,
};

interface OfferUse {
  readonly kind: UsedKind;
  readonly request: RawRequest;
  readonly context: RequestContext;
}

/** Passes on a request for one thing that a server offers; `undefined`: no server has it. */
async function useOffer(
  offers: SessionOffers,
  run: (call: GuardedCall) => Promise<RawResult>,
  { kind, request, context }: OfferUse,
): Promise<{ readonly target: OfferTarget; readonly result: RawResult } | undefined> {
  const { method, params: asked } = request;
  const nameOf = auditNames[kind];
  const offered = textIn(asked, kind === 'resources' ? 'uri' : 'name');
  const target = await offers.find(kind, { offered, toolName: nameOf(offered) }, context);
  if (!target) {
    return undefined;
  }
  const { serverName, own } = target;
  const given = asked?.['arguments'] ?? {};
  const [args, params] =
    kind === 'resources' ? [{ uri: own }, { uri: own }] : [given, { name: own, arguments: given }];
  const call = { serverName, toolName: nameOf(own), args, params, method };
  return { target, result: await run(withMeta(request, call)) };
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
