import type { Logger } from '../../base/logger.ts';
import { isHumanError } from '../../domain/sentence.ts';
import type { RootsView } from '../../server/roots/rootsView.ts';
import type { AuditLog, VerdictEvent } from '../audit/auditLog.ts';
import type { Denied } from '../guard/judge.ts';

/**
 * Writes the roots of one session, and the verdicts on its calls, to the audit, and counts those
 * that the guard refuses.
 */
export class SessionAudit {
  /** The name of the session in the audit: no secret. */
  private readonly session: string;
  private readonly log: AuditLog | undefined;
  private readonly logger: Logger;
  private readonly refusals: RefusalCounts;
  private lastRoots: string | undefined;

  constructor(session: string, log: AuditLog | undefined, logger: Logger) {
    this.session = session;
    this.log = log;
    this.logger = logger;
    this.refusals = new RefusalCounts(logger);
  }

  /** Notes a roots view: the roots of the session, or of one modern call, and who named them. */
  noteRoots({ folders, source }: RootsView): void {
    const { session, log, logger } = this;
    const roots = folders.scope.roots.map(({ announced }) => announced);
    const key = JSON.stringify([source, roots]);
    const isChange = this.lastRoots !== undefined && this.lastRoots !== key;
    this.lastRoots = key;
    try {
      log?.write({ event: isChange ? 'roots-changed' : 'roots', session, roots, source });
    } catch (error) {
      // The roots are in force even unwritten; a call whose verdict can't be written is refused.
      logger.error(error instanceof Error ? error : String(error));
    }
  }

  /**
   * @param isLaterRound whether the request resumes a call, whose verdict the audit has already.
   */
  verdictOn(called: Pick<VerdictEvent, 'server' | 'tool'>, isLaterRound: boolean): VerdictRecord {
    const { session, log, refusals } = this;
    return new VerdictRecord({ session, ...called }, isLaterRound, log, refusals);
  }

  /** What the guard refused to pass on to a server, in the order in which it first did. */
  refusalsOf(server: string): readonly RefusalCount[] {
    return this.refusals.of(server);
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
  private readonly refusals: RefusalCounts;
  private isNoted = false;

  constructor(
    called: VerdictRecord['called'],
    isLaterRound: boolean,
    log: AuditLog | undefined,
    refusals: RefusalCounts,
  ) {
    this.called = called;
    this.isLaterRound = isLaterRound;
    this.log = log;
    this.refusals = refusals;
  }

  /** The guard refuses the call. @throws as {@link note}. */
  refuse(denied: Denied): void {
    const { canonical, path, reason } = denied;
    this.refusals.note(this.called, denied);
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

/** How often calls of one tool were refused for what they name in one argument. */
export interface RefusalCount {
  readonly tool: string;
  /** Without the places in lists, as in `files[].path`; empty: it was the arguments as a whole. */
  readonly argument: string;
  count: number;
}

/** The refusals of one session by server, tool and argument. Each of these is told on stderr once. */
class RefusalCounts {
  private readonly logger: Pick<Logger, 'warn'>;
  private readonly counts = new Map<string, RefusalCount[]>();

  constructor(logger: Pick<Logger, 'warn'>) {
    this.logger = logger;
  }

  note(
    { server, tool }: Pick<VerdictEvent, 'server' | 'tool'>,
    { argument, message }: Denied,
  ): void {
    const counts = this.counts.get(server) ?? [];
    this.counts.set(server, counts);
    const known = counts.find(one => one.tool === tool && one.argument === argument);
    if (known) {
      known.count += 1;
    } else if (counts.length < mostCounts) {
      counts.push({ tool, argument, count: 1 });
      this.logger.warn(`A call was not passed on. ${message}`);
    }
  }

  of(server: string): readonly Readonly<RefusalCount>[] {
    return this.counts.get(server) ?? [];
  }
}

/** For each server; the names of tools and arguments are the client's own. */
const mostCounts = 50;
