import type { Logger } from '../../../base/logger.ts';
import { strayGlobs } from '../../../domain/hub/strayGlobs.ts';
import { strayToolRules } from '../../../domain/hub/strayToolRules.ts';
import type { Child, ChildEvent } from '../children/child.ts';

/** What is wrong with the rules of a child, those for its tools as far as it is known which it has. */
export function ruleProblems({ server, roots, offerings }: Child): readonly string[] {
  const tools = offerings.known('tools')?.map(({ name }) => name);
  return [...strayGlobs(server, roots), ...(tools ? strayToolRules(server, tools) : [])];
}

/**
 * Says, each once, what is wrong with the rules of servers. One that has rules for tools is asked for
 * its tools as soon as it runs: nobody else may ever do that.
 */
export class RulesWatch {
  private readonly logger: Pick<Logger, 'warn'>;
  private readonly running = new Set<Child>();
  private readonly told = new Set<string>();

  constructor(logger: Pick<Logger, 'warn'>) {
    this.logger = logger;
  }

  /** Takes note of what became of a child. */
  follow({ state }: Pick<ChildEvent, 'state'>, child: Child): void {
    if (state === 'running') {
      this.running.add(child);
      void this.look(child);
    } else {
      this.running.delete(child);
    }
  }

  /** There may be other rules by now. */
  lookAgain(): void {
    for (const child of this.running) {
      void this.look(child);
    }
  }

  private async look(child: Child): Promise<void> {
    if (child.server.guard.tools.size > 0) {
      try {
        await child.offerings.tools();
      } catch {
        // Who wants the tools is told why there are none.
      }
    }
    for (const problem of ruleProblems(child).filter(one => !this.told.has(one))) {
      this.told.add(problem);
      this.logger.warn(problem);
    }
  }
}
