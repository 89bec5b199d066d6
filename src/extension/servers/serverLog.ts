import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { printable } from '../../domain/printable.ts';
import { redacted } from '../../domain/redact.ts';
import { traceLine } from '../../domain/traceLine.ts';
import type { ConnectionState, ServerConnection } from '../../mcp/connection.ts';
import type { LogLevel, ServerLogEntry } from '../../mcp/serverMessages.ts';
import type { Traffic } from '../../mcp/wire.ts';
import { settings } from '../settings.ts';
import { stateText } from '../text.ts';

type ChannelLevel = 'debug' | 'info' | 'warn' | 'error';

/** The levels of the protocol in those of a log channel. */
const channelLevels: Readonly<Record<LogLevel, ChannelLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

/** Writes what one server does, and what it says of itself, to its output channel. */
export class ServerLog {
  private readonly channel: () => vscode.LogOutputChannel;
  /** Kept, because reading a setting costs more than answering a server does. */
  private isTraced = settings.trace;
  private secrets: readonly string[] = [];

  /** @param channel makes the channel: a server that is never started gets none. */
  constructor(channel: () => vscode.LogOutputChannel) {
    this.channel = channel;
  }

  /** Keeps these values out of every line from now on: servers repeat what they were given. */
  hide(secrets: readonly string[]): void {
    this.secrets = secrets;
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
    store.add(connection.onDidWriteStderr(line => this.write('info', printable(line))));
    store.add(connection.onDidLog(entry => this.writeEntry(entry)));
    return store;
  }

  private writeState(state: ConnectionState): void {
    this.write(state.kind === 'failed' ? 'error' : 'info', stateText(state));
  }

  private writeEntry({ level, logger, text }: ServerLogEntry): void {
    this.write(channelLevels[level], printable(logger ? `[${logger}] ${text}` : text));
  }

  private writeTraffic(traffic: Traffic): void {
    if (traffic.kind === 'rubbish') {
      this.write('warn', `Skipped ${traffic.length} characters on stdout that are no MCP message.`);
    } else if (traffic.kind === 'stray') {
      this.write('warn', `Skipped: ${traceLine(traffic.direction, traffic.message)}`);
    } else if (this.isTraced) {
      this.write('info', traceLine(traffic.direction, traffic.message));
    } else if (this.channel().logLevel === vscode.LogLevel.Trace) {
      this.write('trace', traceLine(traffic.direction, traffic.message));
    }
  }

  private write(level: ChannelLevel | 'trace', line: string): void {
    this.channel()[level](redacted(line, this.secrets));
  }
}
