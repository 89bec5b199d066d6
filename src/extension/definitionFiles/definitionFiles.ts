import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { planImport } from '../../domain/adding/importPlan.ts';
import type { KeyPath } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import { takeOver } from '../adding/importServers.ts';
import { existingSettings, type ServerKeeping } from '../adding/writeServers.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { Clients } from '../gateway/clients.ts';
import { hubConfigFile } from '../hub/hubConfigFile.ts';
import type { Launchers } from '../hub/launcher.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import * as vscode from '../vscode.ts';
import { definitionKind } from './definitionKind.ts';
import { type DefinitionText, readDefinitions } from './definitionText.ts';
import { Marks } from './marks.ts';
import { ServerLenses } from './serverLenses.ts';

/** The parts of a window that definition files show. */
export interface DefinitionWindow extends ServerKeeping {
  readonly servers: Servers;
  readonly questions: OpenQuestions;
  readonly clients: Pick<Clients, 'of'>;
  readonly launchers: Launchers;
  readonly sandbox: SandboxSource;
}

const burst = { quiet: 50, longest: 500 };
const files: vscode.DocumentSelector = [{ language: 'json' }, { language: 'jsonc' }];

/** Shows the state of each server in the files that define it, and marks their mistakes. */
export class DefinitionFiles implements IDisposable {
  private readonly store = new DisposableStore();

  constructor(window: DefinitionWindow) {
    const readIn = (document: vscode.TextDocument) => read(document, window);
    const marks = this.store.add(new Marks(readIn));
    const lenses = this.store.add(new ServerLenses(window, readIn));
    const linesSoon = this.store.add(new Debounce(() => lenses.refresh(), burst));
    const refreshAll = () => {
      linesSoon.request();
      marks.refresh();
    };
    // These events include every change of a server or client.
    this.store.add(window.questions.onDidChange(() => linesSoon.request()));
    this.store.add(vscode.workspace.onDidChangeConfiguration(refreshAll));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(refreshAll));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(refreshAll));
    this.store.add(vscode.languages.registerCodeLensProvider(files, lenses));
  }

  dispose(): void {
    this.store.dispose();
  }
}

function read(document: vscode.TextDocument, window: DefinitionWindow): DefinitionText | undefined {
  const { editorFolder, launchers } = window;
  const kind = definitionKind(document, { editorFolder, hubFile: hubConfigFile(launchers.hub) });
  return kind && readDefinitions(document, kind);
}

/**
 * Shows what would be written, and adds another client's server to the settings.
 *
 * @param path the path to the server's entry in the file.
 */
export async function importServer(
  uri: vscode.Uri,
  path: KeyPath,
  window: DefinitionWindow,
): Promise<void> {
  const text = read(await vscode.workspace.openTextDocument(uri), window);
  const place = JSON.stringify(path);
  const server = text?.servers.find(one => JSON.stringify(one.path) === place);
  if (text?.kind.kind !== 'client' || !server) {
    throw new HumanError('The server is not in this file any more.');
  }
  const files = [{ source: text.kind.source, value: text.value }];
  const candidates = planImport(files, existingSettings()).candidates.filter(
    ({ originalName }) => originalName === server.name,
  );
  await takeOver({ candidates, notes: [] }, window, window.sandbox);
}
