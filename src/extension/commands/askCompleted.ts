import { Debounce } from '../../base/debounce.ts';
import { within } from '../../base/timeLimit.ts';
import { type Shown, shownLine } from '../../domain/shown.ts';
import type { Server } from '../servers/server.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';

/** What is completed: an argument of a prompt, or a variable of a template. */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** A text that a person gives. */
export interface AskedText {
  readonly title: Shown;
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
}

const typing = { quiet: 150, longest: 600 };
/** How long the first proposals may hold up the question, in milliseconds. */
const patience = 1000;

/**
 * The texts that a person gives, one after the other, by their names, with what the server proposes
 * for them. What may be left out and is, is none of them. `undefined` when the person leaves.
 */
export async function askCompleted(
  { requests }: Server,
  ref: CompletionRef,
  asked: readonly AskedText[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const isCompleting = requests.serverCapabilities?.completions !== undefined;
  const texts: Record<string, string> = {};
  for (const one of asked) {
    const propose = async (value: string) => {
      const argument = { name: one.name, value };
      const params = { ref, argument, context: { arguments: texts } };
      const { completion } = await requests.request('completion/complete', params);
      return completion.values;
    };
    const text = await (isCompleting ? pickText(one, propose) : typeText(one));
    if (text === undefined) {
      return undefined;
    }
    if (text !== '') {
      texts[one.name] = text;
    }
  }
  return texts;
}

function typeText(asked: AskedText): Thenable<string | undefined> {
  const { title, isRequired } = asked;
  return vscode.window.showInputBox({
    title,
    prompt: promptOf(asked),
    ignoreFocusOut: true,
    validateInput: text => (isRequired && text === '' ? t('It has to be given.') : undefined),
  });
}

/** A list of proposals, of which the first is what was typed. */
async function pickText(
  asked: AskedText,
  propose: (value: string) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const proposalsFor = (value: string) =>
    // A server that announces proposals and then has none is as good as one without.
    propose(value).catch(() => []);
  let proposals = await within(proposalsFor(''), patience, []);
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly text: string }>();
  const draw = () => {
    const own = pick.value !== '' || !asked.isRequired ? [pick.value] : [];
    pick.items = [...new Set([...own, ...proposals])].map(text => ({
      label: text === '' ? t('$(close) Leave Out') : shownLine(text),
      // What was typed need not be a part of what the server proposes for it.
      alwaysShow: true,
      text,
    }));
  };
  const refresh = async () => {
    const { value } = pick;
    const proposed = await proposalsFor(value);
    if (value === pick.value) {
      proposals = proposed;
      draw();
    }
  };
  const refreshSoon = new Debounce(() => void refresh(), typing);
  pick.title = asked.title;
  pick.placeholder = promptOf(asked);
  pick.ignoreFocusOut = true;
  draw();
  pick.onDidChangeValue(() => {
    draw();
    refreshSoon.request();
  });
  const picked = await new Promise<string | undefined>(resolve => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]?.text));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  refreshSoon.dispose();
  pick.dispose();
  return picked;
}

function promptOf({ name, description, isRequired }: AskedText): Shown {
  const about = shownLine(description === '' ? name : `${name}: ${description}`);
  return isRequired ? about : t('{0} (may be left out)', about);
}
