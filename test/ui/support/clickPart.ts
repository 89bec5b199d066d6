import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from './eventually.ts';

/** The innermost element of the page that a click is on. */
interface Clicked {
  closest(selector: string): object | null;
}

/** How to click: for a moment only, because the place may have changed by then. */
const clicking = { timeout: 5_000 } as const;

/**
 * Points at a place and clicks the part of it that the selector names. A place that is drawn anew
 * meanwhile takes that part away, or the click that has begun on it: then it is clicked again. One
 * that reached the part never is, for a second click would be a second action.
 *
 * @param find the place, where it is at each try: a row may move.
 * @param seen what comes of it, and may lie over the place already: then nothing is clicked.
 */
export async function clickPart(
  find: () => Promise<Locator>,
  part: string,
  { modifiers = [], seen }: { modifiers?: 'ControlOrMeta'[]; seen?: Locator | undefined } = {},
): Promise<void> {
  await eventually(async () => {
    if (await seen?.isVisible()) {
      return;
    }
    const place = await find();
    // A tooltip of the row before may lie over this one, as long as the pointer is on either.
    await place.page().mouse.move(0, 0);
    await place.hover(clicking);
    const click = await place
      .page()
      .locator('body')
      .evaluateHandle((body, selector) => {
        const seen = { hasReached: false };
        const look = ({ target }: { readonly target: Clicked }) => {
          seen.hasReached ||= target.closest(selector) !== null;
        };
        body.addEventListener('click', look, true);
        return Object.assign(seen, { end: () => body.removeEventListener('click', look, true) });
      }, part);
    const failure = await place
      .locator(part)
      .click({ ...clicking, modifiers })
      .catch(error => error);
    const hasReached = await click.evaluate(seen => {
      seen.end();
      return seen.hasReached;
    });
    assert.ok(hasReached, failure ?? `The click did not reach ${part}.`);
  });
}
