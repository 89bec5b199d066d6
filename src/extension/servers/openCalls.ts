import type { IDisposable } from '../../base/disposable.ts';
import { LateWatch } from '../../base/lateWatch.ts';
import type { OpenCall } from '../../domain/servers/serverFaults.ts';

/** The calls of one server that have no answer yet, of which those that take long are told of. */
export class OpenCalls implements IDisposable {
  private readonly onDidChange: () => void;
  private readonly patience: number;
  private readonly open = new Map<OpenCall, LateWatch>();

  /** @param patience how many milliseconds a call may take before it counts as overdue. */
  constructor(onDidChange: () => void, patience: number) {
    this.onDidChange = onDidChange;
    this.patience = patience;
  }

  /** Those that are open for too long, the oldest first. */
  get overdue(): readonly OpenCall[] {
    return [...this.open].flatMap(([call, { isLate }]) => (isLate ? [call] : []));
  }

  /** Counts a call as open until it settles, and settles as it does. */
  async during<T>(tool: string, answer: Promise<T>): Promise<T> {
    const call: OpenCall = { tool, since: Date.now() };
    const watch = new LateWatch(this.patience);
    watch.onDidChange(this.onDidChange);
    this.open.set(call, watch);
    watch.expect();
    try {
      return await answer;
    } finally {
      // Before it is told that it is settled, so that it is not found open then.
      this.open.delete(call);
      watch.dispose();
    }
  }

  /** None of those until now is of interest any more. */
  dispose(): void {
    const watches = [...this.open.values()];
    this.open.clear();
    for (const watch of watches) {
      watch.dispose();
    }
  }
}
