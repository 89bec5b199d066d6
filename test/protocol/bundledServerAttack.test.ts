import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connect, rootOf, type ToolResult } from '../support/bundledServer.ts';
import { good, secret, startSwapping } from '../support/swapper.ts';

const atOnce = 50;

describe('while a folder is swapped with a link to the outside', () => {
  test('none of 20,000 reads returns what is outside', async t => {
    const { root, path } = await startSwapping(t);
    const client = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(root)] });
    const texts = await repeat(20_000, () => client.call('read-file', { path }));
    const read = texts.filter(({ isError }) => !isError).map(textOf);
    deepEqual([...new Set(read)], [good]);
    // Refusals show that the attack took place.
    equal(read.length < texts.length, true);
    equal(JSON.stringify(texts).includes(secret), false);
  });

  test('none of 5,000 listings names what is outside', async t => {
    const { root } = await startSwapping(t);
    const client = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(root)] });
    const args = { path: 'sub', details: true };
    const listings = await repeat(5000, () => client.call('list-directory', args));
    const sizes = listings.flatMap(({ structuredContent }) => {
      return (structuredContent?.['entries'] as { size: number }[] | undefined) ?? [];
    });
    deepEqual([...new Set(sizes.map(({ size }) => size))], [good.length]);
    equal(sizes.length < listings.length, true);
  });
});

async function repeat(times: number, call: () => Promise<ToolResult>): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  while (results.length < times) {
    results.push(...(await Promise.all(Array.from({ length: atOnce }, call))));
  }
  return results;
}

function textOf({ content }: ToolResult): string | undefined {
  return content[0]?.text;
}
