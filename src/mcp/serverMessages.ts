import type { JSONRPCMessage, JSONRPCNotification } from '@modelcontextprotocol/client';
import type { IDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { higherLevel, type LogLevel, logLevelOf } from '../domain/logLevels.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import type { Traffic, Wire } from './wire.ts';

/** A log message of a server. It comes from outside, in any characters. */
export interface ServerLogEntry {
  readonly level: LogLevel;
  /** The part of the server that says it. */
  readonly logger?: string;
  readonly text: string;
  /** The text is JSON, as the server sent it, or the beginning of that. */
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

interface LeftOutMessages {
  readonly count: number;
  readonly level: LogLevel;
}

/**
 * The log messages of one server, at a rate at which they can be shown: in a flood, the first of each
 * second one by one, and for the rest their number, at the highest level among them.
 */
export class ServerMessages implements IDisposable {
  private readonly listening: IDisposable;
  private readonly secrets: KnownSecrets;
  private readonly didLog = new Emitter<ServerLogEntry>();
  private shown = 0;
  private leftOut: LeftOutMessages | undefined;
  private timer: NodeJS.Timeout | undefined;

  readonly onDidLog: Event<ServerLogEntry> = this.didLog.event;

  /** @param secrets which no message may repeat. */
  constructor(wire: Pick<Wire, 'onDidPass'>, secrets: KnownSecrets) {
    this.secrets = secrets;
    this.listening = wire.onDidPass(traffic => this.read(traffic));
  }

  /** Reports the messages left out until now; later ones are dropped. */
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

  private take(message: LogMessage): void {
    this.timer ??= setTimeout(() => this.beginAnew(), second);
    if (this.shown < mostPerSecond) {
      this.shown += 1;
      this.didLog.fire(this.entryOf(message));
    } else {
      const { count, level } = this.leftOut ?? { count: 0, level: message.level };
      this.leftOut = { count: count + 1, level: higherLevel(level, message.level) };
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
    if (this.leftOut) {
      const { count, level } = this.leftOut;
      this.leftOut = undefined;
      this.didLog.fire({ level, text: `… ${count} more` });
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
    return '…'; // JSON can be read that is nested too deep to be written.
  }
}

/**
 * Whether {@link ServerMessages} reports the message as it passes. The SDK ignores such messages, but
 * takes so long to find that out that a flood would keep us from everything else.
 */
export function isLogMessage(message: JSONRPCMessage): message is JSONRPCNotification {
  return 'method' in message && message.method === 'notifications/message';
}
