import { type Failure, type FailureKind, failureRow } from './serverFailure.ts';

/** The next step for a server that does not run. `none`: no automatic step. */
export type RestartPlan =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'waiting';
      readonly deaths: number;
      /** The time of the next start, in milliseconds of `steadyNow`. */
      readonly at: number;
    }
  | { readonly kind: 'given-up'; readonly deaths: number };

/** When a server died, and since when it was up. `upSince` is `undefined` if it never came up. */
export interface Death {
  readonly at: number;
  readonly upSince: number | undefined;
}

export interface LastFailure {
  readonly kind: FailureKind;
  /** Whether the server came up at any time since a person last started it. */
  readonly wasReached: boolean;
}

const second = 1000;
const minute = 60 * second;
const firstDelay = second / 2;
const longestDelay = 30 * second;
/** After this many deaths within `deathsWithin`, automatic restarts end. */
const mostDeaths = 5;
const deathsWithin = 3 * minute;
/** After this many failed starts in a row, however long they took, automatic restarts end, too. */
const mostStarts = 3;
const forgivenAfter = minute;
/** If a server is not restarted automatically, a call may start it after this time. */
const retriedAfter = 30 * second;
/** A death counts for this long. Three starts fit in, even if each downloads for 5 minutes. */
const countedFor = 30 * minute;

/** The deaths of one server's processes, for all its clients. */
export class Deaths {
  private all: readonly Death[] = [];
  private hasRun = false;
  private last: Failure | undefined;

  /** Whether the server came up at any time since a person last started it. */
  get wasReached(): boolean {
    return this.hasRun;
  }

  /** Notes that a process came up. Clients no longer wait, but earlier deaths still count. */
  noteRunning(): void {
    this.hasRun = true;
    this.last = undefined;
  }

  /** Plans the step after a failure. The failure counts as a death if a retry may succeed. */
  add(failure: Failure, death: Death): RestartPlan {
    const { retry, isHopeless } = failureRow(failure.kind);
    if (retry === 'none' || (death.upSince === undefined && isHopeless?.(failure))) {
      return { kind: 'none' };
    }
    this.all = withDeath(this.all, death);
    this.last = failure;
    return this.plan();
  }

  /** The failure that keeps clients from starting the server now; `undefined` when they can. */
  failureAt(now: number): Failure | undefined {
    return this.pauseAt(now) > 0 ? this.last : undefined;
  }

  /** How many milliseconds clients must wait before they can start the server. */
  pauseAt(now: number): number {
    const plan = this.plan();
    switch (plan.kind) {
      case 'none':
        return 0;
      case 'waiting':
        return plan.at - now;
      case 'given-up':
        return (this.all.at(-1)?.at ?? 0) + retriedAfter - now;
    }
  }

  /** Forgets the deaths, so that clients can start the server. The server may be running. */
  forgive(): void {
    this.all = [];
    this.last = undefined;
  }

  /** Forgets everything, because a person started the server. */
  forget(): void {
    this.forgive();
    this.hasRun = false;
  }

  private plan(): RestartPlan {
    const { all, last, hasRun } = this;
    return last ? planAfter(all, { kind: last.kind, wasReached: hasRun }) : { kind: 'none' };
  }
}

/**
 * The deaths of a server that count, the oldest first, with a new death. If the server was up for a
 * minute, earlier deaths do not count any more.
 */
export function withDeath(deaths: readonly Death[], death: Death): readonly Death[] {
  const { at, upSince } = death;
  const isForgiven = upSince !== undefined && at - upSince >= forgivenAfter;
  const counted = deaths.filter(one => !isForgiven && at - one.at <= countedFor);
  return [...counted, death];
}

/**
 * The plan after the last of these deaths: another start after a growing delay, or none. A server
 * that came up before always gets another start if its failure only means that it is away.
 */
export function planAfter(
  deaths: readonly Death[],
  { kind, wasReached }: LastFailure,
): RestartPlan {
  const last = deaths.at(-1);
  if (last === undefined) {
    return { kind: 'none' };
  }
  const earlier = deaths.at(-mostDeaths);
  const starts = deaths.slice(-mostStarts);
  const neverCameUp =
    starts.length === mostStarts && starts.every(({ upSince }) => upSince === undefined);
  const isDying = earlier !== undefined && last.at - earlier.at <= deathsWithin;
  const isPatient = failureRow(kind).isAway && wasReached;
  if (!isPatient && (neverCameUp || isDying)) {
    return { kind: 'given-up', deaths: deaths.length };
  }
  const delay = Math.min(longestDelay, firstDelay * 2 ** (deaths.length - 1));
  return { kind: 'waiting', deaths: deaths.length, at: last.at + delay };
}

/**
 * Whether a failed start is retried when roots or configuration change, whatever the plan is. What
 * was missing may be there now.
 */
export function isTriedAnew(kind: FailureKind): boolean {
  return failureRow(kind).isEarly === true;
}

/**
 * The time from which a call may start a failed server again. If the server failed before it had a
 * process and no restart is planned, every call may start it, because that costs very little.
 */
export function nextCall(kind: FailureKind, failedAt: number): number {
  const { isEarly, retry } = failureRow(kind);
  return isEarly && retry === 'none' ? failedAt : failedAt + retriedAfter;
}
