import type { RestartPlan } from '../../../domain/servers/restarts.ts';
import type { ConnectionState } from '../../../mcp/connection.ts';
import { failureText, givenUpText } from './childProblem.ts';

/** What is told of a child that has come to another state. */
export interface StateNews {
  readonly state: ConnectionState['kind'] | 'restarting';
  readonly reason?: string | undefined;
}

/** Tells changes of a child's state from what only looks like one. */
export class ChildNews {
  private kind: ConnectionState['kind'] = 'stopped';
  private reason: string | undefined;

  /** What is new since the last time; `undefined`: nothing. */
  since(
    { state, plan }: { readonly state: ConnectionState; readonly plan: RestartPlan },
    cause: string,
  ): StateNews | undefined {
    const before = this.kind;
    const reason = reasonOf(state, plan);
    if (state.kind === before && reason === this.reason) {
      return undefined;
    }
    this.kind = state.kind;
    this.reason = reason;
    const isEnding = isLive(before) && state.kind !== 'failed' && state.kind !== 'running';
    return {
      state: state.kind === 'starting' && before !== 'stopped' ? 'restarting' : state.kind,
      reason: isEnding ? `it ${cause}` : reason,
    };
  }
}

function isLive(kind: ConnectionState['kind']): boolean {
  return kind === 'running' || kind === 'starting';
}

function reasonOf(state: ConnectionState, plan: RestartPlan): string | undefined {
  if (state.kind !== 'failed') {
    return undefined;
  }
  const { failure } = state;
  const end = plan.kind === 'given-up' ? `, ${givenUpText(plan.deaths, failure.kind)}` : '';
  return `it ${failureText(failure)}${end}`;
}
