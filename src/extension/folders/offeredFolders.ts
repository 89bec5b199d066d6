import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type * as vscode from '../vscode.ts';

const key = 'offeredFolders';

/**
 * The folders that the user offered to single servers, kept by the id of the server in the state of
 * the workspace. To offer is not to allow: it makes a folder a candidate.
 */
export class OfferedFolders implements IDisposable {
  private readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly didChange = new Emitter<void>();

  readonly onDidChange = this.didChange.event;

  constructor(state: Pick<vscode.Memento, 'get' | 'update'>) {
    this.state = state;
  }

  /** The absolute paths offered to a server, in the order in which they were. */
  of(serverId: string): readonly string[] {
    return this.all.get(serverId) ?? [];
  }

  /** The paths offered to any server at all. */
  get paths(): readonly string[] {
    return [...this.all.values()].flat();
  }

  async add(serverId: string, paths: readonly string[]): Promise<void> {
    await this.set(serverId, [...new Set([...this.of(serverId), ...paths])]);
  }

  async remove(serverId: string, path: string): Promise<void> {
    await this.set(
      serverId,
      this.of(serverId).filter(other => other !== path),
    );
  }

  dispose(): void {
    this.didChange.dispose();
  }

  private async set(serverId: string, paths: readonly string[]): Promise<void> {
    const others = [...this.all].filter(([id]) => id !== serverId);
    const next = paths.length > 0 ? [...others, [serverId, paths] as const] : others;
    const written = this.state.update(key, Object.fromEntries(next));
    this.didChange.fire();
    await written;
  }

  /** The offers by server. An entry that can't be read counts as none. */
  private get all(): ReadonlyMap<string, readonly string[]> {
    const stored: unknown = this.state.get(key);
    const entries = Object.entries(typeof stored === 'object' && stored ? stored : {});
    return new Map(entries.filter(isOffer));
  }
}

function isOffer(entry: [string, unknown]): entry is [string, string[]] {
  const [, paths] = entry;
  return Array.isArray(paths) && paths.every(path => typeof path === 'string');
}
