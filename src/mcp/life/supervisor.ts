import { steadyNow } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Deaths, type RestartPlan } from '../../domain/servers/restarts.ts';
import type { ConnectionState, Link } from '../link/link.ts';

const nothing: RestartPlan = { kind: 'none' };

/**
 * Watches the link of a server. If the server dies, starts it again: soon at first, later each
 * time, and no more if it dies too often. Leaves a stopped server alone.
 */
export class Supervisor implements IDisposable {
  private readonly startAgain: () => void;
  private readonly deaths: Deaths;
  private listening: IDisposable | undefined;
  private upSince: number | undefined;
  private current: RestartPlan = nothing;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param startAgain starts the server. Called once for each planned restart, when its time comes.
   * @param deaths all deaths that count. Deaths of other processes of the same server may be among them.
   */
  constructor(startAgain: () => void, deaths = new Deaths()) {
    this.startAgain = startAgain;
    this.deaths = deaths;
  }

  /** Counts the deaths of this link. Call it before you add listeners that read the plan. */
  watch(link: Pick<Link, 'state' | 'onDidChangeState'>): void {
    this.follow(link.state);
    this.listening = link.onDidChangeState(state => this.follow(state));
  }

  get plan(): RestartPlan {
    return this.current;
  }

  /** Call it when a person starts the server. Forgets earlier deaths and the plan. */
  forget(): void {
    this.deaths.forget();
    this.callOff();
  }

  callOff(): void {
    this.enter(nothing);
  }

  /** Starts nothing any more. */
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
    // In every state but `failed`, a planned restart is out of date.
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
