import type { Logger } from '../base/logger.ts';
import { printable } from '../domain/printable.ts';

/**
 * Logs to standard error, because standard output is the protocol. One message is one line, cut to
 * 1,000 characters, whoever wrote it.
 */
export function stderrLogger(): Logger {
  const write = (level: string) => (message: string | Error) => {
    const text = message instanceof Error ? message.message : message;
    process.stderr.write(`${printable(`[${level}] ${text.slice(0, 1000)}`)}\n`);
  };
  const ignore = () => {};
  return {
    trace: ignore,
    debug: ignore,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
