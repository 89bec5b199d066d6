/** The levels of log messages in the protocol's words (RFC 5424), the lowest first. */
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

/** The levels of an output channel of VS Code. */
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

/** The level of this name in the protocol; `info` for any other value. */
export function logLevelOf(name: unknown): LogLevel {
  return logLevels.find(known => known === name) ?? 'info';
}
