import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type * as vscode from '../vscode.ts';

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
    await this.change(all => [...all, [nameOf(server), isWanted]]);
  }

  /** The ids of the servers that the user said yes to, as they are or were. */
  get allowedServers(): readonly string[] {
    return [...this.all].flatMap(([name, choice]) => (choice === true ? [idIn(name)] : []));
  }

  /** Forgets each yes to these servers. */
  async revoke(serverIds: readonly string[]): Promise<void> {
    await this.change(all =>
      all.filter(([name, choice]) => choice !== true || !serverIds.includes(idIn(name))),
    );
  }

  dispose(): void {
    this.didChange.dispose();
  }

  /** Keeps other choices in the place of all that there are. */
  async change(change: (all: Choices) => Choices): Promise<void> {
    const written = this.memory.update(this.key, Object.fromEntries(change([...this.all])));
    this.didChange.fire();
    await written;
  }

  private get all(): ReadonlyMap<string, unknown> {
    const stored: unknown = this.memory.get(this.key);
    return new Map(Object.entries(typeof stored === 'object' && stored ? stored : {}));
  }
}

/** By the names of servers, of which the last one counts. */
type Choices = readonly (readonly [name: string, choice: unknown])[];

/** The choices with those on the servers of one id on those of another; `undefined`: without them. */
export function movedChoices(all: Choices, from: string, to: string | undefined): Choices {
  return all.flatMap(([name, choice]) => {
    const moved = to === undefined ? [] : [[identityIn(name) + to, choice] as const];
    return idIn(name) === from ? moved : [[name, choice] as const];
  });
}

function nameOf({ identity, definition }: Chosen): string {
  return `${identity}:${definition.id}`;
}

/** An identity is hexadecimal, and an id may have colons of its own. */
function idIn(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** With the colon after it. */
function identityIn(name: string): string {
  return name.slice(0, name.indexOf(':') + 1);
}
