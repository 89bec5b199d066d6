import { setTimeout as pause } from 'node:timers/promises';
import { patience } from '../../support/patience.ts';

const interval = 50;

/**
 * Tries `attempt` again until it does not throw, and returns what it returned: for assertions about
 * what a person will see in a moment.
 *
 * @param time for how long, in milliseconds.
 * @throws what the last attempt threw, when time is up.
 */
export async function eventually<T>(attempt: () => Promise<T> | T, time = patience): Promise<T> {
  const deadline = Date.now() + time;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
    }
    await pause(interval);
  }
}
