import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { printable } from '../../domain/printable.ts';
import { traceLine } from '../../domain/traceLine.ts';
import type { ConnectionState, ServerConnection } from '../../mcp/connection.ts';
import type { Traffic } from '../../mcp/stdioTransport.ts';
import { settings } from '../settings.ts';
import { stateText } from '../text.ts';

/** Writes what one server does to its output channel. */
export class ServerLog {
  private readonly channel: () => vscode.LogOutputChannel;
  /** Kept, because reading a setting costs more than answering a server does. */
  private isTraced = settings.trace;

  /** @param channel makes the channel: a server that is never started gets none. */
  constructor(channel: () => vscode.LogOutputChannel) {
    this.channel = channel;
  }

  /** Follows a connection until the answer is disposed. */
  follow(connection: ServerConnection): IDisposable {
    const store = new DisposableStore();
    store.add(
      vscode.workspace.onDidChangeConfiguration(() => {
        this.isTraced = settings.trace;
      }),
    );
    store.add(connection.onDidChangeState(state => this.writeState(state)));
    store.add(connection.onDidPass(traffic => this.writeTraffic(traffic)));
    store.add(connection.onDidWriteStderr(line => this.channel().info(printable(line))));
    return store;
  }

  private writeState(state: ConnectionState): void {
    const text = stateText(state);
    if (state.kind === 'failed') {
      this.channel().error(text);
    } else {
      this.channel().info(text);
    }
  }

  private writeTraffic(traffic: Traffic): void {
    if (traffic.kind === 'rubbish') {
      this.channel().warn(
        `Skipped ${traffic.length} characters on stdout that are no MCP message.`,
      );
    } else if (this.isTraced) {
      this.channel().info(traceLine(traffic.direction, traffic.message));
    } else if (this.channel().logLevel === vscode.LogLevel.Trace) {
      this.channel().trace(traceLine(traffic.direction, traffic.message));
    }
  }
}
