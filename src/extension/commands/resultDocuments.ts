import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { resultScheme } from '../ids.ts';
import * as vscode from '../vscode.ts';

/** Shows answers of servers in read-only documents. */
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

  /** Opens a new document with the text. By the extension the editor knows its language. */
  async open(name: string, extension: string, text: string): Promise<void> {
    this.count += 1;
    const path = `/${name.replace(/[^\w.-]/g, '_')}-${this.count}.${extension}`;
    const uri = vscode.Uri.from({ scheme: resultScheme, path });
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.store.dispose();
  }
}
