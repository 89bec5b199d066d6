import type { ServerContext } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../../../domain/settings/values.ts';
import type { Child } from '../../children/child.ts';
import type { RawRequest } from '../../hubHost.ts';
import type { GuardedCall } from '../guardedCalls.ts';
import { LastRoots } from '../lastRoots.ts';
import { asRequestError } from '../refusals.ts';
import { type ExposedAnswer, type ExposedParts, findExposed } from './exposedCalls.ts';
import { pick, withMeta } from './forwardedParams.ts';

/** What a completion is about, as its server knows it. */
interface FoundReference {
  readonly child: Child;
  readonly ref: Readonly<Record<string, unknown>>;
  /** What of it the client made up, and not the server. */
  readonly given?: string;
}

/** Completes the arguments of exposed prompts and of the templates of exposed resources. */
export function exposedCompletion(parts: ExposedParts): ExposedAnswer[] {
  const { host, children, calls } = parts;
  const roots = new LastRoots(host.roots, children);
  return [
    [
      'completion/complete',
      async (request, context, own) => {
        const found = await findReference(parts, request.params?.['ref'], context);
        if (!found) {
          return own();
        }
        const completed = await asRequestError(calls.run(callFor(found, request), context, roots));
        // A question is no answer to this request, and there is no other way to ask.
        return completed['resultType'] === 'input_required' ? noValues : completed;
      },
    ],
  ];
}

const noValues = { completion: { values: [] } };

function callFor({ child, ref, given }: FoundReference, request: RawRequest): GuardedCall {
  const method = 'completion/complete';
  const { argument, context } = request.params ?? {};
  const asked = {
    argument: pick(argument, ['name', 'value']),
    ...(context !== undefined && { context: pick(context, ['arguments']) }),
  };
  return withMeta(request, {
    serverName: child.server.name,
    toolName: method,
    args: { ...asked, ...(given !== undefined && { uri: given }) },
    params: { ref, ...asked },
    method,
  });
}

async function findReference(
  { prompts, resources, children }: ExposedParts,
  ref: unknown,
  context: ServerContext,
): Promise<FoundReference | undefined> {
  if (!isJsonObject(ref)) {
    return undefined;
  }
  const { name, uri } = ref;
  if (typeof name === 'string') {
    const found = await findExposed(prompts, children, name, context);
    return found && { child: found.child, ref: { type: 'ref/prompt', name: found.name } };
  }
  const found =
    typeof uri === 'string' ? resources.find(children.present(context), uri) : undefined;
  return found && (await templateOf(found.child, found.uri));
}

/** A template may begin at the root of the file system: that is for its server to say. */
async function templateOf(child: Child, uri: string): Promise<FoundReference> {
  const found = { child, ref: { type: 'ref/resource', uri } };
  return (await isListed(child, uri)) ? found : { ...found, given: uri };
}

async function isListed({ isReady, offerings }: Child, uri: string): Promise<boolean> {
  try {
    const templates = isReady ? await offerings.list('resourceTemplates') : [];
    return templates.some(({ uriTemplate }) => uriTemplate === uri);
  } catch {
    // What the server does not say is held to be the client's.
    return false;
  }
}
