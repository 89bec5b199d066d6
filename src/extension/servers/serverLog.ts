import { DisposableStore, type IDisposable, MutableDisposable } from '../../base/disposable.ts';
import { type ChannelLevel, channelLevelOf } from '../../domain/logLevels.ts';
import { printable } from '../../domain/printable.ts';
import { traceLine } from '../../domain/traceLine.ts';
import type { ServerConnection } from '../../mcp/link/connection.ts';
import type { ConnectionState } from '../../mcp/link/link.ts';
import type { RelayLink } from '../../mcp/link/relayLink.ts';
import type { ServerLogEntry } from '../../mcp/link/serverMessages.ts';
import type { SessionEvents } from '../../mcp/link/session.ts';
import type { Traffic } from '../../mcp/process/wire.ts';
import { settings } from '../settings.ts';
import { stateText } from '../text.ts';
import * as vscode from '../vscode.ts';

/** The session events that are logged. In a client's session, log messages go to the client. */
type Heard = Pick<SessionEvents, 'onDidPass' | 'onDidWriteStderr'> &
  Partial<Pick<SessionEvents, 'onDidLog'>>;

/** Writes a server's events and messages to its output channel. */
export class ServerLog {
  private readonly channel: () => vscode.LogOutputChannel;
  /** Cached, because reading a setting takes longer than answering a server. */
  private isTraced = settings.trace;
  private redacted = (line: string): string => line;

  /** @param channel makes the channel, so that a server that never starts has no channel. */
  constructor(channel: () => vscode.LogOutputChannel) {
    this.channel = channel;
  }

  /** Logs a connection until the result is disposed. Sets its log level to the channel's. */
  follow(connection: ServerConnection): IDisposable {
    const store = new DisposableStore();
    // Servers may repeat secrets that they got.
    this.redacted = line => connection.redacted(line);
    const channel = this.channel();
    connection.setLogLevel(levelToAskFor(channel.logLevel));
    store.add(channel.onDidChangeLogLevel(level => connection.setLogLevel(levelToAskFor(level))));
    store.add(
      vscode.workspace.onDidChangeConfiguration(() => {
        this.isTraced = settings.trace;
      }),
    );
    store.add(connection.onDidChangeState(state => this.writeState(state)));
    const session = store.add(new MutableDisposable());
    store.add(
      connection.onDidBegin(begun => {
        session.value = this.hear(begun);
      }),
    );
    return store;
  }

  /** Logs the messages between a gateway client and its process, each with the client's name. */
  followClient(link: RelayLink): void {
    const channel = this.channel();
    const log = new ServerLog(() => channel);
    log.redacted = line => `[${printable(link.clientName)}] ${link.redacted(line)}`;
    link.onDidBegin(begun => log.hear(begun));
  }

  private hear({ onDidPass, onDidWriteStderr, onDidLog }: Heard): IDisposable {
    const store = new DisposableStore();
    store.add(onDidPass(traffic => this.writeTraffic(traffic)));
    if (onDidLog) {
      store.add(onDidLog(entry => this.writeEntry(entry)));
    }
    const stderr = onDidWriteStderr?.(line => this.write('info', printable(line)));
    if (stderr) {
      store.add(stderr);
    }
    return store;
  }

  private writeState(state: ConnectionState): void {
    this.write(state.kind === 'failed' ? 'error' : 'info', stateText(state));
  }

  private writeEntry({ level, logger, text }: ServerLogEntry): void {
    this.write(channelLevelOf(level), printable(logger ? `[${logger}] ${text}` : text));
  }

  private writeTraffic(traffic: Traffic): void {
    if (traffic.kind === 'rubbish') {
      this.write('warn', `Skipped ${traffic.length} bytes on stdout that are not MCP messages.`);
    } else if (traffic.kind === 'stray') {
      this.write('warn', `Skipped: ${traceLine(traffic.direction, traffic.message)}`);
    } else if (this.isTraced) {
      this.write('info', traceLine(traffic.direction, traffic.message));
    } else if (this.channel().logLevel === vscode.LogLevel.Trace) {
      this.write('trace', traceLine(traffic.direction, traffic.message));
    }
  }

  private write(level: ChannelLevel | 'trace', line: string): void {
    this.channel()[level](this.redacted(line));
  }
}

/** Asks for `info` at least, because the user may lower the channel's level at any time. */
function levelToAskFor(shown: vscode.LogLevel): 'debug' | 'info' {
  return shown === vscode.LogLevel.Trace || shown === vscode.LogLevel.Debug ? 'debug' : 'info';
}
