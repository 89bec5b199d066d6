import * as vscode from 'vscode';
import { closeAddedFolders } from './folders.ts';
import { setServers } from './recorder.ts';
import { aLook, secondsGoBy } from './secondsGoBy.ts';

/** A text that the extension showed: a message with its detail, or a list with its title. */
export interface Shown {
  readonly text: string;
  readonly detail: string;
}

interface Labelled {
  readonly title?: string;
  readonly label?: string;
}

const dialogs = [
  'showWarningMessage',
  'showInformationMessage',
  'showErrorMessage',
  'showQuickPick',
  'createQuickPick',
] as const;

/**
 * Stands in for the person before the editor: answers the dialogs that the extension opens, in
 * their order, once they were seen for a second, and remembers what they said. A dialog without an
 * answer is dismissed.
 */
export class Person {
  readonly seen: Shown[] = [];
  private readonly answers: (string | readonly string[])[] = [];
  private readonly originals = dialogs.map(name => [name, vscode.window[name]] as const);
  private held: { readonly text: RegExp; readonly answer: Promise<string> } | undefined;
  private closeHeld: () => void = () => {};
  private readonly didSee = new vscode.EventEmitter<Shown>();
  private readonly endSeconds = secondsGoBy();

  constructor() {
    const message = async (text: string, ...rest: readonly unknown[]) => {
      const [options] = rest as [vscode.MessageOptions | undefined];
      return this.answer(text, options?.detail, rest as Labelled[], options?.modal !== true);
    };
    const list = async (items: readonly Labelled[], options?: vscode.QuickPickOptions) => {
      const details = (await items).map(({ label }) => label).join('\n');
      return this.answer(options?.title ?? options?.placeHolder ?? '', details, await items);
    };
    Object.assign(vscode.window, {
      showWarningMessage: message,
      showInformationMessage: message,
      showErrorMessage: message,
      showQuickPick: list,
      createQuickPick: () => this.listWithButtons(),
    });
  }

  /** Prepares the next answers: a button or an item by its label, several items as a list of them. */
  will(...answers: readonly (string | readonly string[])[]): void {
    this.answers.push(...answers);
  }

  /** Drops the answers that were prepared for dialogs that did not come. */
  forget(): void {
    this.answers.length = 0;
  }

  /** Leaves the next dialog that matches open, until the returned function answers it. */
  waitsWith(text: RegExp): (answer: string) => void {
    let resolve: (answer: string) => void = () => {};
    this.held = { text, answer: new Promise<string>(settle => (resolve = settle)) };
    this.closeHeld = () => resolve('');
    return resolve;
  }

  /** The first thing shown, so far or from now on, with a matching text. */
  async sees(text: RegExp): Promise<Shown> {
    const known = this.seen.find(shown => text.test(shown.text));
    return (
      known ??
      new Promise(resolve => {
        const listener = this.didSee.event(shown => {
          if (text.test(shown.text)) {
            listener.dispose();
            resolve(shown);
          }
        });
      })
    );
  }

  /** Restores the editor for the next test. An open dialog would hold back its first dialog. */
  leave(): void {
    this.closeHeld();
    this.endSeconds();
    Object.assign(vscode.window, Object.fromEntries(this.originals));
  }

  /** A list that the extension builds itself; its buttons are for {@link QuickInputs} to press. */
  private listWithButtons() {
    const accept = new vscode.EventEmitter<void>();
    const hide = new vscode.EventEmitter<void>();
    const pick = {
      title: '',
      value: '',
      items: [] as readonly Labelled[],
      selectedItems: [] as unknown,
      onDidAccept: accept.event,
      onDidHide: hide.event,
      onDidTriggerItemButton: new vscode.EventEmitter<unknown>().event,
      onDidChangeValue: new vscode.EventEmitter<string>().event,
      show: async () => {
        const details = pick.items.map(({ label }) => label).join('\n');
        const picked = await this.answer(pick.title, details, pick.items);
        pick.selectedItems = picked === undefined ? [] : [picked].flat();
        (picked ? accept : hide).fire();
      },
      dispose: () => {},
    };
    return pick;
  }

  private async answer(
    text: string,
    detail: string | undefined,
    choices: readonly Labelled[],
    mayComeAnyTime = false,
  ): Promise<unknown> {
    const held = this.held?.text.test(text) ? this.held : undefined;
    // A message that needs no answer may come between two questions, and takes neither's answer.
    const isForNobody = mayComeAnyTime && !choices.some(one => nameOf(one) === this.answers[0]);
    const answer = held || isForNobody ? undefined : this.answers.shift();
    this.seen.push({ text, detail: detail ?? '' });
    this.didSee.fire({ text, detail: detail ?? '' });
    if (held) {
      this.held = undefined;
      const late = await held.answer;
      await aLook();
      return choices.find(choice => nameOf(choice) === late);
    }
    await aLook();
    if (answer === undefined || typeof answer === 'string') {
      return choices.find(choice => answer !== undefined && nameOf(choice) === answer);
    }
    return choices.filter(choice => answer.includes(nameOf(choice)));
  }
}

/** A person for each test of a suite. After it the window is as it was, and no server is left. */
export function personForEachTest(): () => Person {
  let person: Person;
  beforeEach(() => {
    person = new Person();
  });
  afterEach(async () => {
    person.leave();
    await setServers(undefined);
    await closeAddedFolders();
  });
  return () => person;
}

function nameOf(choice: Labelled | string): string {
  return typeof choice === 'string' ? choice : (choice.title ?? choice.label ?? '');
}
