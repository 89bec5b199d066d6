/**
 * The relation of a side to ours: a competitor, the least possible, or ours in another revision.
 */
export type Role = 'theirs' | 'floor' | 'before';

/** One way to do what is measured. */
export interface Side {
  readonly name: string;
  /** Left out: it is ours. */
  readonly role?: Role;
  /** Does it once and says how many milliseconds it took. */
  readonly sample: () => Promise<number>;
}

export interface RaceOptions {
  readonly warmUp: number;
  readonly rounds: number;
  /** How many samples of a side make up one round. */
  readonly each: number;
}

/** The measurements of all sides. */
export interface Race {
  readonly sides: readonly Pick<Side, 'name' | 'role'>[];
  percentile(side: string, percent: number): number;
  /** How many times longer `side` took than `other`: the median of the ratios of each round. */
  ratio(side: string, other: string): number;
}

/**
 * Lets the sides take turns, round by round, so that other load on this machine hits all of them.
 * The first side changes, so that no side has an advantage.
 */
export async function race(sides: readonly Side[], options: RaceOptions): Promise<Race> {
  const { warmUp, rounds, each } = options;
  const samples = new Map(sides.map(({ name }) => [name, [] as number[]]));
  const medians = new Map(sides.map(({ name }) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const { name, sample } of inTurn(sides, round + warmUp)) {
      const times: number[] = [];
      while (times.length < each) {
        times.push(await sample());
      }
      if (round >= 0) {
        samples.get(name)?.push(...times);
        medians.get(name)?.push(median(times));
      }
    }
  }
  return {
    sides,
    percentile: (side, percent) => percentile(samples.get(side) ?? [], percent),
    ratio: (side, other) => {
      const others = medians.get(other) ?? [];
      const times = medians.get(side) ?? [];
      return median(times.map((time, round) => time / (others[round] ?? Number.NaN)));
    },
  };
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value above this percentage of the others. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100));
  return sorted[index] ?? Number.NaN;
}

/** Each side comes first as often as every other, and right after every other. */
function inTurn<T>(sides: readonly T[], round: number): readonly T[] {
  const start = round % sides.length;
  const turned = [...sides.slice(start), ...sides.slice(0, start)];
  return Math.floor(round / sides.length) % 2 === 0 ? turned : turned.reverse();
}

/** How many milliseconds the work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export const inFlight = 64;
export const callsAtOnce = 1024;

/** The milliseconds that so many calls take, with `inFlight` of them always under way. */
export function timeOfMany(call: () => Promise<unknown>): Promise<number> {
  let left = callsAtOnce;
  const callOn = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  return timeOf(() => Promise.all(Array.from({ length: inFlight }, callOn)));
}
