import type { Logger } from '../../../base/logger.ts';
import type { After } from '../../after.ts';

/** What {@link ChildOutput} works with. */
export interface ChildOutputParts {
  readonly logger: Pick<Logger, 'info'>;
  readonly after: After;
  /** Whether nobody reads what the hub writes: then nothing more is added to it. */
  readonly isUnread: () => boolean;
}

const perSecond = 50;

/**
 * Passes on what servers write to their standard error, with their names before it. Of one that
 * writes more than 50 lines within a second the rest is counted only.
 */
export class ChildOutput {
  private readonly parts: ChildOutputParts;
  /** How many lines each server has written in the second that runs for it. */
  private readonly counts = new Map<string, number>();

  constructor(parts: ChildOutputParts) {
    this.parts = parts;
  }

  /** @param line without secrets; it need not be printable. */
  take(server: string, line: string): void {
    const count = this.counts.get(server) ?? 0;
    if (count === 0) {
      this.parts.after(1000, () => this.endSecond(server));
    }
    this.counts.set(server, count + 1);
    if (count < perSecond && line.trim() !== '') {
      this.write(server, line);
    }
  }

  private endSecond(server: string): void {
    const leftOut = (this.counts.get(server) ?? 0) - perSecond;
    this.counts.delete(server);
    if (leftOut > 0) {
      this.write(server, `(${leftOut} more ${leftOut === 1 ? 'line' : 'lines'} left out)`);
    }
  }

  private write(server: string, text: string): void {
    if (!this.parts.isUnread()) {
      this.parts.logger.info(`${server.slice(0, 100)}: ${text}`);
    }
  }
}

const mostUnread = 1024 * 1024;

/** Whether more of our own standard error waits to be read than is ever going to be. */
export function isStderrUnread(): boolean {
  return process.stderr.writableLength > mostUnread;
}
