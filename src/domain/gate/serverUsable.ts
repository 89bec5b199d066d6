import { mayHaveRoots, startsByItself, whyNoStart } from '../consent/startStep.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { type Failure, failureSentence } from '../servers/serverFailure.ts';
import type { Rule, UsableFacts } from './asked.ts';

/** Clients may use a server if the user agreed to its start and allowed it an existing folder. */
export const serverUsable: Rule = ({ server }) => {
  const { definition, access, isLaunchAllowed = false } = server ?? {};
  const why = definition && access && whyUnusable({ definition, access, isLaunchAllowed });
  return why && { kind: 'refused', why };
};

/** Why no client can use a server now, and what the user can do; `undefined` when clients can. */
function whyUnusable({
  definition: { label },
  access,
  isLaunchAllowed,
}: UsableFacts): Sentence | undefined {
  const reason = whyNoStart(access, label);
  if (reason || startsByItself(access, isLaunchAllowed)) {
    return reason;
  }
  return sentence(mayHaveRoots(access) ? reasons.waiting : reasons.refused, label);
}

const reasons = {
  waiting: '"{0}" needs your answer. Start the server in the view of MCP Roots.',
  refused: '"{0}" may see no folder. Allow a folder in the view of MCP Roots, then try again.',
};

/** Why a failed server is not started again for a client. */
export function whyFailed(
  { definition: { label } }: Pick<UsableFacts, 'definition'>,
  failure: Failure,
): Sentence {
  return sentence('"{0}" {1}', label, failureSentence(failure));
}

export interface PublicationFacts extends UsableFacts {
  /** Whether the user offers the server in its present form to the editor's agents. */
  readonly isOffered: boolean;
}

/**
 * Why the editor's agents can't see a server now; `undefined` when they can. Editors start visible
 * servers without a question, so the user must have answered every question before.
 */
export function whyUnpublished(facts: PublicationFacts): Sentence | undefined {
  const problem = whyUnusable(facts);
  return problem || facts.isOffered
    ? problem
    : sentence(
        '"{0}" is not offered to agents. Use "Offer to Agents" in the server\'s menu in the view MCP Roots.',
        facts.definition.label,
      );
}
