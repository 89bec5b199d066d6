import type { Logger } from '../../base/logger.ts';
import type { Called, ToolCalls } from '../../domain/activity.ts';
import type { Use } from '../../mcp/life/managedServer.ts';
import { ActivityLog } from './activityLog.ts';

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

  /** Adds a call when it ends. Other uses are ignored. */
  note({ method, params, ended, at, ...about }: Use): void {
    if (method !== 'tools/call') {
      return;
    }
    const tool = String(params['name']);
    void ended.then(response => {
      const outcome = outcomeOf(response);
      const took = Date.now() - at;
      const last: Called = { kind: 'called', ...about, at, tool, took, outcome };
      const key = keyOf(about.serverId, tool);
      this.byTool.set(key, { count: (this.byTool.get(key)?.count ?? 0) + 1, last });
      this.log.add(last);
    });
  }

  /** The calls of a tool; `undefined` if nobody called the tool. */
  of(serverId: string, tool: string): ToolCalls | undefined {
    return this.byTool.get(keyOf(serverId, tool));
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
