import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTooComplex } from '../../../src/base/complexityLimit.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('refuses more than a thousand levels', () => {
  assert.deepEqual([isTooComplex(nested(1000)), isTooComplex(nested(1001))], [false, true]);
  assert.equal(isTooComplex(`${'{"a":['.repeat(501)}`), true);
  assert.equal(isTooComplex(`[${`${nested(900)},`.repeat(50)}0]`), false);
});

test('refuses hundreds of thousands of empty lists', () => {
  assert.equal(isTooComplex(`[${'{},'.repeat(250_000)}0]`), true);
  assert.equal(isTooComplex(`[${'{},'.repeat(100_000)}0]`), false);
  assert.equal(isTooComplex(JSON.stringify('[]'.repeat(250_000))), false);
});

test('ignores brackets in strings', () => {
  const brackets = '['.repeat(2000);
  for (const before of ['', '"', '\\', '\\"', '\n']) {
    const text = `${before}${brackets}\\`;
    assert.equal(isTooComplex(JSON.stringify({ [text]: text })), false, before);
    assert.equal(isTooComplex(JSON.stringify([text]) + brackets), true);
  }
});

test('ends a string at a line break', () => {
  for (const before of ['"', '"\\', '"\\\\\\']) {
    for (const end of ['\n', '\r', '\r\n']) {
      assert.equal(isTooComplex(`${before}${end}${'['.repeat(1001)}`), true);
    }
  }
});

test('checks eight megabytes quickly', () => {
  const text = JSON.stringify(['['.repeat(2000), 'x'.repeat(8 * 1024 * 1024)]);
  const before = process.threadCpuUsage();
  assert.equal(isTooComplex(text), false);
  assert.ok(process.threadCpuUsage(before).user < 200_000);
});
