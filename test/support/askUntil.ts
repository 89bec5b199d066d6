import { setTimeout as delay } from 'node:timers/promises';
import { patience } from './patience.ts';

/**
 * Asks again and again until the answer fits, and gives the last one: for what takes its time, of
 * which nothing tells. A list, for example, does not wait for a server that is long in starting.
 */
export async function askUntil<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  const end = performance.now() + patience;
  for (;;) {
    const answer = await ask();
    if (fits(answer) || performance.now() > end) {
      return answer;
    }
    await delay(50);
  }
}
