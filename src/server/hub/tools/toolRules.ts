import type { Logger } from '../../../base/logger.ts';
import { strayToolRules } from '../../../domain/hub/strayToolRules.ts';
import type { Child, ChildEvent } from '../children/child.ts';

/** What is wrong with the rules for the tools of a child, as far as it is known which it has. */
export function toolRuleProblems({ server, offerings }: Child): readonly string[] {
  const tools = offerings.known('tools');
  return tools
    ? strayToolRules(
        server,
        tools.map(({ name }) => name),
      )
    : [];
}

/**
 * Says, each once, which rules for tools hold for nothing. A server that has such rules is asked for
 * its tools as soon as it runs: nobody else may ever do that.
 */
export class ToolRulesWatch {
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
    if (child.server.guard.tools.size === 0) {
      return;
    }
    try {
      await child.offerings.tools();
    } catch {
      return; // Who wants the tools is told why there are none.
    }
    for (const problem of toolRuleProblems(child).filter(one => !this.told.has(one))) {
      this.told.add(problem);
      this.logger.warn(problem);
    }
  }
}
