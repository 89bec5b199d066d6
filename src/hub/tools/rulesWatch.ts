import type { Logger } from '../../base/logger.ts';
import { ruleWarnings } from '../../domain/hubConfig/ruleWarnings.ts';
import type { Upstream, UpstreamEvent } from '../upstreams/upstream.ts';

/** What is to be told of the rules of a server, as far as it is known which tools it has. */
export function ruleProblems({ server, roots, offerings }: Upstream): readonly string[] {
  return ruleWarnings(server, roots, offerings.known('tools'));
}

/**
 * Says, each once, what is wrong with the rules of servers. One that has rules for tools is asked for
 * its tools as soon as it runs: nobody else may ever do that.
 */
export class RulesWatch {
  private readonly logger: Pick<Logger, 'warn'>;
  private readonly running = new Set<Upstream>();
  private readonly told = new Set<string>();

  constructor(logger: Pick<Logger, 'warn'>) {
    this.logger = logger;
  }

  /** Takes note of the new state of an upstream. */
  follow({ state }: Pick<UpstreamEvent, 'state'>, upstream: Upstream): void {
    if (state === 'running') {
      this.running.add(upstream);
      void this.look(upstream);
    } else {
      this.running.delete(upstream);
    }
  }

  /** There may be other rules by now. */
  lookAgain(): void {
    for (const upstream of this.running) {
      void this.look(upstream);
    }
  }

  private async look(upstream: Upstream): Promise<void> {
    const { tools, checkNames, leaveNames } = upstream.server.guard;
    if (tools.size + checkNames.length + leaveNames.length > 0) {
      try {
        await upstream.offerings.tools();
      } catch {
        // Who wants the tools is told why there are none.
      }
    }
    for (const problem of ruleProblems(upstream).filter(one => !this.told.has(one))) {
      this.told.add(problem);
      this.logger.warn(problem);
    }
  }
}
