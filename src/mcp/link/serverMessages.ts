import type { JSONRPCMessage, JSONRPCNotification } from '@modelcontextprotocol/client';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { type LogLevel, logLevelOf } from '../../domain/logLevels.ts';
import type { KnownSecrets } from '../process/knownSecrets.ts';
import type { Traffic, Wire } from '../process/wire.ts';

/** A log message of a server. The server's text can have any characters. */
export interface ServerLogEntry {
  readonly level: LogLevel;
  /** The part of the server that logged it. */
  readonly logger?: string;
  readonly text: string;
  /** Whether the text is JSON from the server, or the beginning of such JSON. */
  readonly isJson?: true;
}

const mostPerSecond = 50;
const longestText = 10_000;
const longestLogger = 200;
const second = 1000;

interface LogMessage {
  readonly level: LogLevel;
  readonly logger: string | undefined;
  readonly data: unknown;
}

/**
 * The log messages of one server, at a limited rate. In a flood, reports the first messages of each
 * second, and then the number of messages that were left out.
 */
export class ServerMessages implements IDisposable {
  private readonly listening: IDisposable;
  private readonly secrets: KnownSecrets;
  private readonly didLog = new Emitter<ServerLogEntry>();
  private shown = 0;
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  readonly onDidLog: Event<ServerLogEntry> = this.didLog.event;

  /** @param secrets the secrets that no message may repeat. */
  constructor(wire: Pick<Wire, 'onDidPass'>, secrets: KnownSecrets) {
    this.secrets = secrets;
    this.listening = wire.onDidPass(traffic => this.read(traffic));
  }

  /** Reports how many messages were left out until now. Drops later messages. */
  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.tellLeftOut();
    this.didLog.dispose();
  }

  private read(traffic: Traffic): void {
    if (traffic.kind === 'message' && isLogMessage(traffic.message)) {
      const { level, logger, data } = traffic.message.params ?? {};
      this.take({
        level: logLevelOf(level),
        logger: typeof logger === 'string' ? logger : undefined,
        data,
      });
    }
  }

  /** Adds our own warning about the server to its log messages. */
  report(data: string): void {
    this.take({ level: 'warning', logger: undefined, data });
  }

  private take(message: LogMessage): void {
    this.timer ??= setTimeout(() => this.beginAnew(), second);
    if (this.shown < mostPerSecond) {
      this.shown += 1;
      this.didLog.fire(this.entryOf(message));
    } else {
      this.leftOut += 1;
    }
  }

  private entryOf({ level, logger, data }: LogMessage): ServerLogEntry {
    return {
      level,
      ...(logger && { logger: this.fit(logger, longestLogger) }),
      text: this.fit(textOf(data), longestText),
      ...(data !== undefined && typeof data !== 'string' && { isJson: true }),
    };
  }

  /** The text, redacted before it is cut: a cut could make a secret unrecognizable. */
  private fit(text: string, longest: number): string {
    const clean = this.secrets.redacted(text);
    return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
  }

  private beginAnew(): void {
    this.timer = undefined;
    this.shown = 0;
    this.tellLeftOut();
  }

  private tellLeftOut(): void {
    if (this.leftOut > 0) {
      this.didLog.fire({ level: 'warning', text: `… ${this.leftOut} more` });
      this.leftOut = 0;
    }
  }
}

function textOf(data: unknown): string {
  if (typeof data === 'string') {
    return data;
  }
  try {
    return JSON.stringify(data) ?? '';
  } catch {
    return '…'; // JSON may be nested deep enough to be read but not written.
  }
}

/**
 * Whether this is a log message, which {@link ServerMessages} reports as it passes. The SDK must
 * not get log messages: it ignores them, but so slowly that a flood would block everything else.
 */
export function isLogMessage(message: JSONRPCMessage): message is JSONRPCNotification {
  return 'method' in message && message.method === 'notifications/message';
}
