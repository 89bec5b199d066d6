import type { Logger } from '../../base/logger.ts';
import type { DenialText } from './denialText.ts';
import type { JudgedCall } from './judge.ts';

/** How often calls of one tool were refused for what they name in one argument. */
export interface RefusalCount {
  readonly tool: string;
  /** Without the places in lists, as in `files[].path`; empty: it was the arguments as a whole. */
  readonly argument: string;
  count: number;
}

/** The refusals of one session by server, tool and argument. Each of these is told on stderr once. */
export class RefusalCounts {
  private readonly logger: Pick<Logger, 'warn'>;
  private readonly counts = new Map<string, RefusalCount[]>();

  constructor(logger: Pick<Logger, 'warn'>) {
    this.logger = logger;
  }

  note(
    { server, tool }: Pick<JudgedCall, 'server' | 'tool'>,
    { argument, message }: Pick<DenialText, 'argument' | 'message'>,
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

  /** In the order in which they were first refused. */
  of(server: string): readonly Readonly<RefusalCount>[] {
    return this.counts.get(server) ?? [];
  }
}

/** For each server; the names of tools and arguments are the client's own. */
const mostCounts = 50;
