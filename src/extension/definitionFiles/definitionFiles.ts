import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { planImport } from '../../domain/adding/importPlan.ts';
import type { KeyPath } from '../../domain/json.ts';
import { HumanError } from '../../domain/sentence.ts';
import { takeOver } from '../commands/adding/importServers.ts';
import { existingSettings, type ServerKeeping } from '../commands/adding/writeServers.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { Clients } from '../gateway/clients.ts';
import { hubConfigFile } from '../hub/hubConfigFile.ts';
import type { Launchers } from '../hub/launcher.ts';
import { InternalCommand } from '../ids.ts';
import { assertTrusted, reportFailure } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import type { SandboxSource } from '../servers/serverTarget.ts';
import * as vscode from '../vscode.ts';
import { definitionKind } from './definitionKind.ts';
import { type DefinitionText, readDefinitions } from './definitionText.ts';
import { Marks } from './marks.ts';
import { ServerLenses } from './serverLenses.ts';

/** The parts of a window that definition files are shown by. */
export interface DefinitionWindow extends ServerKeeping {
  readonly servers: Servers;
  readonly questions: OpenQuestions;
  readonly clients: Pick<Clients, 'of'>;
  readonly launchers: Launchers;
  readonly sandbox: SandboxSource;
  readonly logger: Logger;
}

const burst = { quiet: 50, longest: 500 };
const files: vscode.DocumentSelector = [{ language: 'json' }, { language: 'jsonc' }];

/** Shows the state of each server in the files that define it, and marks their mistakes. */
export class DefinitionFiles implements IDisposable {
  private readonly window: DefinitionWindow;
  private readonly store = new DisposableStore();

  constructor(window: DefinitionWindow) {
    this.window = window;
    const read = (document: vscode.TextDocument) => this.read(document);
    const marks = this.store.add(new Marks(read));
    const lenses = this.store.add(new ServerLenses(window, read));
    const linesSoon = this.store.add(new Debounce(() => lenses.refresh(), burst));
    const refreshAll = () => {
      linesSoon.request();
      marks.refresh();
    };
    // It is fired with all that happens to servers and clients.
    this.store.add(window.questions.onDidChange(() => linesSoon.request()));
    this.store.add(vscode.workspace.onDidChangeConfiguration(refreshAll));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(refreshAll));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(refreshAll));
    this.store.add(vscode.languages.registerCodeLensProvider(files, lenses));
    this.store.add(
      vscode.commands.registerCommand(
        InternalCommand.importServer,
        (uri: vscode.Uri, path: KeyPath) =>
          reportFailure(window.logger, () => this.importServer(uri, path)),
      ),
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  private read(document: vscode.TextDocument): DefinitionText | undefined {
    const { editorFolder, launchers } = this.window;
    const kind = definitionKind(document, { editorFolder, hubFile: hubConfigFile(launchers.hub) });
    return kind && readDefinitions(document, kind);
  }

  /** Adds a server of another client to the settings, after a look at what would be written. */
  private async importServer(uri: vscode.Uri, path: KeyPath): Promise<void> {
    assertTrusted(
      'In Restricted Mode no server can be added, because its settings are ignored. Trust this workspace first.',
    );
    const text = this.read(await vscode.workspace.openTextDocument(uri));
    const place = JSON.stringify(path);
    const server = text?.servers.find(one => JSON.stringify(one.path) === place);
    if (text?.kind.kind !== 'client' || !server) {
      throw new HumanError('There is no such server in this file any more.');
    }
    const files = [{ source: text.kind.source, value: text.value }];
    const candidates = planImport(files, existingSettings()).candidates.filter(
      ({ originalName }) => originalName === server.name,
    );
    await takeOver({ candidates, notes: [] }, this.window, this.window.sandbox);
  }
}
