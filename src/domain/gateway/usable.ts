import type { Access } from '../consent/folderAccess.ts';
import { mayHaveRoots, startsByItself, whyNoStart } from '../consent/startStep.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { type Failure, failureSentence } from '../servers/serverFailure.ts';

export interface UsableFacts {
  readonly definition: { readonly label: string };
  readonly access: Access;
  /** Whether the user agreed to start it as it is. */
  readonly isLaunchAllowed: boolean;
}

/**
 * Why no client can use a server now, whichever it is, and what to do about it. `undefined`: it can,
 * since the user agreed to its start and to a folder that is there.
 */
export function whyUnusable({
  definition: { label },
  access,
  isLaunchAllowed,
}: UsableFacts): Sentence | undefined {
  const reason = whyNoStart(access, label);
  if (reason || startsByItself(access, isLaunchAllowed)) {
    return reason;
  }
  return mayHaveRoots(access)
    ? sentence('"{0}" waits for an answer: start it in the view of MCP Roots.', label)
    : sentence(
        '"{0}" may see no folder. Allow it one in the view of MCP Roots, then try again.',
        label,
      );
}

/** Why a server that failed is not started for a client again. */
export function whyFailed(
  { definition: { label } }: Pick<UsableFacts, 'definition'>,
  failure: Failure,
): Sentence {
  return sentence('"{0}" {1}', label, failureSentence(failure));
}

export interface PublicationFacts extends UsableFacts {
  /** Whether the user offers the server to them, as it is. */
  readonly isOffered: boolean;
}

/**
 * Why the editor's agents are not told of a server now; `undefined` when they are. Editors start by
 * themselves what they are told of, so that every question must have been answered before.
 */
export function whyUnpublished(facts: PublicationFacts): Sentence | undefined {
  const problem = whyUnusable(facts);
  return problem || facts.isOffered
    ? problem
    : sentence(
        '"{0}" is not offered to agents. Its menu in the view MCP Roots has "Offer to Agents".',
        facts.definition.label,
      );
}
