import type { Locator } from 'playwright-core';

/** A second, and a moment: in milliseconds. */
const longEnough = 1200;

/** Looks at something until a click on it counts: the extension asks again when one comes before. */
export async function lookAt(part: Locator): Promise<void> {
  await part.waitFor();
  await part.page().waitForTimeout(longEnough);
}
