import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { DescribedWindow, WindowState } from './windowFile.ts';

/** The clients that were allowed something in this window, by the names that they give themselves. */
export interface GrantedClients {
  readonly names: readonly string[];
  readonly onDidChange: Event<void>;
}

/** The window of this extension host, as its file describes it. */
export class EditorWindow implements DescribedWindow, IDisposable {
  readonly id: string;
  private readonly clients: GrantedClients;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());

  readonly onDidChange: Event<void> = this.didChange.event;

  constructor(id: string, clients: GrantedClients) {
    this.id = id;
    this.clients = clients;
    const changed = () => this.didChange.fire();
    this.store.add(clients.onDidChange(changed));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(changed));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(changed));
    this.store.add(vscode.window.onDidChangeWindowState(changed));
  }

  get state(): WindowState {
    const { workspaceFolders = [], name = t('no folder'), isTrusted } = vscode.workspace;
    return {
      folders: workspaceFolders
        .filter(({ uri }) => uri.scheme === 'file')
        .map(({ uri }) => uri.fsPath),
      isTrusted,
      isFocused: vscode.window.state.focused,
      name,
      grants: this.clients.names,
    };
  }

  dispose(): void {
    this.store.dispose();
  }
}
