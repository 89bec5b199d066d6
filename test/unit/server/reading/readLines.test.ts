import { deepEqual, equal, rejects } from 'node:assert/strict';
import { closeSync, openSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import {
  type FileToRead,
  maxTextBytes,
  readLines,
  windowFrom,
  windowTo,
} from '../../../../src/server/reading/readLines.ts';
import { atEnd } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp.ts';

const farOn = { from: 1_000_000_000, to: 1_000_000_001 };

test('stops looking for a far line when the call is cancelled', async t => {
  const path = join(tempFolder(t), 'long');
  writeFileSync(path, 'line\n'.repeat(1_000_000));
  const signal = AbortSignal.abort(new Error('revoked'));
  await rejects(readLines(opened(t, path), farOn, { signal }), /^Error: revoked$/);
});

test('does not search a binary file for a line', async t => {
  const path = join(tempFolder(t), 'hole');
  writeFileSync(path, 'text\n');
  truncateSync(path, 20 * 1024 ** 3);
  const { signal } = new AbortController();
  deepEqual(await readLines(opened(t, path), farOn, { signal }), undefined);
});

test('reads a last line of several megabytes to its end, and another as far as it fits', async t => {
  const path = join(tempFolder(t), 'long');
  const { signal } = new AbortController();
  const long = 'é"'.repeat(1_000_000);
  const texts = [long, `${long}\n`, `first\n\n${long}`, `first\n${'q'.repeat(most)}\n`, '\n\n'];
  for (const text of texts) {
    writeFileSync(path, text);
    let read = '';
    for (let line: number | undefined = 1; line !== undefined; ) {
      const part = await readLines(opened(t, path), { from: line, to: all }, { signal });
      equal(part?.text === '', false);
      [read, line] = [read + part?.text, part?.nextLine];
    }
    equal(read === text, true);
    const after = { from: 20, to: 20 };
    equal((await readLines(opened(t, path), after, { signal }))?.text, '');
  }
  writeFileSync(path, `${long}\nsecond\n`);
  const [first, second] = [1, 2].map(from => ({ from, to: from }));
  const cut = await readLines(opened(t, path), first!, { signal });
  deepEqual([cut?.isCut, cut?.nextLine], [true, 2]);
  equal((await readLines(opened(t, path), second!, { signal }))?.text, 'second\n');
});

function opened(t: TestContext, path: string): FileToRead {
  const fd = openSync(path, 'r');
  atEnd(t, () => closeSync(fd));
  return { fd, size: statSync(path).size };
}

const all = Number.MAX_SAFE_INTEGER;
const most = 1024 * 1024;

describe('a part of a text from its start', () => {
  test('holds at most a megabyte', () => {
    equal(maxTextBytes, most);
    deepEqual(windowFrom(Buffer.alloc(most, 'x'), all), { end: most, lines: 0, isCut: false });
    deepEqual(windowFrom(Buffer.alloc(most + 1, 'x'), all), { end: most, lines: 0, isCut: true });
  });

  test('is cut after a whole line, or after a whole character without one', () => {
    const lines = Buffer.from(`${'x'.repeat(99)}\n`.repeat(most / 64));
    const cut = Math.floor(most / 100);
    deepEqual(windowFrom(lines, all), { end: cut * 100, lines: cut, isCut: true });
    const euros = Buffer.from('€'.repeat(most / 2));
    deepEqual(windowFrom(euros, all), { end: most - (most % 3), lines: 0, isCut: true });
  });
});

test('a part at the end of a text is cut before a whole line, or before a whole character', () => {
  const lines = Buffer.from(`${'x'.repeat(99)}\n`.repeat(most / 64));
  const fitting = Math.floor(most / 100) * 100;
  deepEqual(windowTo(lines, all), { begin: lines.length - fitting, isCut: true });
  const euros = Buffer.from('€'.repeat(most / 2));
  deepEqual(windowTo(euros, all), { begin: euros.length - most + (most % 3), isCut: true });
});

test('cuts a text with long JSON escapes sooner, so that a message holds it twice', () => {
  const heavy = Buffer.alloc(most, '\u0001');
  const { end } = windowFrom(heavy, all);
  const { begin } = windowTo(heavy, all);
  equal(JSON.stringify(heavy.toString('utf8', 0, end)).length <= 2 * most, true);
  equal(JSON.stringify(heavy.toString('utf8', begin)).length <= 2 * most, true);
  deepEqual([end, most - begin], [Math.floor((2 * most) / 6), Math.floor((2 * most) / 6)]);
  // A text with short JSON fits whole, even if every character must be escaped.
  deepEqual(windowFrom(Buffer.alloc(most, '"\t\\\n'), all).end, most);
});

test('both parts agree with a look at each byte for any text', () => {
  const byte = fc.constantFrom(10, 10, 97, 1, 0xe2, 0x82, 0xac);
  const texts = fc.array(byte, { maxLength: 40 }).map(bytes => Buffer.from(bytes));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 12 }), (text, lines) => {
      const starts = [0, ...[...text].flatMap((each, at) => (each === 10 ? [at + 1] : []))];
      const feeds = starts.length - 1;
      const last = starts.filter(start => start < text.length);
      deepEqual(windowFrom(text, lines), {
        end: starts[lines] ?? text.length,
        lines: Math.min(lines, feeds),
        isCut: false,
      });
      deepEqual(windowTo(text, lines), { begin: last.at(-lines) ?? 0, isCut: false });
    }),
  );
});
