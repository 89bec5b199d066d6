import { type Access, startStep } from '../consent/folderAccess.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { ruleSentence } from '../servers/editorRules.ts';

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
  if (access.rule) {
    return ruleSentence(access.rule, label);
  }
  const step = startStep(access, isLaunchAllowed);
  switch (step) {
    case 'restricted':
      return sentence('The window is in Restricted Mode, in which no server runs. Trust it first.');
    case 'virtual':
      return sentence('The folders of the window are not on a disk, so "{0}" may see none.', label);
    case 'no-folder':
      return sentence('No folder is open in the window, so "{0}" may see none.', label);
    default:
      if (isLaunchAllowed && access.roots.length > 0) {
        return undefined;
      }
      return step === 'ask'
        ? sentence('"{0}" waits for an answer: start it in the view of MCP Roots.', label)
        : sentence(
            '"{0}" may see no folder. Allow it one in the view of MCP Roots, then try again.',
            label,
          );
  }
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
