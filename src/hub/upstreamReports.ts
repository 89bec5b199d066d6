import type { Logger } from '../base/logger.ts';
import type { AuditLog } from './audit/auditLog.ts';
import type { Upstream, UpstreamEvent, UpstreamObserver } from './upstreams/upstream.ts';

/** The most unread bytes of our standard error. Above it, servers' lines are dropped. */
const mostUnread = 1024 * 1024;

/** Reports events of all servers in the audit and on stderr, because perhaps no client sees them. */
export class UpstreamReports implements UpstreamObserver {
  private readonly audit: AuditLog | undefined;
  private readonly logger: Logger;
  private readonly warned = new Set<string>();

  constructor(audit: AuditLog | undefined, logger: Logger) {
    this.audit = audit;
    this.logger = logger;
  }

  takeEvent({ server, state, reason }: UpstreamEvent, upstream: Upstream): void {
    const { id: child } = upstream;
    this.audit?.note({ event: 'child', server, child, state, reason }, this.logger);
    if (state === 'failed') {
      this.logger.warn(`Server "${server}": ${reason ?? 'the server has failed'}.`);
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
    if (line.trim() !== '' && process.stderr.writableLength <= mostUnread) {
      this.logger.info(`${server}: ${line}`);
    }
  }

  /** Warns of mistakes in a server's rules. For rules for tools, first reads the list of tools. */
  async takeRules(upstream: Upstream): Promise<void> {
    const { tools, checkNames, leaveNames } = upstream.server.guard;
    if (tools.size + checkNames.length + leaveNames.length > 0) {
      // A client gets the same error when it lists the tools.
      await upstream.offerings.tools().catch(() => {});
    }
    this.warnOnce(upstream.ruleProblems);
  }

  private warnOnce(problems: string | readonly string[]): void {
    for (const problem of [problems].flat().filter(one => !this.warned.has(one))) {
      this.warned.add(problem);
      this.logger.warn(problem);
    }
  }
}
