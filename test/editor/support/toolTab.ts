import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type {
  FromToolCall,
  ShownOutcome,
  ShownQuestion,
  ToToolCall,
} from '../../../src/pages/pageMessages.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { closing } from './standInTab.ts';

/**
 * Stands in for the tab of a tool: takes what it is told, and says what a person would do there. What it
 * looks like is tested in a browser.
 */
export class ToolTab {
  readonly told: ToToolCall[] = [];
  /** The titles of the tabs that were opened. */
  readonly titles: string[] = [];
  html = '';
  isVisible = true;
  isClosed = false;
  /** How much was told before the last call. */
  private before = 0;
  private readonly original = vscode.window.createWebviewPanel;
  private readonly said = new vscode.EventEmitter<unknown>();
  private readonly disposed = new vscode.EventEmitter<void>();

  constructor() {
    Object.assign(vscode.window, {
      createWebviewPanel: (_: string, title: string) => {
        this.titles.push(title);
        return this.panel();
      },
    });
  }

  /** Says it as the page would, which may be nothing that it can say. */
  say(message: FromToolCall | object): void {
    if ('kind' in message && message.kind === 'call') {
      this.before = this.told.length;
    }
    this.said.fire(message);
  }

  /** What the last call comes to. */
  async outcome(): Promise<ShownOutcome> {
    return eventually(() => {
      const told = this.told.slice(this.before).find(({ kind }) => kind === 'outcome');
      assert.ok(told?.kind === 'outcome', 'There is no outcome yet.');
      return told.outcome;
    });
  }

  /** The first question that is asked and not settled yet. */
  async question(): Promise<{ readonly id: number; readonly question: ShownQuestion }> {
    return eventually(() => {
      const isSettled = (id: number) =>
        this.told.some(message => message.kind === 'settled' && message.id === id);
      const asked = this.told
        .slice(this.before)
        .find(one => one.kind === 'asked' && !isSettled(one.id));
      assert.ok(asked?.kind === 'asked', 'Nothing is asked.');
      return asked;
    });
  }

  private panel() {
    const tab = this;
    const assertOpen = closing(tab.disposed.event);
    return {
      get visible() {
        assertOpen();
        return tab.isVisible;
      },
      reveal: () => {
        assertOpen();
        tab.isVisible = true;
      },
      onDidDispose: tab.disposed.event,
      onDidChangeViewState: new vscode.EventEmitter<void>().event,
      dispose: () => {
        tab.isClosed = true;
      },
      get webview() {
        assertOpen();
        return this.page;
      },
      page: {
        cspSource: 'https://example.test',
        asWebviewUri: (uri: vscode.Uri) => uri,
        onDidReceiveMessage: tab.said.event,
        postMessage: async (message: ToToolCall) => tab.told.push(message),
        set html(text: string) {
          tab.html = text;
          setTimeout(() => tab.said.fire({ kind: 'loaded' }));
        },
      },
    };
  }

  /** Closes the tab, and gives the editor back to whoever comes next. */
  leave(): void {
    Object.assign(vscode.window, { createWebviewPanel: this.original });
    this.disposed.fire();
  }
}

/** What a tool answers that is called with these arguments in the tab that the command opens. */
export async function answeredBy(
  command: () => PromiseLike<unknown>,
  args: object = {},
): Promise<{
  readonly text: string;
  readonly isError: boolean;
}> {
  const tab = new ToolTab();
  try {
    await command();
    assert.equal(tab.titles.length, 1, 'No tab was opened.');
    await eventually(() => assert.ok(tab.told.some(({ kind }) => kind === 'tool')));
    tab.say({ kind: 'call', args: JSON.stringify(args) });
    const outcome = await tab.outcome();
    assert.equal(outcome.kind, 'result');
    const { content, isError = false } = JSON.parse(outcome.result);
    const texts = content.map(({ text }: { readonly text?: string }) => text ?? '');
    return { text: texts.join('\n'), isError };
  } finally {
    tab.leave();
  }
}
