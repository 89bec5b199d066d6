import * as vscode from 'vscode';

/** A user's answer to a question: enters a text, picks or checks labels, or goes back. */
export type Reply =
  | { readonly enter: string }
  | { readonly pick: string }
  | { readonly check: readonly string[] }
  /** Presses the button of an item and goes on when something was shown. */
  | { readonly look: string; readonly until: Promise<unknown> }
  | 'accept'
  | 'back'
  | 'leave';

/** A question as it was shown. */
export interface Asked {
  readonly title: string;
  /** The prompt of a box, or the placeholder of a list. */
  readonly text: string;
  /** The text of the box, or the labels of the list, checked ones with a `*`. */
  readonly content: string;
  readonly details: readonly string[];
  readonly descriptions: readonly string[];
  readonly isPassword: boolean;
  /** The number of the step and of all steps; empty without steps. */
  readonly steps: string;
}

interface Item extends vscode.QuickPickItem {
  readonly label: string;
}

const names = ['createQuickPick', 'createInputBox'] as const;
/** The editor's functions, even if another stand-in for a person is in place. */
const originals = names.map(name => [name, vscode.window[name]] as const);

/** Stands in for a person before quick inputs that the extension builds itself. */
export class QuickInputs {
  readonly asked: Asked[] = [];
  /** The complaints of boxes. */
  readonly complaints: string[] = [];
  private readonly replies: Reply[] = [];

  constructor() {
    Object.assign(vscode.window, {
      createQuickPick: () => this.input(),
      createInputBox: () => this.input(),
    });
  }

  /** Prepares the next replies. A question without one is left. */
  will(...replies: readonly Reply[]): void {
    this.replies.push(...replies);
  }

  /** Restores the editor for the next test. */
  leave(): void {
    Object.assign(vscode.window, Object.fromEntries(originals));
  }

  private input() {
    const accept = new vscode.EventEmitter<void>();
    const hide = new vscode.EventEmitter<void>();
    const button = new vscode.EventEmitter<vscode.QuickInputButton>();
    const selection = new vscode.EventEmitter<readonly Item[]>();
    const itemButton = new vscode.EventEmitter<{ item: Item }>();
    const change = new vscode.EventEmitter<string>();
    const { complaints } = this;
    const input = {
      title: '',
      step: undefined as number | undefined,
      totalSteps: undefined as number | undefined,
      prompt: '',
      placeholder: '',
      value: '',
      password: false,
      items: [] as readonly Item[],
      activeItems: [] as Item[],
      selectedItems: [] as Item[],
      buttons: [] as vscode.QuickInputButton[],
      onDidAccept: accept.event,
      onDidHide: hide.event,
      onDidTriggerButton: button.event,
      onDidTriggerItemButton: itemButton.event,
      onDidChangeSelection: selection.event,
      onDidChangeValue: change.event,
      set validationMessage(text: string | undefined) {
        if (text) {
          complaints.push(text);
          setTimeout(answer); // A person reads it, and tries again.
        }
      },
      show: () => setTimeout(answer),
      dispose: () => hide.fire(),
    };
    const answer = () => {
      this.remember(input);
      const reply = this.replies.shift() ?? 'leave';
      if (reply === 'leave') {
        hide.fire();
      } else if (reply === 'back') {
        button.fire(vscode.QuickInputButtons.Back);
      } else if (reply !== 'accept' && 'look' in reply) {
        const item = input.items.find(({ label }) => plain(label) === reply.look);
        itemButton.fire({ item: item ?? { label: '' } });
        void reply.until.then(answer);
      } else {
        if (reply !== 'accept' && 'enter' in reply) {
          input.selectedItems = [];
          if (input.value !== reply.enter) {
            input.value = reply.enter;
            change.fire(reply.enter);
          }
        } else if (reply !== 'accept') {
          const wanted = 'pick' in reply ? [reply.pick] : reply.check;
          input.selectedItems = input.items.filter(({ label }) => wanted.includes(plain(label)));
          selection.fire(input.selectedItems);
        }
        accept.fire();
      }
    };
    return input;
  }

  private remember(input: {
    readonly title: string;
    readonly step: number | undefined;
    readonly totalSteps: number | undefined;
    readonly prompt: string;
    readonly placeholder: string;
    readonly value: string;
    readonly password: boolean;
    readonly items: readonly Item[];
    readonly selectedItems: readonly Item[];
  }): void {
    const labels = input.items.map(item =>
      input.selectedItems.includes(item) ? `*${plain(item.label)}` : plain(item.label),
    );
    this.asked.push({
      title: input.title,
      text: input.prompt || input.placeholder,
      content: labels.length > 0 ? labels.join('\n') : input.value,
      details: input.items.map(({ detail }) => detail ?? ''),
      descriptions: input.items.map(({ description }) => description ?? ''),
      isPassword: input.password,
      steps: input.step === undefined ? '' : `${input.step} of ${input.totalSteps}`,
    });
  }
}

/** A label without its icon. */
function plain(label: string): string {
  return label.replace(/^\$\([\w-]+\) /, '');
}
