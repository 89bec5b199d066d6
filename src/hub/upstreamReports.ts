import type { After } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { AuditEvent, AuditLog } from './audit/auditLog.ts';
import { RulesWatch } from './tools/rulesWatch.ts';
import type {
  Upstream,
  UpstreamEvent,
  UpstreamExposure,
  UpstreamObserver,
} from './upstreams/upstream.ts';

/** The places that reports of servers go to. */
interface UpstreamReportsParts {
  readonly audit: AuditLog | undefined;
  readonly logger: Logger;
  readonly after: After;
}

/** Reports events of all servers that no client may ever see: in the audit, and on stderr. */
export class UpstreamReports implements UpstreamObserver {
  private readonly parts: UpstreamReportsParts;
  private readonly output: UpstreamOutput;
  private readonly rules: RulesWatch;
  private readonly told = new Set<string>();

  constructor(parts: UpstreamReportsParts) {
    const { logger, after } = parts;
    this.parts = parts;
    this.output = new UpstreamOutput({ logger, after, isUnread: isStderrUnread });
    this.rules = new RulesWatch(logger);
  }

  takeEvent(event: UpstreamEvent, upstream: Upstream): void {
    this.writeToAudit({ event: 'child', child: event.upstream, ...event });
    // Of the others, the failure is told to the client whose call started them.
    if (event.state === 'failed' && upstream.server.autoStart) {
      this.parts.logger.warn(`Server "${event.server}": ${event.reason ?? 'it has failed'}.`);
    }
    this.rules.follow(event, upstream);
    this.tellOfProxy(upstream);
  }

  /** It was handed its roots. */
  takeExposure(exposure: UpstreamExposure): void {
    this.writeToAudit({ event: 'exposure', child: exposure.upstream, ...exposure });
  }

  /** A line of its standard error. */
  takeLine(server: string, line: string): void {
    this.output.take(server, line);
  }

  /** The rules of servers may be others by now. */
  lookAgain(): void {
    this.rules.lookAgain();
  }

  /** Once for each server, and for each change of what it lacks. */
  private tellOfProxy({ proxyProblem }: Upstream): void {
    if (proxyProblem !== undefined && !this.told.has(proxyProblem)) {
      this.told.add(proxyProblem);
      this.parts.logger.warn(proxyProblem);
    }
  }

  /** A failed write refuses a call, and costs other events no more than their line. */
  private writeToAudit(event: AuditEvent): void {
    const { audit, logger } = this.parts;
    try {
      audit?.write(event);
    } catch (error) {
      logger.error(error instanceof Error ? error : String(error));
    }
  }
}

/** What {@link UpstreamOutput} works with. */
interface UpstreamOutputParts {
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
export class UpstreamOutput {
  private readonly parts: UpstreamOutputParts;
  /** How many lines each server has written in the second that runs for it. */
  private readonly counts = new Map<string, number>();

  constructor(parts: UpstreamOutputParts) {
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

/** Whether so much of our standard error waits to be read that its reader must have stopped. */
function isStderrUnread(): boolean {
  return process.stderr.writableLength > mostUnread;
}
