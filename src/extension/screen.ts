import { type After, afterReal } from '../base/clock.ts';
import { DisposableStore, MutableDisposable } from '../base/disposable.ts';
import { Limiter } from '../base/limiter.ts';
import { type Shown, shown } from '../domain/shown.ts';
import * as vscode from './vscode.ts';

/** A question to the user, in a message that takes no focus or in a dialog. */
export interface Message<B> {
  readonly text: Shown;
  /** Stands below the text, in a dialog alone. */
  readonly detail?: Shown;
  readonly buttons: readonly B[];
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
   * Shows a message when its turn has come, and resolves to what follows from the button. The next
   * one comes after the click, since what follows may take a person long, or when the editor has hidden
   * this one, which can still be answered where the editor lists its notifications.
   *
   * @param compose is called in that moment; `undefined`: there is nothing to say any more.
   * @returns `undefined`: it was not shown, or closed, or answered too late; or is hidden, and was
   *   awaited.
   */
  show<B extends vscode.MessageItem, R>(
    compose: () => Message<B> | undefined | Promise<Message<B> | undefined>,
    follow: (button: B) => R | Promise<R>,
  ): Promise<R | undefined> {
    return this.inTurn(compose, follow);
  }

  /**
   * Asks in a dialog at once, past the messages that wait for their turn, of which none comes up before
   * the answer. Of several dialogs the editor itself shows one after the other.
   *
   * @returns `undefined`: it was closed, or answered too late.
   */
  async ask<B extends vscode.MessageItem>(question: Message<B>): Promise<B | undefined> {
    this.openDialogs += 1;
    this.turns.pause();
    try {
      return await this.put(question, true);
    } finally {
      this.openDialogs -= 1;
      if (this.openDialogs === 0) {
        this.turns.resume();
      }
    }
  }

  /** Says something that nobody has to answer, when its turn has come. */
  tell(text: Shown, kind: keyof typeof shows = 'information'): void {
    void this.inTurn<vscode.MessageItem, void>(
      () => ({ text, kind, buttons: [] }),
      () => {},
    );
  }

  private async inTurn<B extends vscode.MessageItem, R>(
    compose: () => Message<B> | undefined | Promise<Message<B> | undefined>,
    follow: (button: B) => R | Promise<R>,
  ): Promise<R | undefined> {
    let followed: Promise<R | undefined> | undefined;
    let isAwaited: (() => boolean) | undefined;
    await this.turns.run(async () => {
      const message = await compose();
      if (message) {
        const showing = new DisposableStore();
        const clicked = this.put(message).finally(() => showing.dispose());
        followed = clicked.then(button => button && follow(button));
        const hidden = this.hiding(message, showing).then(() => {
          isAwaited = message.isAwaited;
        });
        await Promise.race([clicked.catch(() => undefined), hidden]);
      }
    });
    if (!isAwaited) {
      return followed;
    }
    const next = isAwaited() ? this.inTurn(compose, follow) : Promise.resolve(undefined);
    // The editor closes a message in whose place an equal one comes: nobody did.
    return Promise.race([next, followed?.then(result => result ?? next)]);
  }

  /** The button that was clicked, if that did not come too late. */
  private async put<B extends vscode.MessageItem>(
    message: Message<B>,
    modal = false,
  ): Promise<B | undefined> {
    const { window, l10n } = this.editor;
    const { kind = modal ? 'warning' : 'information', text, detail, buttons, isOpen } = message;
    const button = await window[shows[kind]](text, { modal, detail }, ...buttons);
    if (button && isOpen?.() === false) {
      this.tell(shown(l10n.t('Nothing was kept: that question no longer waits for an answer.')));
      return undefined;
    }
    return button;
  }

  /** Resolves when the editor has hidden what it shows, unless the store is disposed before. */
  private hiding<B>({ kind = 'information' }: Message<B>, shown: DisposableStore): Promise<void> {
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
