import type { ServerContext } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../../../domain/settings/values.ts';
import type { Child } from '../../children/child.ts';
import type { RawRequest } from '../../hubHost.ts';
import type { GuardedCall } from '../guardedCalls.ts';
import { LastRoots } from '../lastRoots.ts';
import { asRequestError } from '../refusals.ts';
import type { ExposedAnswer, ExposedParts } from './exposedCalls.ts';
import { type ExposedTarget, findExposed, findExposedUri } from './exposedTargets.ts';
import { pick, withMeta } from './forwardedParams.ts';

/** What a completion is about, as its server knows it. */
interface FoundReference {
  readonly serverName: string;
  readonly ref: Readonly<Record<string, unknown>>;
  /** What of it the client made up, and not the server. */
  readonly given?: string;
}

/** Completes the arguments of exposed prompts and of the templates of exposed resources. */
export function exposedCompletion(parts: ExposedParts): ExposedAnswer[] {
  const roots = new LastRoots(parts.host.roots, parts.children);
  const complete = async (request: RawRequest, context: ServerContext) => {
    const found = await findReference(parts, request.params?.['ref'], context);
    return found && parts.calls.run(callFor(found, request), context, roots);
  };
  return [
    [
      method,
      async (request, context, own) => {
        const completed = await asRequestError(complete(request, context));
        // A question is no answer to this request, and there is no other way to ask.
        return completed?.['resultType'] === 'input_required' ? noValues : (completed ?? own());
      },
    ],
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
  parts: ExposedParts,
  ref: unknown,
  context: ServerContext,
): Promise<FoundReference | undefined> {
  if (!isJsonObject(ref)) {
    return undefined;
  }
  const { name, uri } = ref;
  if (typeof name === 'string') {
    const sought = { exposed: name, toolName: method };
    const prompt = await findExposed(parts, parts.prompts, sought, context);
    return prompt && { ...prompt, ref: { type: 'ref/prompt', name: prompt.name } };
  }
  if (typeof uri !== 'string') {
    return undefined;
  }
  const template = await findExposedUri(parts, { exposed: uri, toolName: method }, context);
  return template && templateOf(template);
}

/** A template may begin at the root of the file system: that is for its server to say. */
async function templateOf({ serverName, name, child }: ExposedTarget): Promise<FoundReference> {
  const found = { serverName, ref: { type: 'ref/resource', uri: name } };
  return (await isListed(child, name)) ? found : { ...found, given: name };
}

async function isListed(child: Child | undefined, uri: string): Promise<boolean> {
  try {
    const templates = child?.isUp ? await child.offerings.list('resourceTemplates') : [];
    return templates.some(({ uriTemplate }) => uriTemplate === uri);
  } catch {
    // What the server does not say is held to be the client's.
    return false;
  }
}
