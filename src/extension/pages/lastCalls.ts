import type { LastCall } from '../../domain/forms/lastCall.ts';
import type * as vscode from '../vscode.ts';

const key = 'lastCalls';

/** Keeps the calls of this many tools, the least recently called dropped first. */
const mostTools = 100;

type Kept = Readonly<Record<string, readonly LastCall[]>>;

/** The last calls that a person made of each tool, in the state of the workspace. */
export class LastCalls {
  private readonly state: Pick<vscode.Memento, 'get' | 'update'>;

  constructor(state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.state = state;
  }

  /** The latest first. */
  of(serverId: string, tool: string): readonly LastCall[] {
    return this.all[keyOf(serverId, tool)] ?? [];
  }

  /** Keeps these calls of the tool in the place of those that were kept. */
  async set(serverId: string, tool: string, calls: readonly LastCall[]): Promise<void> {
    const own = keyOf(serverId, tool);
    const others = Object.entries(this.all).filter(([name]) => name !== own);
    const kept = [...others, [own, calls]].slice(-mostTools);
    await this.state.update(key, Object.fromEntries(kept));
  }

  /** Whether there is a call of any tool of the server. */
  hasOf(serverId: string): boolean {
    return Object.keys(this.all).some(name => serverIn(name) === serverId);
  }

  /** Has the calls of the tools of a server be those of another; `undefined`: forgets them. */
  async move(from: string, to: string | undefined): Promise<void> {
    if (this.hasOf(from)) {
      const moved = Object.entries(this.all).flatMap(([name, calls]) => {
        const next = to === undefined ? [] : [[keyOf(to, toolIn(name)), calls]];
        return serverIn(name) === from ? next : [[name, calls]];
      });
      await this.state.update(key, Object.fromEntries(moved));
    }
  }

  private get all(): Kept {
    return this.state.get<Kept>(key, {});
  }
}

function keyOf(serverId: string, tool: string): string {
  return JSON.stringify([serverId, tool]);
}

function serverIn(name: string): string {
  return JSON.parse(name)[0];
}

function toolIn(name: string): string {
  return JSON.parse(name)[1];
}
