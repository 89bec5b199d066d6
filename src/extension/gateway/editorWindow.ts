import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ServerRecords } from '../servers/serverRecords.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { DescribedWindow, WindowState } from './windowFile.ts';

/** The window of this extension host, as its file describes it. */
export class EditorWindow implements DescribedWindow, IDisposable {
  readonly id: string;
  private readonly records: ServerRecords;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());

  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(id: string, records: ServerRecords) {
    this.id = id;
    this.records = records;
    const changed = () => this.didChange.fire();
    this.store.add(records.onDidChange(kind => kind === 'client' && changed()));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(changed));
    this.store.add(vscode.window.onDidChangeWindowState(changed));
  }

  get state(): WindowState {
    const { workspaceFolders = [], name = t('no folder') } = vscode.workspace;
    return {
      folders: workspaceFolders
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ uri }) => uri.fsPath),
      isFocused: vscode.window.state.focused,
      name,
      grants: grantedClients(this.records),
    };
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** The clients that were allowed something in this window, by the names that they give themselves. */
function grantedClients(records: ServerRecords): readonly string[] {
  return [...new Set(records.of('client').flatMap(({ about, value }) => (value ? about : [])))];
}
