import { runInNewContext } from 'node:vm';

/**
 * What `work` makes, or `undefined` when it takes longer than that, of which a single regular
 * expression can be the reason. `work` must not touch anything but values of its own, for it may be
 * left at any point and begun anew, and it costs a millisecond more.
 */
export function runWithin<T>(milliseconds: number, work: () => T): T | undefined {
  const start = process.cpuUsage();
  for (let time = 0; time < mostTimes; time++) {
    const made = tryWithin(milliseconds, work);
    if (made) {
      return made.value;
    }
    // The limit is on the clock: where the machine stood still meanwhile, the work is not to blame.
    const { user, system } = process.cpuUsage(start);
    if ((user + system) / 1000 > milliseconds / 2) {
      return undefined;
    }
  }
  return undefined;
}

const mostTimes = 20;

function tryWithin<T>(milliseconds: number, work: () => T): { readonly value: T } | undefined {
  let made: { readonly value: T } | undefined;
  const run = () => {
    made = { value: work() };
  };
  try {
    runInNewContext('run()', { run }, { timeout: milliseconds });
  } catch (error) {
    if (!isTimeout(error)) {
      throw error;
    }
  }
  return made;
}

/** Not `instanceof`: it was thrown in another V8 context. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
