import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';

/**
 * Stands in for a tab with a page: takes the messages to the page, and sends those of a person's
 * clicks. Tests in a browser cover the looks.
 */
export class StandInTab<To> {
  readonly told: To[] = [];
  /** The titles of the tabs that were opened. */
  readonly titles: string[] = [];
  /** The document of the last one. */
  html = '';
  isVisible = true;
  private readonly original = vscode.window.createWebviewPanel;
  private readonly said = new vscode.EventEmitter<unknown>();
  private readonly disposed = new vscode.EventEmitter<void>();

  constructor() {
    Object.assign(vscode.window, {
      createWebviewPanel: (_: string, title: string) => this.panel(title),
    });
  }

  /** Sends this as the page would, even if a page cannot send it. */
  say(message: unknown): void {
    this.said.fire(message);
  }

  /** Another tab is in front; when this tab returns, its page loads again. */
  hide(): void {
    this.isVisible = false;
  }

  /** The first result of `look` in the messages to the page, the newest first. */
  async tells<T>(look: (message: To) => T | undefined): Promise<T> {
    return eventually(() => {
      for (const message of this.told.toReversed()) {
        const found = look(message);
        if (found !== undefined) {
          return found;
        }
      }
      throw new Error(`It was told only ${JSON.stringify(this.told)}`);
    });
  }

  /** Closes the tab, and restores the editor for the next test. */
  leave(): void {
    Object.assign(vscode.window, { createWebviewPanel: this.original });
    this.disposed.fire();
  }

  private panel(title: string) {
    const tab = this;
    const assertOpen = closing(this.disposed.event);
    const load = () => setTimeout(() => tab.said.fire({ kind: 'loaded' }));
    this.titles.push(title);
    return {
      get visible() {
        assertOpen();
        return tab.isVisible;
      },
      reveal: () => {
        assertOpen();
        if (!tab.isVisible) {
          tab.isVisible = true;
          load();
        }
      },
      onDidDispose: this.disposed.event,
      onDidChangeViewState: new vscode.EventEmitter<void>().event,
      dispose: () => this.disposed.fire(),
      get webview() {
        assertOpen();
        return this.page;
      },
      page: {
        cspSource: 'https://example.test',
        asWebviewUri: (uri: vscode.Uri) => uri,
        onDidReceiveMessage: this.said.event,
        postMessage: async (message: To) => tab.isVisible && tab.told.push(message),
        set html(text: string) {
          tab.html = text;
          load();
        },
      },
    };
  }
}

/** What throws once a tab is closed, as the editor does then at most that is asked of it. */
function closing(onDidDispose: vscode.Event<void>): () => void {
  let isClosed = false;
  onDidDispose(() => {
    isClosed = true;
  });
  return () => {
    if (isClosed) {
      throw new Error('Webview is disposed');
    }
  };
}
