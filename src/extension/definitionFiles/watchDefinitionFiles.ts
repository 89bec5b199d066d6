import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { reportFailure } from '../registerCommand.ts';
import * as vscode from '../vscode.ts';
import type { DefinitionWindow } from './definitionFiles.ts';

/** Has files with definitions of servers shown as such, from the first one on that is opened. */
export function watchDefinitionFiles(window: DefinitionWindow): IDisposable {
  const store = new DisposableStore();
  const show = async () => {
    const { DefinitionFiles } = await import('../commands/onDemand.ts');
    store.add(new DefinitionFiles(window));
  };
  const begin = () => void reportFailure(window.logger, show);
  if (vscode.workspace.textDocuments.some(mayDefineServers)) {
    begin();
  } else {
    const opening = vscode.workspace.onDidOpenTextDocument(document => {
      if (mayDefineServers(document)) {
        opening.dispose();
        begin();
      }
    });
    store.add(opening);
  }
  return store;
}

/** A first look, at every document that is opened: by its name, or by the schema that it names. */
function mayDefineServers(document: vscode.TextDocument): boolean {
  const name = /(?:^|\/)(?:settings|servers|\.?mcp)\.json$|\.code-workspace$/;
  return (
    name.test(document.uri.path) ||
    (document.languageId.startsWith('json') &&
      document.getText(new vscode.Range(0, 0, 50, 0)).includes('hubConfig.schema.json'))
  );
}
