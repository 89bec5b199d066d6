import type { Logger } from '../base/logger.ts';
import type { AuditLog } from './audit/auditLog.ts';
import type { Upstream, UpstreamEvent, UpstreamObserver } from './upstreams/upstream.ts';

/** In bytes: when so much of our standard error waits to be read, its reader must have stopped. */
const mostUnread = 1024 * 1024;
/** The most lines of one server in a second: the rest is left out, so that others are heard. */
const mostLines = 50;

/** Reports events of all servers that no client may ever see: in the audit, and on stderr. */
export class UpstreamReports implements UpstreamObserver {
  private readonly audit: AuditLog | undefined;
  private readonly logger: Logger;
  private readonly told = new Set<string>();
  /** The number of lines of each server in this second. */
  private readonly lines = new Map<string, number>();
  private second = 0;

  constructor(audit: AuditLog | undefined, logger: Logger) {
    this.audit = audit;
    this.logger = logger;
  }

  takeEvent({ server, state, reason }: UpstreamEvent, upstream: Upstream): void {
    const { id: child } = upstream;
    this.audit?.note({ event: 'child', server, child, state, reason }, this.logger);
    // Of the others, the failure is told to the client whose call started them.
    if (state === 'failed' && upstream.server.autoStart) {
      this.logger.warn(`Server "${server}": ${reason ?? 'it has failed'}.`);
    }
    if (state === 'running') {
      void this.takeRules(upstream);
    }
    this.warnOnce(upstream.proxyProblem ?? []);
  }

  takeExposure({ server, id }: Upstream, roots: readonly string[]): void {
    const event = { event: 'exposure', server: server.name, child: id, roots } as const;
    this.audit?.note(event, this.logger);
  }

  takeLine(server: string, line: string): void {
    const now = Math.floor(Date.now() / 1000);
    if (now !== this.second) {
      this.second = now;
      this.lines.clear();
    }
    const count = (this.lines.get(server) ?? 0) + 1;
    this.lines.set(server, count);
    const isRoom = count <= mostLines && process.stderr.writableLength <= mostUnread;
    if (line.trim() !== '' && isRoom) {
      this.logger.info(`${server}: ${line}`);
    }
  }

  /** One that has rules for tools is asked for its tools: nobody else may ever do that. */
  async takeRules(upstream: Upstream): Promise<void> {
    const { tools, checkNames, leaveNames } = upstream.server.guard;
    if (tools.size + checkNames.length + leaveNames.length > 0) {
      // A client that wants the tools is told why there are none.
      await upstream.offerings.tools().catch(() => {});
    }
    this.warnOnce(upstream.ruleProblems);
  }

  private warnOnce(problems: string | readonly string[]): void {
    for (const problem of [problems].flat().filter(one => !this.told.has(one))) {
      this.told.add(problem);
      this.logger.warn(problem);
    }
  }
}
