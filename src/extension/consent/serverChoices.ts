import type * as vscode from 'vscode';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';

/** A server with its identity: after a change of its definition the choice is made anew. */
interface Chosen {
  readonly definition: Pick<ServerDefinition, 'id'>;
  readonly identity: string;
}

/** One yes or no on each server as it is, as the user said in this workspace. */
export class ServerChoices implements IDisposable {
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly key: string;
  private readonly didChange = new Emitter<void>();

  readonly onDidChange = this.didChange.event;

  /** @param key of the choices in the memory. */
  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>, key: string) {
    this.memory = memory;
    this.key = key;
  }

  /** The choice on this server as it is; `undefined` when the user has made none. */
  of(server: Chosen): boolean | undefined {
    const choice = this.all.get(nameOf(server));
    return typeof choice === 'boolean' ? choice : undefined;
  }

  /** Keeps the choice in the place of an earlier one. */
  async set(server: Chosen, isWanted: boolean): Promise<void> {
    const next = new Map(this.all).set(nameOf(server), isWanted);
    const written = this.memory.update(this.key, Object.fromEntries(next));
    this.didChange.fire();
    await written;
  }

  /** The ids of the servers that the user said yes to, as they are or were. */
  get allowedServers(): readonly string[] {
    return [...this.all].flatMap(([name, choice]) => (choice === true ? [idIn(name)] : []));
  }

  /** Forgets each yes to these servers. */
  async revoke(serverIds: readonly string[]): Promise<void> {
    const kept = [...this.all].filter(
      ([name, choice]) => choice !== true || !serverIds.includes(idIn(name)),
    );
    const written = this.memory.update(this.key, Object.fromEntries(kept));
    this.didChange.fire();
    await written;
  }

  dispose(): void {
    this.didChange.dispose();
  }

  private get all(): ReadonlyMap<string, unknown> {
    const stored: unknown = this.memory.get(this.key);
    return new Map(Object.entries(typeof stored === 'object' && stored ? stored : {}));
  }
}

function nameOf({ identity, definition }: Chosen): string {
  return `${identity}:${definition.id}`;
}

/** An identity is hexadecimal, and an id may have colons of its own. */
function idIn(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
