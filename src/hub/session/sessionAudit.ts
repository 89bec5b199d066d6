import type { Logger } from '../../base/logger.ts';
import { isHumanError } from '../../domain/sentence.ts';
import type { RootsView } from '../../server/roots/rootsView.ts';
import type { AuditLog, VerdictEvent } from '../audit/auditLog.ts';
import type { Denied } from '../guard/judge.ts';

/** Writes the roots of one session, and the verdicts on its calls, to the audit. */
export class SessionAudit {
  /** The name of the session in the audit: no secret. */
  private readonly session: string;
  private readonly log: AuditLog | undefined;
  private readonly logger: Logger;
  private lastRoots: string | undefined;

  constructor(session: string, log: AuditLog | undefined, logger: Logger) {
    this.session = session;
    this.log = log;
    this.logger = logger;
  }

  /** Notes a roots view: the roots of the session, or of one modern call, and who named them. */
  noteRoots({ folders, source }: RootsView): void {
    const { session } = this;
    const roots = folders.scope.roots.map(({ announced }) => announced);
    const key = JSON.stringify([source, roots]);
    const isChange = this.lastRoots !== undefined && this.lastRoots !== key;
    this.lastRoots = key;
    // The roots are in force even unwritten; a call whose verdict can't be written is refused.
    const event = isChange ? 'roots-changed' : 'roots';
    this.log?.note({ event, session, roots, source }, this.logger);
  }

  /**
   * @param isLaterRound whether the request resumes a call, whose verdict the audit has already.
   */
  verdictOn(called: Pick<VerdictEvent, 'server' | 'tool'>, isLaterRound: boolean): VerdictRecord {
    const { session, log } = this;
    return new VerdictRecord({ session, ...called }, isLaterRound, log);
  }
}

/**
 * Writes the verdict on one call to the audit: once, whatever becomes of the call. Of the later
 * rounds of a suspended call only a refusal is written, as an event of its own: there are as many
 * verdicts as calls.
 */
export class VerdictRecord {
  private readonly called: Pick<VerdictEvent, 'session' | 'server' | 'tool'>;
  private readonly isLaterRound: boolean;
  private readonly log: AuditLog | undefined;
  private isNoted = false;

  constructor(called: VerdictRecord['called'], isLaterRound: boolean, log: AuditLog | undefined) {
    this.called = called;
    this.isLaterRound = isLaterRound;
    this.log = log;
  }

  /** The guard refuses the call. @throws as {@link note}. */
  refuse(denied: Denied): void {
    const { canonical, path, reason } = denied;
    this.note({ verdict: 'denied', paths: [canonical ?? path], reason });
  }

  /**
   * @throws {HumanError} when the verdict can't be written: a call without a record is not made.
   */
  note({ verdict, paths, reason }: Pick<VerdictEvent, 'verdict' | 'paths' | 'reason'>): void {
    this.isNoted = true;
    if (!this.isLaterRound) {
      this.log?.write({ event: 'verdict', ...this.called, verdict, paths, reason });
    } else if (verdict === 'denied') {
      this.log?.write({ event: 'round-refused', ...this.called, paths, reason });
    }
  }

  /**
   * The request has ended; one without a verdict never reached its server, and counts as denied.
   */
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
