import { type Failure, type FailureKind, failureRow } from './serverFailure.ts';

/** The next step for a server that does not run. `none`: nothing happens automatically. */
export type RestartPlan =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'waiting';
      readonly deaths: number;
      /** The time of the next start, in milliseconds of `steadyNow`. */
      readonly at: number;
    }
  | { readonly kind: 'given-up'; readonly deaths: number };

/** The time of a server's death, and when it had come up: `upSince` is undefined if never. */
export interface Death {
  readonly at: number;
  readonly upSince: number | undefined;
}

export interface LastFailure {
  readonly kind: FailureKind;
  /** Whether the server has run since a person last started it. */
  readonly wasReached: boolean;
}

const second = 1000;
const minute = 60 * second;
const firstDelay = second / 2;
const longestDelay = 30 * second;
/** The number of deaths, within the time below, after which restarts stop. */
const mostDeaths = 5;
const deathsWithin = 3 * minute;
/** The number of failed starts in a row, of any length, after which restarts stop as well. */
const mostStarts = 3;
const forgivenAfter = minute;
/** How long after a failure a caller may retry a server that is not restarted automatically. */
const retriedAfter = 30 * second;
/** How long a death counts: longer than three failed starts that download for five minutes each. */
const countedFor = 30 * minute;

/** The deaths of one server's processes, whoever used them. */
export class Deaths {
  private all: readonly Death[] = [];
  private hasRun = false;
  private last: Failure | undefined;

  /** Whether the server has run since a person last started it. */
  get wasReached(): boolean {
    return this.hasRun;
  }

  /** A process has come up: nobody has to wait, but the earlier deaths still count. */
  noteRunning(): void {
    this.hasRun = true;
    this.last = undefined;
  }

  /** Plans what follows a failure, and counts it as a death if the same start may succeed later. */
  add(failure: Failure, death: Death): RestartPlan {
    const { retry, isHopeless } = failureRow(failure.kind);
    if (retry === 'none' || (death.upSince === undefined && isHopeless?.(failure))) {
      return { kind: 'none' };
    }
    this.all = withDeath(this.all, death);
    this.last = failure;
    return this.plan();
  }

  /** The failure that still keeps clients from starting the server; `undefined` when they can. */
  failureAt(now: number): Failure | undefined {
    return this.pauseAt(now) > 0 ? this.last : undefined;
  }

  /** How many milliseconds clients must wait before they can start it. */
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

  /** A person wants the server, which may be running: the deaths are forgiven. */
  forgive(): void {
    this.all = [];
    this.last = undefined;
  }

  /** A person started the server: everything is forgiven. */
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
 * The deaths of a server that count, the oldest first, with a new one. If the server was up for a
 * minute, earlier deaths are forgiven.
 */
export function withDeath(deaths: readonly Death[], death: Death): readonly Death[] {
  const { at, upSince } = death;
  const isForgiven = upSince !== undefined && at - upSince >= forgivenAfter;
  const counted = deaths.filter(one => !isForgiven && at - one.at <= countedFor);
  return [...counted, death];
}

/**
 * The plan at the last of these deaths, which had this failure: another try after a growing delay,
 * or none. A server that is away and was reached before always gets another try.
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
 * Whether a failed start is retried when roots or configuration change, whatever else is planned:
 * what was missing may be there now.
 */
export function isTriedAnew(kind: FailureKind): boolean {
  return failureRow(kind).isEarly === true;
}

/**
 * The time from which a call may start a failed server again. If nothing else retries the start,
 * and it failed before there was a process, each call may: that costs next to nothing.
 */
export function nextCall(kind: FailureKind, failedAt: number): number {
  const { isEarly, retry } = failureRow(kind);
  return isEarly && retry === 'none' ? failedAt : failedAt + retriedAfter;
}
