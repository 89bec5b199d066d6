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
  /** A text below the question. Only dialogs show it. */
  readonly detail?: Shown;
  readonly buttons: readonly Button<R>[];
  /** The title of a button that closes the question, like the message's `×`. */
  readonly wayOut?: Shown;
  /** By default `information`, in a dialog `warning`. Later messages hide no error with buttons. */
  readonly kind?: keyof typeof shows;
  /** Whether the question is still open. If not, an answer is refused with a message. */
  readonly isOpen?: () => boolean;
  /** While this is true, somebody waits, so the question returns each time the editor hides it. */
  readonly isAwaited?: () => boolean;
  /** True if the text is out of date. If somebody waits, the question is then asked again. */
  readonly isOutdated?: () => boolean;
}

/** A question in a dialog: its text, the detail below the text, and its only button. */
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
 * How many milliseconds until the editor hides a message, with 2 s for drawing. The editor counts
 * while the window has the focus. It never hides an error with buttons.
 */
const longestShown = { information: 12_000, warning: 14_000, error: 17_000 };

/** The times at which a newer message may replace an outdated message, in milliseconds. */
const outdatedAfter = [3000, 6000, 9000];

/**
 * Shows messages one after the other, so that at most one is on the screen, and shows all dialogs.
 * A command tells its result by {@link reply} instead, which waits for no other message.
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
   * Asks in a message, after earlier messages. After a click, the next message waits a second, but
   * not for the work that follows. Without a click, the next message comes when the editor has
   * hidden this message. A hidden message can still be answered in the editor's list of
   * notifications.
   *
   * @param compose is called when the message can be shown; `undefined`: nothing is left to say.
   * @returns the result of the button; `undefined`: the message was not shown, was closed, was
   * answered too late, or is hidden and nobody waits for it.
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
    // If an equal message replaces this message, the editor closes this message without an answer.
    return Promise.race([next, followed?.then(result => result ?? next)]);
  }

  /**
   * Asks in a dialog, before all messages that wait. Messages wait until the dialog is answered.
   * Dialogs queue here, because the editor's queue does not say when it shows a dialog.
   *
   * @returns the result of the button; `undefined`: the dialog was closed, or answered too late.
   */
  async ask<R>(question: Question<R>): Promise<R | undefined> {
    const resume = this.hold();
    const clicked = this.lastDialog.then(() => this.put(question)).finally(resume);
    this.lastDialog = clicked.catch(() => {});
    return (await clicked)?.follow();
  }

  /** Asks in a dialog whether the user really wants the action. */
  async confirm(...[text, detail, title]: Confirmation): Promise<boolean> {
    const buttons = [{ title, follow: () => true }];
    return (await this.ask({ text, detail, buttons })) ?? false;
  }

  /** Shows a message that needs no answer, after the messages that came before. */
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
   * Shows a question, and returns the clicked button, unless the click came too late.
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

/** A timer that runs only while the window has the focus. Each new focus starts it from zero. */
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

/** Calls `show`. If an answer comes before a person can have seen anything, calls `show` again. */
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
 * Tells users the result of an action at once, because they wait for it.
 *
 * @returns whether they clicked the button with this title.
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
