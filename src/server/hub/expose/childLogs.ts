import { type LogLevel, logLevels } from '../../../domain/logLevels.ts';
import type { ServerLogEntry } from '../../../mcp/serverMessages.ts';

/** A log message as it goes upstream: the parameters of `notifications/message`. */
export interface UpstreamLog {
  readonly level: LogLevel;
  readonly logger: string;
  /** As the server sent it; a text where that was too long. */
  readonly data: unknown;
}

/**
 * The least level that a server is asked for on behalf of several clients; `undefined` stands for
 * one that wants no messages. Without any other it is what a server is asked for at first.
 */
export function childLogLevel(wanted: Iterable<LogLevel | undefined>): LogLevel {
  const levels = new Set(wanted);
  return logLevels.find(level => levels.has(level)) ?? 'info';
}

/** Whether a client that wants messages from a level on gets one of this level. */
export function isWanted(level: LogLevel, least: LogLevel | undefined): boolean {
  return least !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(least);
}

/** What a server says about its work, for a client that knows only the hub. */
export function upstreamLog(
  server: string,
  { level, logger, text, isJson }: ServerLogEntry,
): UpstreamLog {
  const data = isJson ? asSent(text) : text;
  return { level, logger: logger === undefined ? server : `${server}/${logger}`, data };
}

function asSent(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json; // It was cut, or a secret in it was left out.
  }
}
