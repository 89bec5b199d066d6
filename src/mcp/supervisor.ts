import { type IDisposable, toDisposable } from '../base/disposable.ts';
import {
  type Death,
  isDeath,
  planAfter,
  type RestartPlan,
  withDeath,
} from '../domain/servers/restarts.ts';
import type { ConnectionState, Link } from './link.ts';

const nothing: RestartPlan = { kind: 'none' };

/**
 * Watches the links of a server, and has one that died started again: soon at first, then ever later,
 * and not any more when it dies too often. What was stopped is left alone.
 */
export class Supervisor implements IDisposable {
  private readonly startAgain: () => void;
  private readonly watching = new Set<IDisposable>();
  private deaths: readonly Death[] = [];
  private hasRun = false;
  private current: RestartPlan = nothing;
  private timer: NodeJS.Timeout | undefined;

  /** @param startAgain starts the server; called once for each plan that is waiting, in its time. */
  constructor(startAgain: () => void) {
    this.startAgain = startAgain;
  }

  /**
   * Counts the deaths of this link, too, until the answer is disposed. Call it before others listen to
   * the link: hearing of a death, they read the plan.
   */
  watch(link: Pick<Link, 'state' | 'onDidChangeState'>): IDisposable {
    let upSince = this.follow(link.state, undefined);
    const listening = link.onDidChangeState(state => {
      upSince = this.follow(state, upSince);
    });
    this.watching.add(listening);
    return toDisposable(() => {
      this.watching.delete(listening);
      listening.dispose();
    });
  }

  /** Whether the server has run since a person last started or stopped it. */
  get wasReached(): boolean {
    return this.hasRun;
  }

  get plan(): RestartPlan {
    return this.current;
  }

  /** A person started or stopped the server: earlier deaths are forgiven, and nothing is pending. */
  forget(): void {
    this.deaths = [];
    this.hasRun = false;
    this.enter(nothing);
  }

  /** Nothing is started any more. */
  dispose(): void {
    for (const listening of this.watching) {
      listening.dispose();
    }
    this.forget();
  }

  /** @returns since when the link has been up. */
  private follow(state: ConnectionState, upSince: number | undefined): number | undefined {
    const at = Date.now();
    const failure = state.kind === 'failed' ? state.failure : undefined;
    if (failure && isDeath(failure, upSince !== undefined)) {
      this.deaths = withDeath(this.deaths, { at, upSince });
      this.enter(planAfter(this.deaths, { kind: failure.kind, wasReached: this.hasRun }));
    } else {
      this.hasRun ||= state.kind === 'running';
      // It runs, or somebody else decides about it: whatever was planned is out of date.
      this.enter(nothing);
    }
    return state.kind === 'running' ? at : undefined;
  }

  private enter(plan: RestartPlan): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.current = plan;
    if (plan.kind === 'waiting') {
      this.timer = setTimeout(() => this.carryOut(), plan.at - Date.now());
    }
  }

  private carryOut(): void {
    this.enter(nothing);
    this.startAgain();
  }
}
