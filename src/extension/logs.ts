import { DisposableStore, type IDisposable } from '../base/disposable.ts';
import type { ServerDefinition } from '../domain/servers/serverDefinition.ts';
import { shown } from '../domain/shown.ts';
import * as vscode from './vscode.ts';

/** The output channels: one for the extension, and one for each server that was started. */
export class Logs implements IDisposable {
  private readonly store = new DisposableStore();
  private readonly servers = new Map<string, vscode.LogOutputChannel>();

  readonly extension = this.store.add(
    vscode.window.createOutputChannel(shown('MCP Roots'), { log: true }),
  );

  /** The channel of a server. The first call makes the channel. */
  forServer({ id, label }: ServerDefinition): vscode.LogOutputChannel {
    const known = this.servers.get(id);
    if (known) {
      return known;
    }
    const name = shown(`MCP Roots: ${label}`);
    const channel = this.store.add(vscode.window.createOutputChannel(name, { log: true }));
    this.servers.set(id, channel);
    return channel;
  }

  /** Closes the channel of a server that is no longer defined. */
  forget(serverId: string): void {
    const channel = this.servers.get(serverId);
    if (channel) {
      this.servers.delete(serverId);
      channel.clear();
      channel.dispose();
    }
  }

  dispose(): void {
    this.store.dispose();
  }
}
