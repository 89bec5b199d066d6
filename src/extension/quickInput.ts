import type { Shown } from '../domain/shown.ts';
import * as vscode from './vscode.ts';

/** How the user reacted to a question: answered, went back to the question before, or left. */
export type InputResult<T> =
  | { readonly kind: 'given'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'left' };

/** The sequence of questions to which a question belongs. */
export interface Frame {
  readonly title: Shown;
  /** The step's number, from 1, and how many steps there are; left out: the question is no step. */
  readonly steps?: readonly [step: number, total: number];
  /** Whether the user can go back to an earlier question. */
  readonly hasBack: boolean;
}

/** A question whose answer is a text. */
export interface TextQuestion {
  readonly prompt: Shown;
  readonly placeholder?: Shown;
  readonly value: string;
  readonly isSecret?: boolean;
  /** Why a text can't be accepted; `undefined`: the text is accepted. */
  readonly problem: (text: string) => Shown | undefined | Promise<Shown | undefined>;
}

/** A line of a list to pick from. */
export interface PickOption<T> extends vscode.QuickPickItem {
  /** The answer; left out: the line can't be picked and only informs. */
  readonly value?: T;
}

/** Asks for a text. Shows a mistake only after the user tries to accept the text. */
export function askText(question: TextQuestion, frame: Frame): Promise<InputResult<string>> {
  const box = vscode.window.createInputBox();
  box.prompt = question.prompt;
  box.placeholder = question.placeholder;
  box.value = question.value;
  box.password = question.isSecret ?? false;
  return asked(box, frame, settle => {
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(async () => {
      const { value } = box;
      const problem = await question.problem(value);
      if (box.value !== value) {
        return; // The text has changed during the check.
      }
      if (problem === undefined) {
        settle({ kind: 'given', value });
      } else {
        box.validationMessage = problem;
      }
    });
  });
}

/** Asks to pick one answer of several. */
export function askOne<T>(
  placeholder: Shown,
  options: readonly PickOption<T>[],
  frame: Frame,
): Promise<InputResult<T>> {
  const pick = vscode.window.createQuickPick<PickOption<T>>();
  pick.placeholder = placeholder;
  pick.items = options;
  return asked(pick, frame, settle => {
    pick.onDidAccept(() => {
      const [option] = pick.selectedItems;
      if (option?.value !== undefined) {
        settle({ kind: 'given', value: option.value });
      }
    });
  });
}

/** Asks which items of a list the user wants, which may be none. `undefined`: the user left. */
export async function askMany<T extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<T>,
  title: Shown,
): Promise<readonly T[] | undefined> {
  pick.canSelectMany = true;
  pick.matchOnDetail = true;
  pick.selectedItems = pick.items.filter(({ picked }) => picked);
  const answer = await asked<readonly T[]>(pick, { title, hasBack: false }, settle => {
    pick.onDidAccept(() => settle({ kind: 'given', value: pick.selectedItems }));
  });
  return answer.kind === 'given' ? answer.value : undefined;
}

type Settle<T> = (answer: InputResult<T>) => void;
type Input = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** Shows an input until the user answers, goes back or leaves. Then disposes the input. */
async function asked<T>(
  input: Omit<Input, 'onDidAccept'>,
  { title, steps, hasBack }: Frame,
  listen: (settle: Settle<T>) => void,
): Promise<InputResult<T>> {
  input.title = title;
  input.step = steps?.[0];
  input.totalSteps = steps?.[1];
  input.ignoreFocusOut = true;
  try {
    return await new Promise(settle => {
      listen(settle);
      input.onDidHide(() => settle({ kind: 'left' }));
      if (hasBack) {
        input.buttons = [vscode.QuickInputButtons.Back];
        input.onDidTriggerButton(() => settle({ kind: 'back' }));
      }
      input.show();
    });
  } finally {
    input.dispose();
  }
}
