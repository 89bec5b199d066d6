import type { ServerContext } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../../../domain/settings/values.ts';
import type { Child } from '../../children/child.ts';
import { asRequestError } from '../refusals.ts';
import { type ExposedAnswer, type ExposedParts, findExposed } from './exposedCalls.ts';

/** What a completion is about, as its server knows it. */
interface FoundReference {
  readonly child: Child;
  readonly ref: Readonly<Record<string, unknown>>;
}

/** Completes the arguments of exposed prompts and of the templates of exposed resources. */
export function exposedCompletion(parts: ExposedParts): ExposedAnswer[] {
  return [
    [
      'completion/complete',
      async (request, context, own) => {
        const found = await findReference(parts, request.params?.['ref'], context);
        if (!found) {
          return own();
        }
        const { child, ref } = found;
        const { argument, context: known } = request.params ?? {};
        const args = { argument, known };
        const call = { serverName: child.server.name, toolName: 'completion/complete', args };
        const params = { ...request.params, ref };
        const completed = await asRequestError(
          parts.calls.run({ ...call, method: 'completion/complete', params }, context),
        );
        // A question is no answer to this request, and there is no other way to ask.
        return completed['resultType'] === 'input_required' ? noValues : completed;
      },
    ],
  ];
}

const noValues = { completion: { values: [] } };

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
    return found && { child: found.child, ref: { ...ref, name: found.name } };
  }
  const found =
    typeof uri === 'string' ? resources.find(children.present(context), uri) : undefined;
  return found && { child: found.child, ref: { ...ref, uri: found.uri } };
}
