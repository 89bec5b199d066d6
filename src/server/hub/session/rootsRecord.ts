import type { Logger } from '../../../base/logger.ts';
import type { RootsView } from '../../roots/rootsView.ts';
import type { AuditLog } from '../audit/auditLog.ts';

/** What a {@link RootsRecord} works with. */
export interface RootsRecordParts {
  /** What the audit calls the session: no secret. */
  readonly session: string;
  readonly audit: AuditLog | undefined;
  readonly logger: Logger;
}

/** Takes down in the audit which roots one session has been given. */
export class RootsRecord {
  private readonly parts: RootsRecordParts;
  private last: string | undefined;

  constructor(parts: RootsRecordParts) {
    this.parts = parts;
  }

  /** Notes one answer of the client, or what stands in its place. */
  note({ folders, source }: RootsView): void {
    const { session, audit, logger } = this.parts;
    const roots = folders.scope.roots.map(({ announced }) => announced);
    const key = JSON.stringify([source, roots]);
    const isChange = this.last !== undefined && this.last !== key;
    this.last = key;
    try {
      audit?.write({ event: isChange ? 'roots-changed' : 'roots', session, roots, source });
    } catch (error) {
      // The roots are in force whether or not that is written; each call that can't be is refused.
      logger.error(error instanceof Error ? error : String(error));
    }
  }
}
