import { DisposableStore } from '../../../base/disposable.ts';
import type { Shown } from '../../../domain/shown.ts';
import * as vscode from '../../vscode.ts';

/** The reaction to a question: answered, went back to the one before, or left. */
export type InputResult<T> =
  | { readonly kind: 'given'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'left' };

/** The flow that a question is a part of. */
export interface Frame {
  readonly title: Shown;
  /** The number of this step and of all, counted from 1; left out: it is no step. */
  readonly steps?: readonly [step: number, total: number];
  /** True if there is a question to go back to. */
  readonly hasBack: boolean;
}

/** A question whose answer is a text. */
export interface TextQuestion {
  readonly prompt: Shown;
  readonly placeholder?: Shown;
  readonly value: string;
  readonly isSecret?: boolean;
  /** The reason why a text is no answer; `undefined`: it is one. */
  readonly problem: (text: string) => Shown | undefined | Promise<Shown | undefined>;
}

/** One answer to pick. */
export interface PickOption<T> extends vscode.QuickPickItem {
  /** Left out: the line only says something. */
  readonly value?: T;
}

/** Asks for a text. A mistake is shown only after it was entered. */
export function askText(question: TextQuestion, frame: Frame): Promise<InputResult<string>> {
  const box = vscode.window.createInputBox();
  box.prompt = question.prompt;
  box.placeholder = question.placeholder;
  box.value = question.value;
  box.password = question.isSecret ?? false;
  return asked(box, frame, (answer, store) => {
    store.add(
      box.onDidChangeValue(() => {
        box.validationMessage = undefined;
      }),
    );
    store.add(
      box.onDidAccept(async () => {
        const { value } = box;
        const problem = await question.problem(value);
        if (box.value !== value) {
          return; // What was looked at is not what stands there now.
        }
        if (problem === undefined) {
          answer({ kind: 'given', value });
        } else {
          box.validationMessage = problem;
        }
      }),
    );
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
  return asked(pick, frame, (answer, store) => {
    store.add(
      pick.onDidAccept(() => {
        const [option] = pick.selectedItems;
        if (option?.value !== undefined) {
          answer({ kind: 'given', value: option.value });
        }
      }),
    );
  });
}

/** Asks which items of a list are wanted, of which any can be checked; `undefined`: the user left. */
export async function askMany<T extends vscode.QuickPickItem>(
  pick: vscode.QuickPick<T>,
  title: Shown,
): Promise<readonly T[] | undefined> {
  pick.canSelectMany = true;
  pick.matchOnDetail = true;
  pick.selectedItems = pick.items.filter(({ picked }) => picked);
  const answer = await asked<readonly T[]>(pick, { title, hasBack: false }, (settle, store) => {
    store.add(pick.onDidAccept(() => settle({ kind: 'given', value: pick.selectedItems })));
  });
  return answer.kind === 'given' ? answer.value : undefined;
}

type Settle<T> = (answer: InputResult<T>) => void;
type Input = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** Shows an input until it is answered, or the user goes back or leaves. */
async function asked<T>(
  input: Omit<Input, 'onDidAccept'>,
  { title, steps, hasBack }: Frame,
  listen: (settle: Settle<T>, store: DisposableStore) => void,
): Promise<InputResult<T>> {
  const store = new DisposableStore();
  store.add(input);
  input.title = title;
  input.step = steps?.[0];
  input.totalSteps = steps?.[1];
  input.ignoreFocusOut = true;
  try {
    return await new Promise(settle => {
      listen(settle, store);
      store.add(input.onDidHide(() => settle({ kind: 'left' })));
      if (hasBack) {
        input.buttons = [vscode.QuickInputButtons.Back];
        store.add(input.onDidTriggerButton(() => settle({ kind: 'back' })));
      }
      input.show();
    });
  } finally {
    store.dispose();
  }
}
