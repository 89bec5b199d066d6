import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ComplexityLimit } from '../../../src/mcp/complexityLimit.ts';

/** Whether JSON is too much to read, however it is cut. */
function isTooMuch(json: string): boolean {
  const bytes = Buffer.from(json);
  const whole = new ComplexityLimit().add(bytes);
  const gauge = new ComplexityLimit();
  const inBytes = [...bytes].map(byte => gauge.add(Buffer.of(byte))).at(-1) ?? false;
  assert.equal(inBytes, whole);
  return whole;
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('what is nested a thousand times is read, and what is nested deeper is not', () => {
  assert.deepEqual([isTooMuch(nested(1000)), isTooMuch(nested(1001))], [false, true]);
  assert.equal(isTooMuch(`${'{"a":['.repeat(501)}`), true);
  assert.equal(isTooMuch(`[${`${nested(900)},`.repeat(50)}0]`), false);
});

test('what is nothing but empty lists is not read, and as long a text is', () => {
  assert.equal(isTooMuch(`[${'{},'.repeat(250_000)}0]`), true);
  assert.equal(isTooMuch(`[${'{},'.repeat(100_000)}0]`), false);
  assert.equal(isTooMuch(JSON.stringify('[]'.repeat(250_000))), false);
});

test('brackets in strings do not count, whatever stands beside them', () => {
  const brackets = '['.repeat(2000);
  for (const text of [
    brackets,
    `"${brackets}`,
    `\\${brackets}`,
    `\\"${brackets}\\`,
    `\n${brackets}`,
  ]) {
    assert.equal(
      isTooMuch(JSON.stringify({ [text]: text })),
      false,
      JSON.stringify(text.slice(0, 4)),
    );
    assert.equal(isTooMuch(JSON.stringify([text]) + brackets), true);
  }
});

test('a line end is the end of every string', () => {
  for (const before of ['"', '"\\', '"\\\\\\']) {
    for (const end of ['\n', '\r', '\r\n']) {
      assert.equal(isTooMuch(`${before}${end}${'['.repeat(1001)}`), true);
    }
  }
});

test('to look at eight megabytes takes little', () => {
  const text = Buffer.alloc(8 * 1024 * 1024, 'x');
  const before = process.threadCpuUsage();
  new ComplexityLimit().add(text);
  assert.ok(process.threadCpuUsage(before).user < 200_000);
});
