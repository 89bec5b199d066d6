import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findAll } from '../../src/server/writing/findAll.ts';
import { lineEdits } from '../../src/server/writing/lineEdits.ts';
import { Slices } from '../../src/server/writing/slices.ts';
import { inSlices, type Steps } from '../../src/server/writing/steps.ts';
import { applyEdits, type TextEdit } from '../../src/server/writing/textEdits.ts';
import { unifiedDiff } from '../../src/server/writing/unifiedDiff.ts';
import { cpuTimeOf } from '../support/cpuTime.ts';

/** What steps come to when nothing interrupts them. */
function allOf<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) {
      return step.value;
    }
  }
}

function edited(text: string, ...edits: readonly TextEdit[]): string {
  const result = allOf(applyEdits(text, edits));
  return result.ok ? result.text : result.reason;
}

function diffOf(text: string, edits: readonly TextEdit[], limit = 1_000_000) {
  const result = allOf(applyEdits(text, edits));
  if (!result.ok) {
    throw new Error(result.reason);
  }
  const { text: newText, changes } = result;
  const lines = lineEdits({ oldText: text, newText, changes }, limit);
  return unifiedDiff(text, lines, { name: 'src/a.ts', limit });
}

test('edits are applied in order, each to what the one before left', () => {
  const edits = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'two', newText: 'three', replaceAll: true },
  ];
  equal(edited('one two', ...edits), 'three three');
  equal(edited('abc', { oldText: 'b', newText: '' }), 'ac');
  equal(edited('a$1b', { oldText: '$1', newText: '$&' }), 'a$&b');
});

test('a text that is missing, ambiguous or empty is refused with what to do', () => {
  const text = 'x = 1\ny = 1\nz = 11\n';
  const replace = (oldText: string, newText = 'new') => edited(text, { oldText, newText });
  deepEqual(
    [replace('w'), replace('x  =  1'), replace('= 1'), replace(''), replace('y', 'y')],
    [
      'The old text does not occur in the file. Read the file again: every character counts, ' +
        'blanks and line ends too.',
      'The old text does not occur in the file. It is there with other blanks or line ends: ' +
        'copy it as read-file shows it.',
      'The old text occurs 3 times (lines 1, 2, 3). Add lines around it until it occurs once, ' +
        'or set replaceAll.',
      'The old text is empty: to write a whole file, use write-file.',
      'The old and the new text are the same: nothing would change.',
    ],
  );
});

test('a line with the text several times is named once', () => {
  const ambiguous = (text: string) => edited(text, { oldText: 'a', newText: 'b' }).split('. ')[0];
  deepEqual(
    [ambiguous('x\naaa'), ambiguous('a a\na\n\na'), ambiguous('aa\n'.repeat(7))],
    [
      'The old text occurs 3 times (line 2)',
      'The old text occurs 4 times (lines 1, 2, 4)',
      'The old text occurs 14 times (lines 1, 2, 3, 4, 5, …)',
    ],
  );
});

test('places that overlap are ambiguous, too', () => {
  equal(edited('aaa', { oldText: 'aa', newText: 'b' }).includes('occurs 2 times'), true);
  equal(edited('aaa', { oldText: 'aa', newText: 'b', replaceAll: true }), 'ba');
});

test('the edit that is impossible is named, and none is applied', () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'a', newText: 'c' },
  ];
  equal(edited('a', ...edits).startsWith('Edit 2: The old text does not occur'), true);
});

test('edits that undo each other are refused', () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'b', newText: 'a' },
  ];
  equal(edited('a', ...edits), 'The edits undo each other: nothing would change.');
});

test('line ends and a byte order mark stay as they are', () => {
  const edit = { oldText: 'b\nc', newText: 'b\nnew\nc' };
  equal(edited('\ufeffa\r\nb\r\nc\r\n', edit), '\ufeffa\r\nb\r\nnew\r\nc\r\n');
  equal(edited('a\nb\nc\n', edit), 'a\nb\nnew\nc\n');
  const mixed = { oldText: 'b', newText: 'b\nnew' };
  equal(edited('a\r\nb\nc', mixed), 'a\r\nb\nnew\nc');
});

test('what would grow without limit is refused', () => {
  const edit = { oldText: 'a', newText: 'b'.repeat(1000), replaceAll: true };
  equal(edited('a'.repeat(50_000), edit), 'The file would become too large to be edited.');
  equal(edited('a'.repeat(100_001), edit).startsWith('More than 100000 places'), true);
});

test('a diff is as diff -u writes it', () => {
  const text = `${Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n')}\n`;
  const edits = [
    { oldText: 'line 2\n', newText: '' },
    { oldText: 'line 15\nline 16', newText: 'line 15\nnew\nline 16' },
    { oldText: 'line 20\n', newText: 'last' },
  ];
  equal(
    diffOf(text, edits).text,
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

test('lines that an edit repeats unchanged are shown as unchanged', () => {
  const text = 'a\nb\nc\nd\ne\n';
  const { text: diff } = diffOf(text, [{ oldText: text, newText: 'a\nB\nc\nd\nE\n' }]);
  deepEqual(diff.split('\n').slice(3, -1), [' a', '-b', '+B', ' c', ' d', '-e', '+E']);
});

test('a diff that is too long is cut at the end of a line', () => {
  const text = 'old\n'.repeat(1000);
  const { text: diff, isCut } = diffOf(
    text,
    [{ oldText: 'old', newText: 'new', replaceAll: true }],
    200,
  );
  deepEqual([isCut, diff.length <= 200, diff.endsWith('-old\n')], [true, true, true]);
});

test('of a change that is longer than a diff may be, the beginning is shown', () => {
  const text = Array.from({ length: 1000 }, (_, index) => `${index}\n`).join('');
  const newText = text.replaceAll('\n', '!\n');
  const { text: diff, isCut } = diffOf(text, [{ oldText: text, newText }], 200);
  deepEqual([isCut, diff.length <= 200, diff.includes('\n-0\n-1\n-2\n')], [true, true, true]);
});

test('whatever the edits are, the diff turns the old text into the new one', () => {
  // Few letters and many line ends, so that edits overlap and touch each other.
  const part = (minLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength, maxLength: 6 });
  const edit = fc.record({ oldText: part(1), newText: part(0), replaceAll: fc.boolean() });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 60 });
  let applied = 0;
  fc.assert(
    fc.property(text, fc.array(edit, { minLength: 1, maxLength: 5 }), (original, edits) => {
      const possible: TextEdit[] = [];
      for (const edit of edits) {
        if (allOf(applyEdits(original, possible.concat(edit))).ok) {
          possible.push(edit);
        }
      }
      const result = allOf(applyEdits(original, possible));
      if (result.ok) {
        applied += 1;
        equal(patched(original, diffOf(original, possible).text), result.text);
        equal(result.text, replacedOneByOne(original, possible));
      }
    }),
    { numRuns: 5000 },
  );
  equal(applied > 500, true);
});

test('a text is found wherever it stands, as often as asked', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
  const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      text,
      part,
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (a, b, limit, isApart) => {
        const found = allOf(findAll(a, b, { limit, isApart }));
        deepEqual(found, foundByIndexOf(a, b, isApart).slice(0, limit));
      },
    ),
    { numRuns: 5000 },
  );
});

test('a text is found where the parts end in which it is looked for', () => {
  // Longer than what is compared at first, and found first at each of the places around an end.
  for (const part of ['xy', 'x'.repeat(31), `${'xy'.repeat(40)}z`]) {
    for (let before = 65_536 - part.length; before <= 65_537; before++) {
      const text = `${'a'.repeat(before)}${part}${'b'.repeat(9)}`;
      deepEqual(allOf(findAll(text, part, { limit: 2, isApart: false })), [before]);
    }
  }
});

test('where the quick way gives up, all places are found all the same', () => {
  const part = 'a'.repeat(3000);
  const text = `${part.repeat(40)}b${part}`;
  for (const isApart of [true, false]) {
    const options = { limit: 1_000_000, isApart };
    deepEqual(allOf(findAll(text, part, options)), foundByIndexOf(text, part, isApart));
  }
});

test('blanks are compared loosely across the parts that are looked at', () => {
  const text = `${'x'.repeat(65_535)} \n\t one two`;
  const reason = edited(text, { oldText: 'x one\ntwo', newText: '' });
  match(reason, /with other blanks or line ends/);
});

test('all edits together replace a bounded number of places', () => {
  const replace = (oldText: string, newText: string) => ({ oldText, newText, replaceAll: true });
  const text = 'a'.repeat(60_000);
  equal(
    edited(text, replace('a', 'b'), replace('b', 'c')),
    'Edit 2: More than 100000 places would be replaced: use write-file.',
  );
});

test('no step of many edits of a large text takes long', () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `line ${n}: some text to be edited\n`);
  const edits = Array.from({ length: 300 }, (_, n) => {
    return { oldText: `line ${n * 600}: some`, newText: `row ${n}: other` };
  });
  const steps = applyEdits(lines.join(''), edits);
  let longest = 0;
  for (let isDone = false; !isDone; ) {
    const taken = cpuTimeOf(() => {
      isDone = steps.next().done === true;
    });
    longest = Math.max(longest, taken);
  }
  equal(longest < 500, true, `${longest} ms`);
});

test('work that goes on for longer than its time is given up', async () => {
  function* endless(): Steps<string> {
    for (;;) {
      yield;
    }
  }
  const slices = new Slices(new AbortController().signal);
  equal(await inSlices(endless(), slices, 20), undefined);
  // biome-ignore lint/correctness/useYield: work may be so short that it needs no step.
  function* short(): Steps<string> {
    return 'done';
  }
  deepEqual(await inSlices(short(), slices, 20), { value: 'done' });
});

test('no text takes long to be looked for', () => {
  const half = 'a'.repeat(50_000);
  let said = '';
  const taken = cpuTimeOf(() => {
    said = edited('a'.repeat(1_000_000), { oldText: `${half}b${half}`, newText: '' });
  });
  equal(said.slice(0, 28), 'The old text does not occur ');
  // With `indexOf`, this takes a quarter of a minute.
  equal(taken < 3000, true, `${taken} ms`);
});

function foundByIndexOf(text: string, part: string, isApart: boolean): number[] {
  const found: number[] = [];
  const step = isApart ? part.length : 1;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + step)) {
    found.push(at);
  }
  return found;
}

function replacedOneByOne(text: string, edits: readonly TextEdit[]): string {
  return edits.reduce((now, { oldText, newText, replaceAll }) => {
    return now.split(oldText, replaceAll ? undefined : 2).join(newText);
  }, text);
}

/** What `patch` does, and as strict as it can be. */
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
