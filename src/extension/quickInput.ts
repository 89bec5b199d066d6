import type { Shown } from '../domain/shown.ts';
import * as vscode from './vscode.ts';

/** The user's reaction to a question: answered, went back to the question before, or left. */
export type InputResult<T> =
  | { readonly kind: 'given'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'left' };

/** The flow that a question is a part of. */
export interface Frame {
  readonly title: Shown;
  /** This step and the number of steps, counted from 1; left out: the question is not a step. */
  readonly steps?: readonly [step: number, total: number];
  /** Whether there is a question to go back to. */
  readonly hasBack: boolean;
}

/** A question that a text answers. */
export interface TextQuestion {
  readonly prompt: Shown;
  readonly placeholder?: Shown;
  readonly value: string;
  readonly isSecret?: boolean;
  /** Why a text is refused; `undefined`: the text is accepted. */
  readonly problem: (text: string) => Shown | undefined | Promise<Shown | undefined>;
}

/** One answer to pick. */
export interface PickOption<T> extends vscode.QuickPickItem {
  /** Left out: the line only informs. */
  readonly value?: T;
}

/** Asks for a text. A mistake is shown only after the user has accepted the text. */
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
        return; // The text has changed while it was checked.
      }
      if (problem === undefined) {
        settle({ kind: 'given', value });
      } else {
        box.validationMessage = problem;
      }
    });
  });
}

/** Asks to pick one of several answers. */
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

/** Asks which items of a list are wanted: any number of them. `undefined`: the user left. */
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

/** Shows an input until the user answers, goes back or leaves. Its listeners end with the input. */
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
