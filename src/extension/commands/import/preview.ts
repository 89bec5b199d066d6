import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import type { ImportCandidate } from '../../../domain/import/importedServers.ts';
import { printable } from '../../../domain/printable.ts';
import { Setting } from '../../ids.ts';
import { localized } from '../../text.ts';

const scheme = 'mcp-roots-import';

/** Shows what would be written for a server, in a read-only document. */
export class Preview implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map<string, string>();

  constructor() {
    const provideTextDocumentContent = (uri: vscode.Uri) => this.texts.get(uri.toString());
    this.store.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, { provideTextDocumentContent }),
    );
  }

  async show(candidate: ImportCandidate): Promise<void> {
    // A number of its own makes each a document of its own: what is shown never changes.
    const path = `/${this.texts.size + 1}/${candidate.name.replace(/[^\w.-]+/g, '-')}.jsonc`;
    const uri = vscode.Uri.from({ scheme, path });
    this.texts.set(uri.toString(), previewText(candidate));
    await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: true });
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** All there is to say about a server, as comments, and what would be written. No line holds a secret. */
function previewText({ name, source, entry, inputs, doubts, notes }: ImportCandidate): string {
  const comments = [
    vscode.l10n.t('"{0}" from {1}', printable(name), source.label),
    ...[...doubts, ...notes].map(localized),
  ];
  const written = {
    ...(entry && { [Setting.servers]: Object.fromEntries([[name, entry]]) }),
    ...(entry && inputs.length > 0 && { [Setting.inputs]: inputs }),
  };
  const lines = JSON.stringify(written, undefined, 2).split('\n').map(printable);
  return [...comments.map(comment => `// ${printable(comment)}`), ...lines, ''].join('\n');
}
