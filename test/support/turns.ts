import { setImmediate as immediate } from 'node:timers/promises';

/** Lets everything happen that waits for nothing but the event loop. */
export async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await immediate();
  }
}
