import type { IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import {
  answer,
  type Grant,
  type GrantScope,
  readGrants,
  type StoredGrants,
} from '../../domain/consent/grants.ts';
import {
  answerTime,
  readRevocations,
  unrevokedGrants,
  withRevoked,
} from '../../domain/consent/revocations.ts';
import * as vscode from '../vscode.ts';

/** An answer of the user. The store adds the time. */
export type NewGrant = Omit<Grant, 'at'>;

type Memento = Pick<vscode.Memento, 'get' | 'update'>;

/** The editor's state in which answers are kept. */
export interface GrantState {
  /** The state of this workspace. */
  readonly workspace: Memento;
  /** The state of all workspaces and windows. */
  readonly global: Memento;
  /** The machine whose folders this window shows; the global state knows those of others, too. */
  readonly host: string;
}

const workspaceKey = 'grants';
const globalKeys = 'grants@';
const revocationsKey = 'revocations';
/** Milliseconds between reads of the answers of other windows, which no event announces. */
const lookInterval = 2000;

/**
 * The user's answers, kept in the editor's state: never in a file that a repository can commit.
 * A stored value that can't be read grants nothing and is put aside, not lost.
 */
export class GrantStore implements IDisposable {
  private readonly state: GrantState;
  private readonly globalKey: string;
  private readonly logger: Logger;
  private readonly didChange = new vscode.EventEmitter<void>();
  private readonly looking: NodeJS.Timeout;
  private session: readonly Grant[] = [];
  private seen: string;

  readonly onDidChange = this.didChange.event;

  constructor(state: GrantState, logger: Logger) {
    this.state = state;
    this.globalKey = globalKeys + state.host;
    this.logger = logger;
    void this.keepRevocations();
    this.seen = JSON.stringify(this.all);
    this.looking = setInterval(() => this.look(), lookInterval).unref();
    if (!this.stores().every(([memento, key]) => readGrants(memento.get(key)).ok)) {
      logger.error('Stored answers could not be read. They grant nothing; you are asked again.');
    }
  }

  /** The answers that are in force. */
  get all(): readonly Grant[] {
    const stored = this.stores().flatMap(([memento, key]) => readGrants(memento.get(key)).grants);
    return unrevokedGrants([...this.session, ...stored], this.revocations);
  }

  /** Keeps new answers, each in the place of every earlier one on the same server and folder. */
  async record(grants: readonly NewGrant[]): Promise<void> {
    const at = (id: string) => answerTime(id, this.revocations, Date.now());
    await this.change(before =>
      grants.reduce((all, grant) => answer(all, { ...grant, at: at(grant.serverId) }), [...before]),
    );
  }

  /** Keeps other answers in the place of all that are in force here. */
  async change(change: (all: readonly Grant[]) => readonly Grant[]): Promise<void> {
    const next = change(this.all);
    const of = (scope: GrantScope) => next.filter(grant => grant.scope === scope);
    this.session = of('session');
    const [workspace, global] = this.stores();
    const written = [
      ...this.write(workspace, of('workspace')),
      ...this.write(global, of('always')),
    ];
    // A refusal must take effect at once, before it is on disk.
    this.look();
    await Promise.all(written);
  }

  /**
   * Withdraws everything that servers were allowed, in every scope, workspace and window; other
   * windows notice within seconds. Refusals stay.
   */
  async revoke(serverIds: readonly string[]): Promise<void> {
    const before = { grants: this.all, revocations: this.revocations };
    const revocations = withRevoked(serverIds, before, Date.now());
    const written = this.state.global.update(revocationsKey, revocations);
    this.look();
    await written;
  }

  dispose(): void {
    clearInterval(this.looking);
    this.didChange.dispose();
  }

  private get revocations() {
    return readRevocations(this.state.global.get(revocationsKey), Date.now()).revocations;
  }

  /** Puts revocations aside that can't be read, and keeps in their place that all is revoked. */
  private async keepRevocations(): Promise<void> {
    const { global } = this.state;
    const stored = global.get(revocationsKey);
    const { ok, revocations } = readRevocations(stored, Date.now());
    if (!ok) {
      this.logger.error('Stored revocations could not be read. All that was allowed is revoked.');
      await Promise.all([
        global.update(`${revocationsKey}.unreadable`, stored),
        global.update(revocationsKey, revocations),
      ]);
    }
  }

  private stores() {
    return [
      [this.state.workspace, workspaceKey],
      [this.state.global, this.globalKey],
    ] as const;
  }

  private look(): void {
    const now = JSON.stringify(this.all);
    if (now !== this.seen) {
      this.seen = now;
      this.didChange.fire();
    }
  }

  /** Writes only a new value, so that the answers of another window are not undone by chance. */
  private write(
    [memento, key]: readonly [Memento, string],
    grants: readonly Grant[],
  ): Thenable<void>[] {
    const next: StoredGrants = { version: 1, grants };
    const stored = memento.get(key);
    const { ok, grants: before } = readGrants(stored);
    if (ok && JSON.stringify(before) === JSON.stringify(grants)) {
      return [];
    }
    if (!ok) {
      this.logger.warn('Stored answers that could not be read were put aside.');
    }
    const aside = ok ? [] : [memento.update(`${key}.unreadable`, stored)];
    return [...aside, memento.update(key, next)];
  }
}
