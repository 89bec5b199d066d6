import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { printable } from '../../domain/printable.ts';
import type { CallToolResult } from '../../mcp/connection.ts';
import { resultScheme } from '../ids.ts';

/** Shows answers of tools, and reports on servers, in read-only documents. */
export class ResultDocuments implements vscode.TextDocumentContentProvider, IDisposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private count = 0;

  constructor() {
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(resultScheme, this));
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** Opens a new document with the result; when the tool reports an error, a message says so, too. */
  async show(tool: string, result: CallToolResult): Promise<void> {
    await this.open(tool, render(result));
    if (result.isError) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('{0} answered with an error.', printable(tool)),
      );
    }
  }

  /** Opens a new document with Markdown, whose lines the editor wraps. */
  async showMarkdown(name: string, text: string): Promise<void> {
    await this.open(name, { extension: 'md', text });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async open(name: string, { extension, text }: Rendered): Promise<void> {
    this.count += 1;
    const path = `/${name.replace(/[^\w.-]/g, '_')}-${this.count}.${extension}`;
    const uri = vscode.Uri.from({ scheme: resultScheme, path });
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}

interface Rendered {
  /** The file extension, by which the editor knows the language of the text. */
  readonly extension: string;
  readonly text: string;
}

/** Prefers a text that a person can read to the same as data; without one, shows the JSON. */
function render({ content, structuredContent }: CallToolResult): Rendered {
  const texts = content.flatMap(block => (block.type === 'text' ? [block.text] : []));
  const isText = texts.length > 0 && texts.length === content.length && !texts.every(isJson);
  return isText
    ? { extension: 'txt', text: texts.join('\n') }
    : { extension: 'json', text: JSON.stringify(structuredContent ?? content, undefined, 2) };
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false; // Then it is text, which is no error.
  }
}
