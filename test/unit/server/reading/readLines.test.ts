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

test('looking for a line far on ends when nobody waits for it any more', async t => {
  const path = join(tempFolder(t), 'long');
  writeFileSync(path, 'line\n'.repeat(1_000_000));
  const signal = AbortSignal.abort(new Error('revoked'));
  await rejects(readLines(opened(t, path), farOn, { signal }), /^Error: revoked$/);
});

test('a file that is no text is not looked through for a line', async t => {
  const path = join(tempFolder(t), 'hole');
  writeFileSync(path, 'text\n');
  truncateSync(path, 20 * 1024 ** 3);
  const { signal } = new AbortController();
  deepEqual(await readLines(opened(t, path), farOn, { signal }), undefined);
});

function opened(t: TestContext, path: string): FileToRead {
  const fd = openSync(path, 'r');
  atEnd(t, () => closeSync(fd));
  return { fd, size: statSync(path).size };
}

const all = Number.MAX_SAFE_INTEGER;
const most = 1024 * 1024;

describe('a part of a text from its start', () => {
  test('ends after the wanted line, with its line feed', () => {
    const text = Buffer.from('one\ntwo\n\nfour');
    const ends = [1, 2, 3, 4, 5].map(lines => windowFrom(text, lines));
    deepEqual(ends, [
      { end: 4, lines: 1, isCut: false },
      { end: 8, lines: 2, isCut: false },
      { end: 9, lines: 3, isCut: false },
      { end: 13, lines: 3, isCut: false },
      { end: 13, lines: 3, isCut: false },
    ]);
    deepEqual(windowFrom(Buffer.alloc(0), 1), { end: 0, lines: 0, isCut: false });
  });

  test('holds a megabyte and no more', () => {
    equal(maxTextBytes, most);
    deepEqual(windowFrom(Buffer.alloc(most, 'x'), all), { end: most, lines: 0, isCut: false });
    deepEqual(windowFrom(Buffer.alloc(most + 1, 'x'), all), { end: most, lines: 0, isCut: true });
  });

  test('is cut after a whole line, or a whole character where there is no line', () => {
    const lines = Buffer.from(`${'x'.repeat(99)}\n`.repeat(most / 64));
    const cut = Math.floor(most / 100);
    deepEqual(windowFrom(lines, all), { end: cut * 100, lines: cut, isCut: true });
    const euros = Buffer.from('€'.repeat(most / 2));
    deepEqual(windowFrom(euros, all), { end: most - (most % 3), lines: 0, isCut: true });
  });
});

describe('a part of a text to its end', () => {
  test('begins where the wanted lines begin', () => {
    const begins = [1, 2, 3, 4, 5].map(lines => windowTo(Buffer.from('one\ntwo\n\nfour'), lines));
    deepEqual(
      begins,
      [9, 8, 4, 0, 0].map(begin => ({ begin, isCut: false })),
    );
    deepEqual(windowTo(Buffer.from('one\ntwo\n'), 1), { begin: 4, isCut: false });
    deepEqual(windowTo(Buffer.from('\n'), 1), { begin: 0, isCut: false });
    deepEqual(windowTo(Buffer.alloc(0), 1), { begin: 0, isCut: false });
  });

  test('is cut before a whole line, or a whole character where there is no line', () => {
    const lines = Buffer.from(`${'x'.repeat(99)}\n`.repeat(most / 64));
    const fitting = Math.floor(most / 100) * 100;
    deepEqual(windowTo(lines, all), { begin: lines.length - fitting, isCut: true });
    const euros = Buffer.from('€'.repeat(most / 2));
    deepEqual(windowTo(euros, all), { begin: euros.length - most + (most % 3), isCut: true });
  });
});

test('a text of characters that are long in JSON is cut sooner, so that twice it fits a message', () => {
  const heavy = Buffer.alloc(most, '\u0001');
  const { end } = windowFrom(heavy, all);
  const { begin } = windowTo(heavy, all);
  equal(JSON.stringify(heavy.toString('utf8', 0, end)).length <= 2 * most, true);
  equal(JSON.stringify(heavy.toString('utf8', begin)).length <= 2 * most, true);
  deepEqual([end, most - begin], [Math.floor((2 * most) / 6), Math.floor((2 * most) / 6)]);
  // What is short in JSON fits whole, also if all of it has to be escaped.
  deepEqual(windowFrom(Buffer.alloc(most, '"\t\\\n'), all).end, most);
});

test('both parts say of any text what a look at each of its bytes says', () => {
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
