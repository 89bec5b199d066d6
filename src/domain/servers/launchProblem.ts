import { type Sentence, sentence } from '../sentence.ts';
import { shownPath } from './keyPath.ts';
import type { Launch } from './launch.ts';
import { launchTexts } from './launchTexts.ts';
import { urlProblem } from './urlProblem.ts';

/**
 * What is wrong with a launch whose variables are put in; `undefined` when it can be tried.
 *
 * Without this the system would tell it, and would repeat the value, which may be a secret.
 */
export function launchProblem(launch: Launch): Sentence | undefined {
  if (launch.type === 'http') {
    const problem = urlProblem(launch.url);
    if (problem) {
      return sentence(`Its "url" ${problem}`);
    }
  } else if (launch.command.trim() === '') {
    return sentence('Its "command" is empty.');
  }
  const unfit = launchTexts(launch).find(({ key, text }) => !canHold(key === 'headers', text));
  return (
    unfit &&
    sentence('Its "{0}" holds a character that cannot stand there.', shownPath(unfit.place))
  );
}

/** Whether a text can be handed to a process, or sent as a header. */
export function canHold(isHeader: boolean, text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not be there.
  return !(isHeader ? /[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/ : /\u0000/).test(text);
}
