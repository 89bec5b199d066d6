import type { Logger } from '../../base/logger.ts';
import type { After } from '../after.ts';
import type { AuditEvent } from './audit/auditEvent.ts';
import type { AuditLog } from './audit/auditLog.ts';
import type { Child, ChildEvent, ChildExposure } from './children/child.ts';
import { ChildOutput, isStderrUnread } from './children/childOutput.ts';
import { RulesWatch } from './tools/ruleProblems.ts';

/** Where what is to be told of children goes. */
export interface ChildReportsParts {
  readonly audit: AuditLog | undefined;
  readonly logger: Logger;
  readonly after: After;
}

/** Tells of all children what their own clients may never see: in the audit, and on stderr. */
export class ChildReports {
  private readonly parts: ChildReportsParts;
  private readonly output: ChildOutput;
  private readonly rules: RulesWatch;
  private readonly told = new Set<string>();

  constructor(parts: ChildReportsParts) {
    const { logger, after } = parts;
    this.parts = parts;
    this.output = new ChildOutput({ logger, after, isUnread: isStderrUnread });
    this.rules = new RulesWatch(logger);
  }

  /** What became of a child. */
  takeEvent(event: ChildEvent, child: Child): void {
    this.writeToAudit({ event: 'child', ...event });
    // Nobody has called the others in vain.
    if (event.state === 'failed' && child.server.autoStart) {
      this.parts.logger.warn(`Server "${event.server}": ${event.reason ?? 'it has failed'}.`);
    }
    this.rules.follow(event, child);
    this.tellOfProxy(child);
  }

  /** It was handed its roots. */
  takeExposure(exposure: ChildExposure): void {
    this.writeToAudit({ event: 'exposure', ...exposure });
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
  private tellOfProxy({ proxyProblem }: Child): void {
    if (proxyProblem !== undefined && !this.told.has(proxyProblem)) {
      this.told.add(proxyProblem);
      this.parts.logger.warn(proxyProblem);
    }
  }

  /** What is no call is told in the audit if it can be; a call that can't be is refused. */
  private writeToAudit(event: AuditEvent): void {
    const { audit, logger } = this.parts;
    try {
      audit?.write(event);
    } catch (error) {
      logger.error(error instanceof Error ? error : String(error));
    }
  }
}
