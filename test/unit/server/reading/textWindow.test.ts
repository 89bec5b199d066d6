import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { maxTextBytes, windowFrom, windowTo } from '../../../../src/server/reading/readLines.ts';

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
