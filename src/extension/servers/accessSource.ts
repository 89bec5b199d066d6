import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { type Access, accessTo } from '../../domain/consent/access.ts';
import { decider, type Grant } from '../../domain/consent/grants.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { GrantStore } from '../consent/grantStore.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';

/** What each server may see, from the folders there are, the answers that stand, and the trust. */
export class AccessSource implements IDisposable {
  private readonly folders: CandidateFolders;
  private readonly grants: GrantStore;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  /** Read once for all servers: reading them means checking each. */
  private standing: readonly Grant[] | undefined;

  /** The answers of {@link of} may be others from now on. */
  readonly onDidChange = this.didChange.event;

  constructor(folders: CandidateFolders, grants: GrantStore) {
    this.folders = folders;
    this.grants = grants;
    this.store.add(folders.onDidChange(() => this.didChange.fire()));
    this.store.add(
      grants.onDidChange(() => {
        this.standing = undefined;
        this.didChange.fire();
      }),
    );
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.didChange.fire()));
  }

  of(definition: ServerDefinition, identity: string): Access {
    this.standing ??= this.grants.all;
    return accessTo(this.folders.for(definition), {
      isTrusted: vscode.workspace.isTrusted,
      rules: this.folders.rules,
      isOffered: folder => this.folders.isOffered(definition, folder),
      // Device numbers are those of this boot, so they are compared only since this process began.
      decisionOn: decider(
        this.standing,
        { serverId: definition.id, identity },
        performance.timeOrigin,
      ),
    });
  }

  dispose(): void {
    this.store.dispose();
  }
}
