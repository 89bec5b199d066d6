import * as vscode from 'vscode';
import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import {
  answer,
  type Grant,
  type GrantScope,
  readGrants,
  type StoredGrants,
} from '../../domain/grants.ts';

const key = 'grants';
const unreadableKey = 'grants.unreadable';

/** Where the editor keeps answers: with this workspace and for all of them. */
export interface GrantMementos {
  readonly workspace: vscode.Memento;
  readonly always: vscode.Memento;
}

/**
 * The user's answers, kept in the editor's state: never in a file that a repository can commit.
 * What can't be read grants nothing and is put aside, not lost.
 */
export class GrantStore implements IDisposable {
  private readonly mementos: GrantMementos;
  private readonly logger: Logger;
  private readonly didChange = new vscode.EventEmitter<void>();
  private session: readonly Grant[] = [];

  readonly onDidChange = this.didChange.event;

  constructor(mementos: GrantMementos, logger: Logger) {
    this.mementos = mementos;
    this.logger = logger;
  }

  get all(): readonly Grant[] {
    const { workspace, always } = this.mementos;
    return [
      ...this.session,
      ...readGrants(workspace.get(key)).grants,
      ...readGrants(always.get(key)).grants,
    ];
  }

  /** Keeps new answers, each in the place of every earlier one on the same server and folder. */
  async record(grants: readonly Grant[]): Promise<void> {
    await this.replaceAll(grants.reduce((all, grant) => answer(all, grant), [...this.all]));
  }

  /** Withdraws what the servers with these ids were allowed, in every scope. Refusals stay. */
  async revoke(serverIds: readonly string[]): Promise<void> {
    await this.replaceAll(
      this.all.filter(
        ({ serverId, decision }) => decision === 'denied' || !serverIds.includes(serverId),
      ),
    );
  }

  dispose(): void {
    this.didChange.dispose();
  }

  private async replaceAll(grants: readonly Grant[]): Promise<void> {
    const of = (scope: GrantScope) => grants.filter(grant => grant.scope === scope);
    this.session = of('session');
    const written = [
      ...this.write(this.mementos.workspace, of('workspace')),
      ...this.write(this.mementos.always, of('always')),
    ];
    // What was revoked must be gone before the disk has heard of it.
    this.didChange.fire();
    await Promise.all(written);
  }

  private write(memento: vscode.Memento, grants: readonly Grant[]): Thenable<void>[] {
    const next: StoredGrants = { version: 1, grants };
    const stored = memento.get(key);
    if (readGrants(stored).ok) {
      return [memento.update(key, next)];
    }
    this.logger.warn(
      'Stored answers could not be read: they were put aside, and you are asked again.',
    );
    return [memento.update(unreadableKey, stored), memento.update(key, next)];
  }
}
