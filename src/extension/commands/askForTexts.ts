import { type Shown, shownLine } from '../../domain/shown.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** A text that a person gives: an argument of a prompt, or a variable of a template. */
export interface AskedText {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
}

/**
 * The texts that a person gives, one after the other, by their names; one that is left empty is left
 * out. `undefined` when the person leaves.
 */
export async function askForTexts(
  title: Shown,
  asked: readonly AskedText[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const texts: Record<string, string> = {};
  for (const { name, description, isRequired } of asked) {
    const about = shownLine(description === '' ? name : `${name}: ${description}`);
    const text = await vscode.window.showInputBox({
      title,
      prompt: isRequired ? about : t('{0} (may be left out)', about),
      ignoreFocusOut: true,
      validateInput: text => (isRequired && text === '' ? t('It has to be given.') : undefined),
    });
    if (text === undefined) {
      return undefined;
    }
    if (text !== '') {
      texts[name] = text;
    }
  }
  return texts;
}
