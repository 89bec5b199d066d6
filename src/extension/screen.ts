import { type After, afterReal } from '../base/clock.ts';
import { DisposableStore, MutableDisposable } from '../base/disposable.ts';
import { Limiter } from '../base/limiter.ts';
import { type Shown, shown } from '../domain/shown.ts';
import type * as vscode from './vscode.ts';

/**
 * A message with buttons that takes no focus. It is never one about an error, which would stay on the
 * screen until it is closed, and the next one come beside it.
 */
export interface Message<B> {
  readonly text: Shown;
  readonly buttons: readonly B[];
  /** Without it, an information. */
  readonly kind?: 'information' | 'warning';
  /** True while an answer means something. One that comes too late is told so. */
  readonly isOpen?: () => boolean;
  /** True while somebody waits: it then comes again each time the editor has hidden it. */
  readonly isAwaited?: () => boolean;
}

/** A message with buttons or without. */
type AnyMessage<B> = Omit<Message<B>, 'kind'> & { readonly kind?: keyof typeof shows };

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

/** Shows messages one after the other, of which never more than one is on the screen. */
export class Screen {
  private readonly editor: Editor;
  private readonly after: After;
  private readonly turns = new Limiter({ running: 1 });

  constructor(editor: Editor, after: After = afterReal) {
    this.editor = editor;
    this.after = after;
  }

  /**
   * Shows a message when its turn has come, and resolves to what follows from the button. The next
   * one comes after that, or when the editor has hidden this one, which can still be answered where
   * the editor lists its notifications.
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

  /** Says something that nobody has to answer, when its turn has come. */
  tell(text: Shown, kind: keyof typeof shows = 'information'): void {
    void this.inTurn<vscode.MessageItem, void>(
      () => ({ text, kind, buttons: [] }),
      () => {},
    );
  }

  private async inTurn<B extends vscode.MessageItem, R>(
    compose: () => AnyMessage<B> | undefined | Promise<AnyMessage<B> | undefined>,
    follow: (button: B) => R | Promise<R>,
  ): Promise<R | undefined> {
    let followed: Promise<R | undefined> | undefined;
    let isAwaited: (() => boolean) | undefined;
    await this.turns.run(async () => {
      const toast = await compose();
      if (toast) {
        const showing = new DisposableStore();
        const clicked = this.put(toast).finally(() => showing.dispose());
        followed = clicked.then(button => button && follow(button));
        const hidden = this.hiding(toast, showing).then(() => {
          isAwaited = toast.isAwaited;
        });
        await Promise.race([followed, hidden]);
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
  private async put<B extends vscode.MessageItem>(toast: AnyMessage<B>): Promise<B | undefined> {
    const { window, l10n } = this.editor;
    const { kind = 'information', text, buttons, isOpen } = toast;
    const button = await window[shows[kind]](text, ...buttons);
    if (button && isOpen?.() === false) {
      this.tell(shown(l10n.t('Nothing was kept: that question no longer waits for an answer.')));
      return undefined;
    }
    return button;
  }

  /** Resolves when the editor has hidden what it shows, unless the store is disposed before. */
  private hiding<B>(
    { kind = 'information' }: AnyMessage<B>,
    shown: DisposableStore,
  ): Promise<void> {
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

const shows = {
  information: 'showInformationMessage',
  warning: 'showWarningMessage',
  error: 'showErrorMessage',
} as const;
