import type { ServerContext } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../domain/json.ts';
import { isInPlace } from '../../server/roots/rootFolders.ts';
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
  /** The URI where the client made it up, and the server did not list it. */
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
  const complete = async (request: RawRequest, context: ServerContext) => {
    const found = await findReference(offers, request.params?.['ref'], context);
    return found && calls.run(callFor(found, request), context, roots);
  };
  return [
    method,
    async (request, context, own) => {
      const completed = await asRequestError(complete(request, context));
      // A question is no answer to this request, and there is no other way to ask.
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

/** The value as the prompt would be given it, for its name says what it is; empty, it says nothing. */
function byName({ name, value }: Readonly<Record<string, unknown>>): object {
  return typeof name === 'string' && value !== '' ? { [name]: value } : {};
}

async function findReference(
  offers: SessionOffers,
  ref: unknown,
  context: ServerContext,
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

/** A template may begin at the root of the file system: that is for its server to say. */
async function referenceTo({ serverName, own, upstream }: OfferTarget): Promise<FoundReference> {
  const found = { serverName, ref: { type: 'ref/resource', uri: own } };
  return (await isListed(upstream, own)) ? found : { ...found, given: own };
}

async function isListed(upstream: OfferTarget['upstream'], uri: string): Promise<boolean> {
  try {
    const templates = upstream?.isUp ? await upstream.offerings.list('resourceTemplates') : [];
    return templates.some(({ uriTemplate }) => uriTemplate === uri);
  } catch {
    // A template that the server does not name is taken for the client's.
    return false;
  }
}

/** The roots by which servers were taken last. */
interface RootsBefore {
  /** `undefined`: there were none yet. */
  readonly lastView: RootsView | undefined;
}

/**
 * The roots for a request that can't be answered with a question for them: where there would be
 * one, those that the session had last. Where none were ever known, or one of them is not in place
 * any more, it is the question all the same.
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
      return isAsking && lastView?.folders.scope.roots.every(isInPlace) ? work(lastView) : done;
    },
  };
}
