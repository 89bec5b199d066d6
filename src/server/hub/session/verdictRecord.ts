import { isHumanError } from '../../../domain/errors.ts';
import type { VerdictEvent } from '../audit/auditEvent.ts';
import type { AuditLog } from '../audit/auditLog.ts';

/** Takes down in the audit what was decided of one call: once, whatever becomes of it. */
export class VerdictRecord {
  private readonly call: Pick<VerdictEvent, 'session' | 'server' | 'tool'>;
  private readonly audit: AuditLog | undefined;
  private isNoted = false;

  constructor(
    call: Pick<VerdictEvent, 'session' | 'server' | 'tool'>,
    audit: AuditLog | undefined,
  ) {
    this.call = call;
    this.audit = audit;
  }

  /** @throws {HumanError} when it can't be written: what nobody can look up later is not done. */
  note(verdict: Pick<VerdictEvent, 'verdict' | 'paths' | 'reason'>): void {
    this.isNoted = true;
    this.audit?.write({ event: 'verdict', ...this.call, ...verdict });
  }

  /** The call came to an end; if nothing was decided before, it never reached its server. */
  noteEnd(error: unknown, { aborted }: AbortSignal): void {
    if (!this.isNoted) {
      const reason = aborted ? 'The client cancelled it.' : reasonOf(error);
      this.note({ verdict: 'denied', paths: [], reason });
    }
  }
}

function reasonOf(error: unknown): string {
  return isHumanError(error) ? error.message : 'It could not be passed on.';
}
