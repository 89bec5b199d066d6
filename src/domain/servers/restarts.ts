import { type Failure, type FailureKind, failureRow } from './serverFailure.ts';

/** The next step for a server that does not run. `none`: nothing by itself. */
export type RestartPlan =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'waiting';
      readonly deaths: number;
      /** When it is started again, in milliseconds of `steadyNow`. */
      readonly at: number;
    }
  | { readonly kind: 'given-up'; readonly deaths: number };

/** A server that died: when, and when it had come up. `upSince` is undefined when it never did. */
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
/** After so many deaths within so long, the server is left alone. */
const mostDeaths = 5;
const deathsWithin = 3 * minute;
/** After so many failed starts in a row, however long each took, it is left alone as well. */
const mostStarts = 3;
const forgivenAfter = minute;
/** Who calls a server that nothing else starts again may have that tried so long after its failure. */
const retriedAfter = 30 * second;
/** A death counts for so long: three starts in a row that may each download for five minutes are within. */
const countedFor = 30 * minute;

/** The deaths of one server, whoever used the process that died. */
export class Deaths {
  private all: readonly Death[] = [];
  private hasRun = false;
  private last: Failure | undefined;

  /** Whether the server has run since a person last started it. */
  get wasReached(): boolean {
    return this.hasRun;
  }

  /** A process has come up: nobody has to wait for it, but a death to come counts together with these. */
  noteRunning(): void {
    this.hasRun = true;
    this.last = undefined;
  }

  /** Says what follows a failure, and takes it down as a death where the same start may well succeed. */
  add(failure: Failure, death: Death): RestartPlan {
    const { retry, isHopeless } = failureRow(failure.kind);
    if (retry === 'none' || (death.upSince === undefined && isHopeless?.(failure))) {
      return { kind: 'none' };
    }
    this.all = withDeath(this.all, death);
    this.last = failure;
    return this.plan();
  }

  /** The failure after which no client can start the server yet; `undefined`: one can. */
  failureAt(now: number): Failure | undefined {
    return this.pauseAt(now) > 0 ? this.last : undefined;
  }

  /** The milliseconds from now in which no client can start it. */
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

  /** A person started the server: all is forgiven. */
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
 * The deaths of a server that count, the oldest first, with one more. A server that was up for a minute
 * is forgiven the deaths before.
 */
export function withDeath(deaths: readonly Death[], death: Death): readonly Death[] {
  const { at, upSince } = death;
  const isForgiven = upSince !== undefined && at - upSince >= forgivenAfter;
  const counted = deaths.filter(one => !isForgiven && at - one.at <= countedFor);
  return [...counted, death];
}

/**
 * The plan after these deaths, at the moment of the last, which came with this failure: another
 * try, ever later, or none. For a server that is away and was reached before there is always another.
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
 * Whether a start that came to nothing is tried again with other roots or another configuration,
 * whatever else is planned: what it lacked may be there now.
 */
export function isTriedAnew(kind: FailureKind): boolean {
  return failureRow(kind).isEarly === true;
}

/**
 * The time from which a call may start a failed server again. A start that nothing else tries, and that
 * failed before there was a process, may be tried by each call: that costs next to nothing.
 */
export function nextCall(kind: FailureKind, failedAt: number): number {
  const { isEarly, retry } = failureRow(kind);
  return isEarly && retry === 'none' ? failedAt : failedAt + retriedAfter;
}
