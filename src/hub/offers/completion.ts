import { isJsonObject } from '../../domain/json.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { RootsView } from '../../server/roots/rootsView.ts';
import type { SessionRoots } from '../../server/sessionRoots.ts';
import type { HubAnswer, HubHost, RawRequest } from '../hubHost.ts';
import { asRequestError } from '../session/callErrors.ts';
import type { GuardedCall, GuardedCalls } from '../session/guardedCalls.ts';
import { pick, withMeta } from './offerForwarding.ts';
import type { OfferTarget, SessionOffers } from './sessionOffers.ts';

/** The prompt or template whose argument is completed, as its server knows it. */
interface FoundReference {
  readonly serverName: string;
  readonly ref: Readonly<Record<string, unknown>>;
  /** The URI, for the guard to judge, when it is no template that the server lists. */
  readonly given?: string;
}

/** Completes the arguments of offered prompts, and of the templates of offered resources. */
export function completionAnswer(
  host: HubHost,
  offers: SessionOffers,
  calls: GuardedCalls,
  before: RootsBefore,
): HubAnswer {
  const roots = rootsOrLast(host.roots, before);
  const complete = async (request: RawRequest, context: RequestContext) => {
    const found = await findReference(offers, request.params?.['ref'], context);
    return found && calls.run(callFor(found, request), context, roots);
  };
  return [
    method,
    async (request, context, own) => {
      const completed = await asRequestError(complete(request, context));
      // The protocol allows no question in the place of this answer.
      return completed?.['resultType'] === 'input_required' ? noValues : (completed ?? own());
    },
  ];
}

const method = 'completion/complete';
const noValues = { completion: { values: [] } };

function callFor({ serverName, ref, given }: FoundReference, request: RawRequest): GuardedCall {
  const { argument, context } = request.params ?? {};
  const asked = {
    argument: pick(argument, ['name', 'value']),
    ...(context !== undefined && { context: pick(context, ['arguments']) }),
  };
  return withMeta(request, {
    serverName,
    toolName: method,
    args: [asked, byName(asked.argument), { uri: given }],
    params: { ref, ...asked },
    method,
  });
}

/** The argument as a call of the prompt has it: by its name the guard tells whether it is a path. */
function byName({ name, value }: Readonly<Record<string, unknown>>): object {
  return typeof name === 'string' && value !== '' ? { [name]: value } : {};
}

async function findReference(
  offers: SessionOffers,
  ref: unknown,
  context: RequestContext,
): Promise<FoundReference | undefined> {
  const { name, uri } = isJsonObject(ref) ? ref : {};
  if (typeof name === 'string') {
    const prompt = await offers.find('prompts', { offered: name, toolName: method }, context);
    return prompt && { ...prompt, ref: { type: 'ref/prompt', name: prompt.own } };
  }
  if (typeof uri !== 'string') {
    return undefined;
  }
  const sought = { offered: uri, toolName: method };
  const template = await offers.find('resourceTemplates', sought, context);
  return template && referenceTo(template);
}

/** A template that the server lists is its own, wherever it begins. Any other came from the client. */
async function referenceTo({ serverName, own, upstream }: OfferTarget): Promise<FoundReference> {
  const found = { serverName, ref: { type: 'ref/resource', uri: own } };
  return (await isListed(upstream, own)) ? found : { ...found, given: own };
}

async function isListed(upstream: OfferTarget['upstream'], uri: string): Promise<boolean> {
  try {
    const templates = upstream?.isUp ? await upstream.offerings.list('resourceTemplates') : [];
    return templates.some(({ uriTemplate }) => uriTemplate === uri);
  } catch {
    // To be safe: then the guard judges the template.
    return false;
  }
}

/** The roots that the session's latest call went by. */
interface RootsBefore {
  /** `undefined`: there was no call yet. */
  readonly lastView: RootsView | undefined;
}

/**
 * The session's roots, for a request that can't be answered with a question for them: instead of
 * asking, the request goes by the roots of the session's latest call. It is the question all the
 * same when there was no call, or when one of those roots is not in place any more.
 */
function rootsOrLast(
  roots: Pick<SessionRoots, 'use'>,
  before: RootsBefore,
): Pick<SessionRoots, 'use'> {
  return {
    use: async (context, work, revoked) => {
      let isAsking = true;
      const working: typeof work = (view, signal) => {
        isAsking = false;
        return work(view, signal);
      };
      const done = await roots.use(context, working, revoked);
      const { lastView } = before;
      const { roots: last } = lastView?.folders.scope ?? {};
      const isInPlace = last?.every(root => root.whyNot() === undefined);
      return isAsking && lastView && isInPlace ? work(lastView) : done;
    },
  };
}
