import type { Workbench } from './workbench.ts';

/**
 * Counts from now on; the answer says what it came to so far. The mouse pressed again at the same place
 * counts once: a test does so where the editor did not take a press in a row's first moment.
 */
export async function countHands({ page }: Workbench) {
  const begin = Date.now();
  await page.evaluate(`(() => {
    globalThis.hands = 0;
    let last;
    const count = (event, pressed) => {
      globalThis.hands += event.isTrusted && !event.repeat && (!pressed || pressed !== last) ? 1 : 0;
      last = pressed;
    };
    addEventListener('keydown', event => count(event), true);
    addEventListener('mousedown', event => count(event, event.target), true);
  })()`);
  return async () => ({
    /** Presses of keys, and of buttons of the mouse. */
    hands: await page.evaluate<number>('globalThis.hands'),
    seconds: (Date.now() - begin) / 1000,
  });
}
