import * as vscode from 'vscode';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { within } from '../../base/within.ts';
import type { PathStyle } from '../../domain/fileUri.ts';
import {
  type DiskState,
  diskFolder,
  type Folder,
  uniqueFolders,
  virtualFolder,
} from '../../domain/folders.ts';
import { diskState } from './diskState.ts';

/** A disk that does not answer within these milliseconds counts as unreadable. */
const longestLook = 3000;

const pathStyle: PathStyle = process.platform === 'win32' ? 'windows' : 'posix';

/**
 * The folders of this window, as candidates for roots.
 *
 * A removed folder is gone at once. An added one appears when the disk was looked at, so that a
 * slow disk delays nothing but its own folders.
 */
export class WorkspaceFolders implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly disk = new Map<string, { readonly state: DiskState; readonly look: number }>();
  /** Disks that answer at about the same time make one change, not one for each folder. */
  private readonly publishSoon = this.store.add(
    new Debounce(() => this.publish(), { quiet: 5, longest: 50 }),
  );
  private looks = 0;
  private folders: readonly Folder[] = [];

  readonly onDidChange = this.didChange.event;

  constructor() {
    this.store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.publish();
        void this.refresh();
      }),
    );
    this.store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) {
          void this.refresh();
        }
      }),
    );
  }

  /** In the order of the Explorer, each once. */
  get value(): readonly Folder[] {
    return this.folders;
  }

  /** Looks at the disk again, a few seconds at most. Settles when {@link value} is true to it; never rejects. */
  async refresh(): Promise<void> {
    this.looks += 1;
    const look = this.looks;
    const paths = workspaceFolders().flatMap(({ uri }) => (isOnDisk(uri) ? [uri.fsPath] : []));
    await Promise.all(
      paths.map(async path => {
        const state = await within(diskState(path), longestLook, 'unreadable' as const);
        // A slow look must not overwrite what a later one found.
        if (look >= (this.disk.get(path)?.look ?? 0)) {
          this.disk.set(path, { state, look });
          this.publishSoon.request();
        }
      }),
    );
    this.publish();
  }

  dispose(): void {
    this.store.dispose();
  }

  private publish(): void {
    const next = uniqueFolders(workspaceFolders().flatMap(folder => this.toFolder(folder)));
    if (!this.store.isDisposed && JSON.stringify(next) !== JSON.stringify(this.folders)) {
      this.folders = next;
      this.didChange.fire();
    }
  }

  private toFolder({ uri, name }: vscode.WorkspaceFolder): Folder[] {
    if (!isOnDisk(uri)) {
      return [virtualFolder(uri.toString(), name)];
    }
    const found = this.disk.get(uri.fsPath);
    return found ? [diskFolder(uri.fsPath, name, found.state, pathStyle)] : [];
  }
}

function workspaceFolders(): readonly vscode.WorkspaceFolder[] {
  return vscode.workspace.workspaceFolders ?? [];
}

function isOnDisk(uri: vscode.Uri): boolean {
  return uri.scheme === 'file';
}
