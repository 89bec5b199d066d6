import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unifiedDiff } from '../../../../src/server/writing/unifiedDiff.ts';
import { cpuTimeOf, littleTime } from '../../../support/cpuTime.ts';
import { effort } from '../../../support/effort.ts';

function diffOf(oldText: string, newText: string, limit = 1_000_000) {
  return unifiedDiff(oldText, newText, { name: 'src/a.ts', limit });
}

test('writes a diff like diff -u', () => {
  const text = `${Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n')}\n`;
  const newText = text
    .replace('line 2\n', '')
    .replace('line 16', 'new\nline 16')
    .replace('line 20\n', 'last');
  equal(
    diffOf(text, newText).text,
    `--- a/src/a.ts
+++ b/src/a.ts
@@ -1,5 +1,4 @@
 line 1
-line 2
 line 3
 line 4
 line 5
@@ -13,8 +12,9 @@
 line 13
 line 14
 line 15
+new
 line 16
 line 17
 line 18
 line 19
-line 20
+last
\\ No newline at end of file
`,
  );
});

test('numbers the lines of a late change from the start of the text', () => {
  const text = 'same\n'.repeat(1000);
  equal(
    diffOf(`${text}old\n${text}`, `${text}new\n${text}`).text.split('\n')[2],
    '@@ -998,7 +998,7 @@',
  );
});

test('counts line breaks as part of a line, and writes names unchanged', () => {
  equal(
    unifiedDiff('a\r\nb\r\n', 'a\nb\r\n', { name: 'ä "b"', limit: 1000 }).text,
    '--- a/ä "b"\n+++ b/ä "b"\n@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n',
  );
});

test('cuts a too long diff at the end of a line, and shows the beginning', () => {
  const text = Array.from({ length: 100 }, (_, index) => `${index}\n`).join('');
  for (const newText of [text.replaceAll('\n', '!\n'), 'new\n'.repeat(100)]) {
    const { text: diff, isCut } = diffOf(text, newText, 200);
    deepEqual([isCut, diff.length <= 200, diff.endsWith('\n')], [true, true, true]);
    equal(diff.includes('\n-0\n-1\n-2\n'), true);
  }
});

test('turns any old text into the new one by the diff', () => {
  // Few letters and many line ends, so that the texts have much in common.
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 60 });
  fc.assert(
    fc.property(text, text, text, text, (top, a, b, end) => {
      const [oldText, newText] = [top + a + end, top + b + end];
      if (oldText !== newText) {
        equal(patched(oldText, diffOf(oldText, newText).text), newText);
      }
    }),
    { numRuns: 500 * effort },
  );
});

test('cuts the diff before its first line when too much has changed', () => {
  const lines = (letter: string) => Array.from({ length: 3000 }, (_, n) => `${letter}${n}\n`);
  deepEqual(diffOf(lines('a').join(''), lines('b').join('')), {
    text: '--- a/src/a.ts\n+++ b/src/a.ts\n',
    isCut: true,
  });
});

test('compares large texts quickly', () => {
  const numbered = (count: number, start: string) =>
    Array.from({ length: count }, (_, n) => `${start} ${n}: some more text in the line\n`).join('');
  const empty = '\n'.repeat(10_000_000);
  const long = 'a'.repeat(10_000_000);
  const pairs: [string, string][] = [
    [numbered(250_000, 'old'), numbered(250_000, 'new')],
    [`b\n${numbered(250_000, 'old')}b\n`, `c\n${numbered(250_000, 'old')}c\n`],
    [numbered(12_000, 'old'), numbered(12_000, 'old').replaceAll('0: some', '0: any')],
    [empty, `a${empty}a`],
    [empty.slice(0, 900_000), `a${empty.slice(0, 900_000)}a`],
    [long, `b${long}b`],
  ];
  for (const [oldText, newText] of pairs) {
    const taken = cpuTimeOf(() => diffOf(oldText, newText, 250_000));
    equal(taken < littleTime, true, `${oldText.slice(0, 9)}: ${taken} ms`);
  }
});

/** Works like `patch`, as strictly as possible. */
function patched(text: string, diff: string): string {
  const old = text.split(/(?<=\n)/);
  const result: string[] = [];
  let at = 0;
  for (const hunk of diff.split(/^(?=@@)/m).slice(1)) {
    const [, from, removed, to, added] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n/
      .exec(hunk)!
      .map(Number);
    const start = removed === 0 ? from! : from! - 1;
    result.push(...old.slice(at, start));
    equal(added === 0 ? to : to! - 1, result.length);
    at = start;
    const sizes = { removed: at, added: result.length };
    const body = hunk.slice(hunk.indexOf('\n') + 1);
    const lines = body.match(/[ +-].*\n(?:\\ No newline at end of file\n)?/g) ?? [];
    for (const marked of lines) {
      const line = marked.slice(1).replace(/\n\\ .*\n$/, '');
      if (!marked.startsWith('+')) {
        equal(line, old[at]);
        at += 1;
      }
      if (!marked.startsWith('-')) {
        result.push(line);
      }
    }
    deepEqual([at - sizes.removed, result.length - sizes.added], [removed, added]);
  }
  return [...result, ...old.slice(at)].join('');
}
