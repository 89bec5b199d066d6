import { isHumanError } from '../../../domain/errors.ts';
import type { VerdictEvent } from '../audit/auditEvent.ts';
import type { AuditLog } from '../audit/auditLog.ts';

/** What a {@link VerdictRecord} is about. */
export interface RecordedRequest {
  readonly call: Pick<VerdictEvent, 'session' | 'server' | 'tool'>;
  /** Whether it goes on with a call, whose verdict was taken down when it began. */
  readonly isLaterRound: boolean;
}

/**
 * Takes down in the audit what was decided of one call: once, whatever becomes of it. Of its later
 * rounds only a refusal is told, as an event of its own: there are as many verdicts as calls.
 */
export class VerdictRecord {
  private readonly request: RecordedRequest;
  private readonly audit: AuditLog | undefined;
  private isNoted = false;

  constructor(request: RecordedRequest, audit: AuditLog | undefined) {
    this.request = request;
    this.audit = audit;
  }

  /** @throws {HumanError} when it can't be written: what nobody can look up later is not done. */
  note({ verdict, paths, reason }: Pick<VerdictEvent, 'verdict' | 'paths' | 'reason'>): void {
    const { call, isLaterRound } = this.request;
    this.isNoted = true;
    if (!isLaterRound) {
      this.audit?.write({ event: 'verdict', ...call, verdict, paths, reason });
    } else if (verdict === 'denied') {
      this.audit?.write({ event: 'round-refused', ...call, paths, reason });
    }
  }

  /** The request came to an end; if nothing was decided before, it never reached its server. */
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
