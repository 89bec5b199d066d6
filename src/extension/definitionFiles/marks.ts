import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { KeyPath } from '../../domain/json.ts';
import { plainSecrets } from '../../domain/secrets/literalSecrets.ts';
import type { Shown } from '../../domain/shown.ts';
import { localized, t } from '../text.ts';
import * as vscode from '../vscode.ts';
import { type DefinitionText, rangeOf } from './definitionText.ts';

/** Reads a JSON document; `undefined` if it defines no servers. */
export type ReadDocument = (document: vscode.TextDocument) => DefinitionText | undefined;

/** Milliseconds to wait after typing, because unfinished text gets no marks. */
const pause = { quiet: 250, longest: 2000 };

/** Marks the mistakes in open documents. */
export class Marks implements IDisposable {
  private readonly read: ReadDocument;
  private readonly store = new DisposableStore();
  private readonly collection = this.store.add(
    vscode.languages.createDiagnosticCollection('mcpRoots'),
  );
  private readonly markSoon = this.store.add(new Debounce(() => this.markAll(), pause));
  /** The diagnostics of each document, by its URI. The editor may show only some of them. */
  private readonly found = new Map<string, readonly vscode.Diagnostic[]>();

  constructor(read: ReadDocument) {
    this.read = read;
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.found.delete(uri.toString());
        this.collection.delete(uri);
      }),
    );
    const note = (document: vscode.TextDocument) => isJson(document) && this.refresh();
    this.store.add(vscode.workspace.onDidOpenTextDocument(note));
    this.store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => note(document)));
    this.store.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        for (const uri of uris) {
          this.show(uri);
        }
      }),
    );
    this.refresh();
  }

  /** Soon reads all open documents again. Call this when their meaning may have changed. */
  refresh(): void {
    this.markSoon.request();
  }

  dispose(): void {
    this.store.dispose();
  }

  private markAll(): void {
    for (const document of vscode.workspace.textDocuments) {
      const text = this.read(document);
      // While the text is unfinished, its old marks stay, and move with the text.
      if (!text || text.isWhole) {
        this.found.set(document.uri.toString(), text ? marksIn(text) : []);
        this.show(document.uri);
      }
    }
  }

  /** Shows the marks. Where the schema check of the editor has a mark, ours is left out. */
  private show(uri: vscode.Uri): void {
    const found = this.found.get(uri.toString()) ?? [];
    const others = vscode.languages.getDiagnostics(uri).filter(isOfSchema);
    const shown = found.filter(({ range }) => !others.some(other => range.contains(other.range)));
    const before = this.collection.get(uri) ?? [];
    // Setting the marks raises this event again, so they are set only if they differ.
    if (before.length !== shown.length || shown.some((one, index) => one !== before[index])) {
      this.collection.set(uri, shown);
    }
  }
}

function isJson({ languageId }: vscode.TextDocument): boolean {
  return languageId === 'json' || languageId === 'jsonc';
}

/** Whether the editor's schema check made a mark. In some releases, its marks have no source. */
function isOfSchema({ source = 'json' }: Pick<vscode.Diagnostic, 'source'>): boolean {
  return source.startsWith('json');
}

/** The marks on the mistakes in a text, and on its secrets in plain text. */
export function marksIn(text: DefinitionText): readonly vscode.Diagnostic[] {
  const { DiagnosticSeverity } = vscode;
  const markAt = (path: KeyPath, said: Shown, severity: vscode.DiagnosticSeverity) => {
    const mark = new vscode.Diagnostic(rangeOf(text, path), said, severity);
    mark.source = 'MCP Roots';
    return mark;
  };
  return [
    ...text.mistakes.map(({ path, said }) =>
      markAt(path, localized(said), DiagnosticSeverity.Error),
    ),
    ...text.servers.flatMap(({ path, entry }) =>
      plainSecrets(entry).map(place =>
        markAt([...path, ...place], secretText(text), DiagnosticSeverity.Warning),
      ),
    ),
  ];
}

function secretText({ kind }: DefinitionText): Shown {
  switch (kind.kind) {
    case 'settings':
      return t(
        'This is a secret in plain text. Write {0} instead. You are asked for the value once, and the editor keeps it in its secret storage.',
        '${input:ID}',
      );
    case 'hub':
      return t(
        'This is a secret in plain text. Write {0}, and set that variable where you start the hub.',
        '${env:NAME}',
      );
    case 'client':
      return t(
        'This is a secret in plain text. Import the server, which moves the secret into the secret storage. Then delete the secret in this file.',
      );
  }
}
