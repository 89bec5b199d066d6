import { steadyNow } from '../base/clock.ts';
import type { IDisposable } from '../base/disposable.ts';
import { Deaths, type RestartPlan } from '../domain/servers/restarts.ts';
import type { ConnectionState, Link } from './link.ts';

const nothing: RestartPlan = { kind: 'none' };

/**
 * Watches the link of a server, and has one that died started again: soon at first, then ever later,
 * and not any more when it dies too often. What was stopped is left alone.
 */
export class Supervisor implements IDisposable {
  private readonly startAgain: () => void;
  private readonly deaths: Deaths;
  private listening: IDisposable | undefined;
  private upSince: number | undefined;
  private current: RestartPlan = nothing;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param startAgain starts the server; called once for each plan that is waiting, in its time.
   * @param deaths those that count, too, such as of other processes of the same server.
   */
  constructor(startAgain: () => void, deaths = new Deaths()) {
    this.startAgain = startAgain;
    this.deaths = deaths;
  }

  /** Counts the deaths of this link. Call it before others listen: hearing of one, they read the plan. */
  watch(link: Pick<Link, 'state' | 'onDidChangeState'>): void {
    this.follow(link.state);
    this.listening = link.onDidChangeState(state => this.follow(state));
  }

  get plan(): RestartPlan {
    return this.current;
  }

  /** A person started the server: earlier deaths are forgiven, and nothing is pending. */
  forget(): void {
    this.deaths.forget();
    this.callOff();
  }

  /** Nothing is pending any more. */
  callOff(): void {
    this.enter(nothing);
  }

  /** Nothing is started any more. */
  dispose(): void {
    this.listening?.dispose();
    this.callOff();
  }

  private follow(state: ConnectionState): void {
    const at = steadyNow();
    const { deaths, upSince } = this;
    this.upSince = undefined;
    if (state.kind === 'failed') {
      this.enter(deaths.add(state.failure, { at, upSince }));
      return;
    }
    if (state.kind === 'running') {
      this.upSince = at;
      deaths.noteRunning();
    }
    // It runs, or somebody else decides about it: whatever was planned is out of date.
    this.callOff();
  }

  private enter(plan: RestartPlan): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.current = plan;
    if (plan.kind === 'waiting') {
      this.timer = setTimeout(() => this.carryOut(), plan.at - steadyNow());
    }
  }

  private carryOut(): void {
    this.callOff();
    this.startAgain();
  }
}
