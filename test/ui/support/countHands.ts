import type { Workbench } from './workbench.ts';

/** What a person did in a window, and how long that took. */
export interface Handled {
  /** Presses of keys, and of buttons of the mouse. */
  readonly hands: number;
  readonly seconds: number;
}

/** Counts from now on; the answer says what it came to so far. */
export async function countHands({ page }: Workbench): Promise<() => Promise<Handled>> {
  const begin = Date.now();
  await page.evaluate(`(() => {
    globalThis.hands = 0;
    const count = event => { globalThis.hands += event.isTrusted && !event.repeat ? 1 : 0; };
    addEventListener('keydown', count, true);
    addEventListener('mousedown', count, true);
  })()`);
  return async () => ({
    hands: await page.evaluate<number>('globalThis.hands'),
    seconds: (Date.now() - begin) / 1000,
  });
}
