import { type After, afterReal } from '../base/clock.ts';
import { DisposableStore, MutableDisposable } from '../base/disposable.ts';
import { Limiter } from '../base/limiter.ts';
import { type Shown, seenFor, shown } from '../domain/shown.ts';
import * as vscode from './vscode.ts';

/** A button of a question, and what a click on it does. */
export interface Button<R> extends vscode.MessageItem {
  readonly title: Shown;
  readonly follow: () => R | Promise<R>;
}

/** A question to the user, in a message that takes no focus or in a dialog. */
export interface Question<R> {
  readonly text: Shown;
  /** Stands below the text, in dialogs only. */
  readonly detail?: Shown;
  readonly buttons: readonly Button<R>[];
  /** The title of a button that closes the question, as its `×` does. */
  readonly wayOut?: Shown;
  /** The editor keeps an error with buttons until it is closed, and shows the next one beside it. */
  readonly kind?: keyof typeof shows;
  /** True while the question waits for an answer. A later answer is refused with a message. */
  readonly isOpen?: () => boolean;
  /** True while somebody waits: the question then comes again each time the editor hides it. */
  readonly isAwaited?: () => boolean;
  /** True when the text no longer says everything: an awaited question is then asked anew. */
  readonly isOutdated?: () => boolean;
}

/** A question in a dialog: its text, the detail below, and its only button. */
export type Confirmation = readonly [text: Shown, detail: Shown, title: Shown];

/** The parts of the editor that show messages. */
type Editor = Pick<typeof vscode, 'l10n'> & {
  readonly window: Pick<
    typeof vscode.window,
    | 'showInformationMessage'
    | 'showWarningMessage'
    | 'showErrorMessage'
    | 'state'
    | 'onDidChangeWindowState'
  >;
};

/**
 * The editor hides a message 10 seconds after it was shown or the window got the focus again. A warning
 * takes 12, and an error without buttons 15. In milliseconds, with time to draw the message.
 */
const longestShown = { information: 12_000, warning: 14_000, error: 17_000 };

/** When an outdated message makes room for an up-to-date one, in milliseconds. */
const outdatedAfter = [3000, 6000, 9000];

/**
 * Shows unrequested messages one after the other, so that at most one is on the screen, and shows all
 * dialogs. The result of a command does not wait: {@link reply}.
 */
export class Screen {
  private readonly editor: Editor;
  private readonly after: After;
  private readonly turns = new Limiter({ running: 1 });
  private holds = 0;
  private lastDialog: Promise<unknown> = Promise.resolve();

  constructor(editor: Editor, after: After = afterReal) {
    this.editor = editor;
    this.after = after;
  }

  /**
   * Asks in a message when its turn has come. The next message comes a second after the click, since
   * the work that follows may take long; or once the editor has hidden this one. The user can still
   * answer a hidden message in the editor's list of notifications.
   *
   * @param compose is called when the turn comes; `undefined`: there is nothing to say any more.
   * @returns what followed from the button; `undefined`: the message was not shown, was closed, was
   *   answered too late, or is hidden and no longer awaited.
   */
  async show<R>(
    compose: () => Question<R> | undefined | Promise<Question<R> | undefined>,
  ): Promise<R | undefined> {
    let followed: Promise<R | undefined> | undefined;
    let isAwaited: (() => boolean) | undefined;
    await this.turns.run(async () => {
      const question = await compose();
      if (question) {
        await new Promise<void>(next => {
          const clicked = this.put(question, () => {
            isAwaited = question.isAwaited;
            next();
          });
          followed = clicked.then(button => button?.follow());
          clicked.then(() => next(), next);
        });
      }
    });
    if (!isAwaited) {
      return followed;
    }
    const next = isAwaited() ? this.show(compose) : Promise.resolve(undefined);
    // When an equal message replaces this one, the editor closes this one: nobody has answered.
    return Promise.race([next, followed?.then(result => result ?? next)]);
  }

  /**
   * Asks in a dialog at once, ahead of the waiting messages, and holds them back until the answer.
   * Dialogs queue here, because the editor's own queue does not say when it shows a dialog.
   *
   * @returns what followed from the button; `undefined`: the dialog was closed, or answered too late.
   */
  async ask<R>(question: Question<R>): Promise<R | undefined> {
    const resume = this.hold();
    const clicked = this.lastDialog.then(() => this.put(question)).finally(resume);
    this.lastDialog = clicked.catch(() => {});
    return (await clicked)?.follow();
  }

  /** Asks in a dialog whether the user wants what they have just requested. */
  async confirm(...[text, detail, title]: Confirmation): Promise<boolean> {
    const buttons = [{ title, follow: () => true }];
    return (await this.ask({ text, detail, buttons })) ?? false;
  }

  /** Says something that needs no answer, when its turn has come. */
  tell(text: Shown, kind: keyof typeof shows = 'information'): void {
    void this.show(() => ({ text, kind, buttons: [] }));
  }

  /** Holds back all messages until the returned function is called. */
  private hold(): () => void {
    this.holds += 1;
    this.turns.pause();
    return () => {
      this.holds -= 1;
      if (this.holds === 0) {
        this.turns.resume();
      }
    };
  }

  /**
   * The button that was clicked, unless the click came too late.
   *
   * @param pass lets the next message come; left out: the question is a dialog.
   */
  private put<R>(question: Question<R>, pass?: () => void): Promise<Button<R> | undefined> {
    const { window, l10n } = this.editor;
    const modal = pass === undefined;
    const { kind = modal ? 'warning' : 'information', text, detail, buttons, isOpen } = question;
    const out = question.wayOut ? [{ title: question.wayOut, isCloseAffordance: true }] : [];
    const items: readonly vscode.MessageItem[] = [...buttons, ...out];
    const show = async () => {
      const showing = new DisposableStore();
      if (pass) {
        const after = whileFocused(window, this.after);
        for (const milliseconds of outdatedAfter) {
          showing.add(after(milliseconds, () => question.isOutdated?.() && pass()));
        }
        showing.add(after(longestShown[kind], pass));
      }
      const clicked = await window[shows[kind]](text, { modal, detail }, ...items);
      showing.dispose();
      this.after(seenFor, this.hold());
      const button = buttons.find(one => one === clicked);
      if (button && isOpen?.() === false) {
        this.tell(shown(l10n.t('Nothing was saved, because the question is closed already.')));
        return undefined;
      }
      return button;
    };
    return untilSeen(show, this.after);
  }
}

/** A clock that runs while the window has the focus, and starts anew when the window gets it. */
function whileFocused(window: Editor['window'], after: After): After {
  return (milliseconds, run) => {
    const store = new DisposableStore();
    const timer = store.add(new MutableDisposable());
    const once = () => {
      store.dispose();
      run();
    };
    const count = () => {
      timer.value = window.state.focused ? after(milliseconds, once) : undefined;
    };
    store.add(window.onDidChangeWindowState(count));
    count();
    return store;
  };
}

/** Shows something, and shows it again if it was answered before a person can have seen it. */
export async function untilSeen<T>(
  show: () => PromiseLike<T | undefined>,
  after: After = afterReal,
): Promise<T | undefined> {
  for (;;) {
    let isSeen = false;
    const look = after(seenFor, () => {
      isSeen = true;
    });
    const answer = await show();
    look.dispose();
    if (answer === undefined || isSeen) {
      return answer;
    }
  }
}

/**
 * Tells users at once the result of what they have just requested, since they wait for it.
 *
 * @returns whether they clicked the button with that title.
 */
export async function reply(
  text: Shown,
  kind: keyof typeof shows = 'information',
  title?: Shown,
): Promise<boolean> {
  const buttons = title === undefined ? [] : [{ title }];
  return (await untilSeen(() => vscode.window[shows[kind]](text, ...buttons))) !== undefined;
}

const shows = {
  information: 'showInformationMessage',
  warning: 'showWarningMessage',
  error: 'showErrorMessage',
} as const;
