import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.ts';
import type { Answer, Position } from './wizard.ts';

/** A question whose answer is a text. */
export interface TextQuestion {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly isSecret?: boolean;
  /** Why a text is no answer; `undefined` when it is one. */
  readonly problem: (text: string) => string | undefined;
}

/** One answer to pick. */
export interface Option<T> extends vscode.QuickPickItem {
  readonly value: T;
}

/** Asks for a text. A mistake is shown only after it was entered. */
export function askText(question: TextQuestion, position: Position): Promise<Answer<string>> {
  const box = vscode.window.createInputBox();
  box.prompt = question.prompt;
  box.placeholder = question.placeholder ?? '';
  box.value = question.value;
  box.password = question.isSecret ?? false;
  return asked(box, position, (answer, store) => {
    store.add(
      box.onDidChangeValue(() => {
        box.validationMessage = '';
      }),
    );
    store.add(
      box.onDidAccept(() => {
        const problem = question.problem(box.value);
        if (problem === undefined) {
          answer({ kind: 'given', value: box.value });
        } else {
          box.validationMessage = problem;
        }
      }),
    );
  });
}

/** Asks to pick one of several answers. */
export function askOne<T>(
  placeholder: string,
  options: readonly Option<T>[],
  position: Position,
): Promise<Answer<T>> {
  const pick = vscode.window.createQuickPick<Option<T>>();
  pick.placeholder = placeholder;
  pick.items = options;
  return asked(pick, position, (answer, store) => {
    store.add(
      pick.onDidAccept(() => {
        const [option] = pick.selectedItems;
        if (option) {
          answer({ kind: 'given', value: option.value });
        }
      }),
    );
  });
}

type Settle<T> = (answer: Answer<T>) => void;
type Input = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

async function asked<T>(
  input: Omit<Input, 'onDidAccept'>,
  { number }: Position,
  listen: (settle: Settle<T>, store: DisposableStore) => void,
): Promise<Answer<T>> {
  const store = new DisposableStore();
  store.add(input);
  input.title = vscode.l10n.t('Add Server');
  input.step = number;
  input.ignoreFocusOut = true;
  try {
    return await new Promise(settle => {
      listen(settle, store);
      store.add(input.onDidHide(() => settle({ kind: 'left' })));
      if (number > 1) {
        input.buttons = [vscode.QuickInputButtons.Back];
        store.add(input.onDidTriggerButton(() => settle({ kind: 'back' })));
      }
      input.show();
    });
  } finally {
    store.dispose();
  }
}
