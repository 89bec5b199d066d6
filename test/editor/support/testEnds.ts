import type { TestContext } from 'node:test';

/** Stands in for each test of a suite, for code written for the other test runner. */
export function testEnds(): TestContext {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) {
      await end();
    }
  });
  return { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext;
}
