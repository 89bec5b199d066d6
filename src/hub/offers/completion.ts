import { isJsonObject } from '../../domain/json.ts';
import type { RequestContext } from '../../server/requestContext.ts';
import type { RootsView } from '../../server/roots/rootsView.ts';
import type { SessionRoots } from '../../server/sessionRoots.ts';
import type { HubAnswer, HubHost, RawRequest } from '../hubHost.ts';
import type { GuardedCalls } from '../session/guardedCalls.ts';
import { asRequestError, pick, withMeta } from './offerForwarding.ts';
import type { OfferTarget, SessionOffers } from './sessionOffers.ts';

const method = 'completion/complete';
const noValues = { completion: { values: [] } };

/** The roots that the session's latest call went by. */
interface RootsBefore {
  /** `undefined`: there was no call yet. */
  readonly lastView: RootsView | undefined;
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
    const { ref, argument, context: around } = request.params ?? {};
    const found = await findReference(offers, ref, context);
    if (!found) {
      return undefined;
    }
    const asked = {
      argument: pick(argument, ['name', 'value']),
      ...(around !== undefined && { context: pick(around, ['arguments']) }),
    };
    const args = [asked, byName(asked.argument), { uri: found.given }];
    const params = { ref: found.ref, ...asked };
    const call = { serverName: found.serverName, toolName: method, args, params, method };
    return calls.run(withMeta(request, call), context, roots);
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

/** The argument as a call of the prompt has it: by its name the guard tells whether it is a path. */
function byName({ name, value }: Readonly<Record<string, unknown>>): object {
  return typeof name === 'string' && value !== '' ? { [name]: value } : {};
}

/**
 * The prompt or template whose argument is completed, as its server knows it. A template that the
 * server does not list came from the client: its URI is `given`, for the guard to judge.
 */
async function findReference(offers: SessionOffers, ref: unknown, context: RequestContext) {
  const { name, uri } = isJsonObject(ref) ? ref : {};
  const kind = typeof name === 'string' ? 'prompts' : 'resourceTemplates';
  const offered = typeof name === 'string' ? name : uri;
  if (typeof offered !== 'string') {
    return undefined;
  }
  const target = await offers.find(kind, { offered, toolName: method }, context);
  if (!target) {
    return undefined;
  }
  const { serverName, own } = target;
  if (kind === 'prompts') {
    return { serverName, ref: { type: 'ref/prompt', name: own }, given: undefined };
  }
  const given = (await isListed(target)) ? undefined : own;
  return { serverName, ref: { type: 'ref/resource', uri: own }, given };
}

async function isListed({ upstream, own }: OfferTarget): Promise<boolean> {
  try {
    const templates = upstream?.isUp ? await upstream.offerings.list('resourceTemplates') : [];
    return templates.some(({ uriTemplate }) => uriTemplate === own);
  } catch {
    // To be safe: then the guard judges the template.
    return false;
  }
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
      const isInPlace = lastView?.folders.scope.roots.every(root => root.whyNot() === undefined);
      return isAsking && lastView && isInPlace ? work(lastView) : done;
    },
  };
}
