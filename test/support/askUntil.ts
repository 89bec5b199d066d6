import { setTimeout as delay } from 'node:timers/promises';
import { patience } from './patience.ts';

/**
 * Asks again until the answer fits, and gives the last answer: for slow changes without an event.
 * For example, a list does not wait for a server that starts slowly.
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
