import type { Logger } from '../../base/logger.ts';
import type { Called, ToolCalls } from '../../domain/activity.ts';
import { cut } from '../../domain/printable.ts';
import type { Use } from '../../mcp/life/managedServer.ts';
import { ActivityLog } from './activityLog.ts';

/** A client can call made-up names without end. No server of 55 measured ones has 200 tools. */
const mostTools = 10_000;
const longestName = 100;

/**
 * The calls of tools in this window, until it closes. They have a log of their own, because an agent
 * calls so often that its calls would push every other entry out of the activity log. Arguments and
 * results are not kept.
 */
export class Calls {
  readonly log: ActivityLog;
  private readonly byTool = new Map<string, ToolCalls>();

  constructor(logger: Logger) {
    this.log = new ActivityLog(undefined, logger);
  }

  /** Adds a call when it ends. Other uses are ignored, also calls without the name of a tool. */
  note({ method, params: { name }, ended, at, ...about }: Use): void {
    if (method !== 'tools/call' || typeof name !== 'string') {
      return;
    }
    const tool = cut(name, longestName);
    void ended.then(response => {
      const outcome = outcomeOf(response);
      const took = Date.now() - at;
      const last: Called = { kind: 'called', ...about, at, tool, took, outcome };
      const key = keyOf(about.serverId, tool);
      const before = this.byTool.get(key);
      if (before || this.byTool.size < mostTools) {
        this.byTool.set(key, { count: (before?.count ?? 0) + 1, last });
      }
      this.log.add(last);
    });
  }

  /** The calls of a tool; `undefined` if nobody called the tool. */
  of(serverId: string, tool: string): ToolCalls | undefined {
    return this.byTool.get(keyOf(serverId, cut(tool, longestName)));
  }

  dispose(): void {
    this.log.dispose();
  }
}

function keyOf(serverId: string, tool: string): string {
  return JSON.stringify([serverId, tool]);
}

function outcomeOf(response: Awaited<Use['ended']>): Called['outcome'] {
  if (!response) {
    return 'cancelled';
  }
  return 'error' in response || response.result['isError'] === true ? 'failed' : 'answered';
}
