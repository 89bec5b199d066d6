import { type After, afterReal } from '../base/clock.ts';
import { DisposableStore, MutableDisposable } from '../base/disposable.ts';
import { Limiter } from '../base/limiter.ts';
import { type Shown, shown } from '../domain/shown.ts';
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
  /** An error with buttons would stay until it is closed, and the next one come beside it. */
  readonly kind?: keyof typeof shows;
  /** True while an answer means something. One that comes too late is told so. */
  readonly isOpen?: () => boolean;
  /** True while somebody waits: it then comes again each time the editor has hidden it. */
  readonly isAwaited?: () => boolean;
}

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

/**
 * Shows what comes by itself one after the other, so that never more than one such message is on the
 * screen. What the user has just called for does not wait: {@link confirm}, {@link reply}.
 */
export class Screen {
  private readonly editor: Editor;
  private readonly after: After;
  private readonly turns = new Limiter({ running: 1 });
  private openDialogs = 0;

  constructor(editor: Editor, after: After = afterReal) {
    this.editor = editor;
    this.after = after;
  }

  /**
   * Asks in a message when its turn has come. The next one comes after the click, since what follows
   * from it may take a person long, or when the editor has hidden this one, which can still be answered
   * where the editor lists its notifications.
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
        const showing = new DisposableStore();
        const clicked = this.put(question).finally(() => showing.dispose());
        followed = clicked.then(button => button?.follow());
        const hidden = this.hiding(question, showing).then(() => {
          isAwaited = question.isAwaited;
        });
        await Promise.race([clicked.catch(() => undefined), hidden]);
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
   * the answer. Of several dialogs the editor itself shows one after the other.
   *
   * @returns what followed from the button; `undefined`: it was closed, or answered too late.
   */
  async ask<R>(question: Question<R>): Promise<R | undefined> {
    this.openDialogs += 1;
    this.turns.pause();
    const clicked = this.put(question, true).finally(() => {
      this.openDialogs -= 1;
      if (this.openDialogs === 0) {
        this.turns.resume();
      }
    });
    return (await clicked)?.follow();
  }

  /** Says something that nobody has to answer, when its turn has come. */
  tell(text: Shown, kind: keyof typeof shows = 'information'): void {
    void this.show(() => ({ text, kind, buttons: [] }));
  }

  /** The button that was clicked, if that did not come too late. */
  private async put<R>(question: Question<R>, modal = false): Promise<Button<R> | undefined> {
    const { window, l10n } = this.editor;
    const { kind = modal ? 'warning' : 'information', text, detail, buttons, isOpen } = question;
    const button = await window[shows[kind]](text, { modal, detail }, ...buttons);
    if (button && isOpen?.() === false) {
      this.tell(shown(l10n.t('Nothing was kept: that question no longer waits for an answer.')));
      return undefined;
    }
    return button;
  }

  /** Resolves when the editor has hidden what it shows, unless the store is disposed before. */
  private hiding<R>({ kind = 'information' }: Question<R>, shown: DisposableStore): Promise<void> {
    const { window } = this.editor;
    const longest = longestShown[kind];
    const timer = shown.add(new MutableDisposable());
    return new Promise(resolve => {
      const count = () => {
        timer.value = window.state.focused ? this.after(longest, resolve) : undefined;
      };
      shown.add(window.onDidChangeWindowState(count));
      count();
    });
  }
}

/** Resolves to whether the user wants what they have just called for. */
export async function confirm(text: Shown, detail: Shown, title: Shown): Promise<boolean> {
  const options = { modal: true, detail };
  return (await vscode.window.showWarningMessage(text, options, { title })) !== undefined;
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
  return (await vscode.window[shows[kind]](text, ...buttons)) !== undefined;
}

const shows = {
  information: 'showInformationMessage',
  warning: 'showWarningMessage',
  error: 'showErrorMessage',
} as const;
