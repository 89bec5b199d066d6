import type * as vscode from 'vscode';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Server } from '../servers/server.ts';

/** A server with its identity: after a change of its definition the wish is asked for anew. */
type Wisher = Pick<Server, 'identity'> & {
  readonly definition: Pick<Server['definition'], 'id'>;
};

const key = 'restartWishes';

/**
 * Whether servers that get their roots as arguments or environment are restarted when there are new
 * ones, as the user said in this workspace.
 */
export class RestartWishes implements IDisposable {
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly didChange = new Emitter<void>();

  readonly onDidChange = this.didChange.event;

  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.memory = memory;
  }

  /** The wish about this server as it is; `undefined` when the user has said none. */
  of(server: Wisher): boolean | undefined {
    const wish = this.all.get(nameOf(server));
    return typeof wish === 'boolean' ? wish : undefined;
  }

  /** Keeps the wish in the place of an earlier one. */
  async set(server: Wisher, isWanted: boolean): Promise<void> {
    const next = new Map(this.all).set(nameOf(server), isWanted);
    const written = this.memory.update(key, Object.fromEntries(next));
    this.didChange.fire();
    await written;
  }

  dispose(): void {
    this.didChange.dispose();
  }

  private get all(): ReadonlyMap<string, unknown> {
    const stored: unknown = this.memory.get(key);
    return new Map(Object.entries(typeof stored === 'object' && stored ? stored : {}));
  }
}

function nameOf({ identity, definition }: Wisher): string {
  return `${identity}:${definition.id}`;
}
