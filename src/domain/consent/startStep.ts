import { type Sentence, sentence } from '../sentence.ts';
import { ruleSentence } from '../servers/editorRules.ts';
import type { Access } from './folderAccess.ts';

/** The step before a start: none, a question to the user, or the reason why it can't be. */
type StartStep = 'start' | 'ask' | 'no-folder' | 'restricted' | 'ruled' | 'virtual';

export function startStep({ folders, waiting, rule }: Access, isLaunchAllowed: boolean): StartStep {
  const reasons = folders.map(({ exclusion }) => exclusion);
  if (rule) {
    return 'ruled';
  }
  if (folders.length === 0) {
    return 'no-folder';
  }
  if (reasons.includes('restricted')) {
    return 'restricted';
  }
  if (reasons.every(reason => reason === 'not-file')) {
    return 'virtual';
  }
  return waiting.length > 0 || !isLaunchAllowed ? 'ask' : 'start';
}

/** Why no answer of the user could make a server start; `undefined`: one could. */
export function whyNoStart(access: Access, label: string): Sentence | undefined {
  return reasons[startStep(access, true)](label, access);
}

const reasons: Readonly<
  Record<StartStep, (label: string, access: Access) => Sentence | undefined>
> = {
  start: () => undefined,
  ask: () => undefined,
  'no-folder': () =>
    sentence(
      'No folder is open in the window, so there is nothing to expose. Open a folder first.',
    ),
  restricted: () =>
    sentence(
      "In Restricted Mode no server starts and no folder is exposed. Trust the window's workspace first.",
    ),
  ruled: (label, { rule }) => rule && ruleSentence(rule, label),
  virtual: label =>
    sentence('The folders of the window are not on disk, so "{0}" can\'t be told of them.', label),
};

/** True if a server may start with the window: the user agreed to the start and to a folder. */
export function startsByItself({ roots }: Access, isLaunchAllowed: boolean): boolean {
  return isLaunchAllowed && roots.length > 0;
}

/** Whether a server has roots, or could have some by an answer that it waits for. */
export function mayHaveRoots({ roots, waiting }: Access): boolean {
  return roots.length > 0 || waiting.length > 0;
}
