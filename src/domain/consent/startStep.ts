import { type Sentence, sentence } from '../sentence.ts';
import { ruleSentence } from '../servers/editorRules.ts';
import type { Access } from './folderAccess.ts';

/** The next step: the start, a question to the user, or the reason why no start is possible. */
type StartStep = 'start' | 'ask' | 'no-folder' | 'restricted' | 'ruled';

export function startStep(
  { folders, waiting, rule, isRestricted, needsFolder }: Access,
  isLaunchAllowed: boolean,
): StartStep {
  if (rule) {
    return 'ruled';
  }
  if (isRestricted) {
    return 'restricted';
  }
  if (needsFolder && folders.every(({ exclusion }) => exclusion === 'not-file')) {
    return 'no-folder';
  }
  return waiting.length > 0 || !isLaunchAllowed ? 'ask' : 'start';
}

/** Why no answer of the user could make a server start; `undefined` when an answer could. */
export function whyNoStart(access: Access, label: string): Sentence | undefined {
  return reasons[startStep(access, true)](label, access);
}

const reasons: Readonly<
  Record<StartStep, (label: string, access: Access) => Sentence | undefined>
> = {
  start: () => undefined,
  ask: () => undefined,
  'no-folder': label =>
    sentence('No folder on disk is open for "{0}". Open a folder first.', label),
  restricted: () => sentence(restricted),
  ruled: (label, { rule }) => rule && ruleSentence(rule, label),
};

const restricted =
  'In Restricted Mode no server starts and no folder is shared. Trust the workspace of this window first.';

/** True if a server may start with the window: the user agreed to its start and to a folder. */
export function startsByItself({ roots }: Access, isLaunchAllowed: boolean): boolean {
  return isLaunchAllowed && roots.length > 0;
}

/** Whether a server has roots, or could get roots by the user's answers to open questions. */
export function mayHaveRoots({ roots, waiting }: Access): boolean {
  return roots.length > 0 || waiting.length > 0;
}
