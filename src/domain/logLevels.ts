/** The levels of messages, in the words of the protocol (RFC 5424), the lowest first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof logLevels)[number];

/** The levels of an output channel. */
export type ChannelLevel = 'debug' | 'info' | 'warn' | 'error';

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

export function channelLevelOf(level: LogLevel): ChannelLevel {
  return channelLevels[level];
}

/** The protocol's level of this name; any other value counts as `info`. */
export function logLevelOf(name: unknown): LogLevel {
  return logLevels.find(known => known === name) ?? 'info';
}
