import { type After, afterReal } from '../base/clock.ts';
import { DisposableStore, MutableDisposable } from '../base/disposable.ts';
import { Limiter } from '../base/limiter.ts';
import { type Shown, seenFor, shown } from '../domain/shown.ts';
import * as vscode from './vscode.ts';

/** A button of a question, and what follows from it. */
export interface Button<R> extends vscode.MessageItem {
  readonly title: Shown;
  readonly follow: () => R | Promise<R>;
}

/** A question to the user, in a message that takes no focus or in a dialog. */
export interface Question<R> {
  readonly text: Shown;
  /** Stands below the text, in a dialog alone. */
  readonly detail?: Shown;
  readonly buttons: readonly Button<R>[];
  /** The title of a button that leaves it, as its `×` does. */
  readonly wayOut?: Shown;
  /** An error with buttons would stay until it is closed, and the next one come beside it. */
  readonly kind?: keyof typeof shows;
  /** True while an answer means something. One that comes too late is told so. */
  readonly isOpen?: () => boolean;
  /** True while somebody waits: it then comes again each time the editor has hidden it. */
  readonly isAwaited?: () => boolean;
  /** True when it does not say all any more: one that is awaited then comes anew. */
  readonly isOutdated?: () => boolean;
}

/** A question in a dialog: its text, what stands below that, and its only button. */
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
 * The editor hides a message that nobody answers 10 seconds after it was shown or the window got the
 * focus again, a warning after 12, and an error without buttons after 15. In milliseconds, with time to
 * draw it.
 */
const longestShown = { information: 12_000, warning: 14_000, error: 17_000 };

/** When a message that does not say all any more makes room for one that does, in milliseconds. */
const outdatedAfter = [3000, 6000, 9000];

/**
 * Shows what comes by itself one after the other, so that never more than one such message is on the
 * screen, and all dialogs as well. What came of a command does not wait: {@link reply}.
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
   * Asks in a message when its turn has come. The next one comes a second after the click, since what
   * follows from it may take a person long, or when the editor has hidden this one, which can still be
   * answered where the editor lists its notifications.
   *
   * @param compose is called in that moment; `undefined`: there is nothing to say any more.
   * @returns what followed from the button; `undefined`: it was not shown, or closed, or answered too
   *   late; or is hidden, and was awaited.
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
    // The editor closes a message in whose place an equal one comes: nobody did.
    return Promise.race([next, followed?.then(result => result ?? next)]);
  }

  /**
   * Asks in a dialog at once, past the messages that wait for their turn, of which none comes up before
   * the answer. Of several dialogs one comes after the other: the editor's own queue says not when.
   *
   * @returns what followed from the button; `undefined`: it was closed, or answered too late.
   */
  async ask<R>(question: Question<R>): Promise<R | undefined> {
    const resume = this.hold();
    const clicked = this.lastDialog.then(() => this.put(question)).finally(resume);
    this.lastDialog = clicked.catch(() => {});
    return (await clicked)?.follow();
  }

  /** Asks in a dialog like those whether the user wants what they have just called for. */
  async confirm(...[text, detail, title]: Confirmation): Promise<boolean> {
    const buttons = [{ title, follow: () => true }];
    return (await this.ask({ text, detail, buttons })) ?? false;
  }

  /** Says something that nobody has to answer, when its turn has come. */
  tell(text: Shown, kind: keyof typeof shows = 'information'): void {
    void this.show(() => ({ text, kind, buttons: [] }));
  }

  /** Lets no further message come up until the returned function is called. */
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
   * The button that was clicked, if that did not come too late.
   *
   * @param pass the message makes room for the next; left out: it is a dialog.
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
        this.tell(shown(l10n.t('Nothing was kept: that question no longer waits for an answer.')));
        return undefined;
      }
      return button;
    };
    return untilSeen(show, this.after);
  }
}

/** A clock that goes on while the window has the focus, and begins anew when it gets that. */
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

/** Shows something, and again each time that it was answered before a person can have seen it. */
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
 * Says what came of what the user has just called for: at once, since they wait for it.
 *
 * @returns whether they clicked the button of that title.
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
