import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TimeSlice, type TimeSliceOptions } from '../../../../src/base/timeSlice.ts';
import { applyEdits, type TextEdit } from '../../../../src/server/writing/textEdits.ts';
import { effort } from '../../../support/effort.ts';

const { signal } = new AbortController();

function apply(text: string, edits: readonly TextEdit[]): ReturnType<typeof applyEdits> {
  return applyEdits(text, edits, new TimeSlice(signal));
}

async function edited(text: string, ...edits: readonly TextEdit[]): Promise<string> {
  const result = await apply(text, edits);
  return result.ok ? result.text : result.reason;
}

test('edits are applied in order, each to what the one before left', async () => {
  const edits = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'two', newText: 'three', replaceAll: true },
  ];
  equal(await edited('one two', ...edits), 'three three');
  equal(await edited('abc', { oldText: 'b', newText: '' }), 'ac');
  equal(await edited('a$1b', { oldText: '$1', newText: '$&' }), 'a$&b');
});

test('a text that is missing, ambiguous or empty is refused with what to do', async () => {
  const text = 'x = 1\ny = 1\nz = 11\n';
  const replace = (oldText: string, newText = 'new') => edited(text, { oldText, newText });
  deepEqual(
    await Promise.all([
      replace('w'),
      replace('x  =  1'),
      replace('= 1'),
      replace(''),
      replace('y', 'y'),
    ]),
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

test('a line with the text several times is named once', async () => {
  const ambiguous = async (text: string) =>
    (await edited(text, { oldText: 'a', newText: 'b' })).split('. ')[0];
  deepEqual(
    [await ambiguous('x\naaa'), await ambiguous('a a\na\n\na'), await ambiguous('aa\n'.repeat(7))],
    [
      'The old text occurs 3 times (line 2)',
      'The old text occurs 4 times (lines 1, 2, 4)',
      'The old text occurs 14 times (lines 1, 2, 3, 4, 5, …)',
    ],
  );
});

test('places that overlap are ambiguous, too', async () => {
  match(await edited('aaa', { oldText: 'aa', newText: 'b' }), /occurs 2 times/);
  equal(await edited('aaa', { oldText: 'aa', newText: 'b', replaceAll: true }), 'ba');
});

test('the edit that is impossible is named, and none is applied', async () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'a', newText: 'c' },
  ];
  match(await edited('a', ...edits), /^Edit 2: The old text does not occur/);
});

test('edits that undo each other are refused', async () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'b', newText: 'a' },
  ];
  equal(await edited('a', ...edits), 'The edits undo each other: nothing would change.');
});

test('line ends and a byte order mark stay as they are', async () => {
  const edit = { oldText: 'b\nc', newText: 'b\nnew\nc' };
  equal(await edited('\ufeffa\r\nb\r\nc\r\n', edit), '\ufeffa\r\nb\r\nnew\r\nc\r\n');
  equal(await edited('a\nb\nc\n', edit), 'a\nb\nnew\nc\n');
  const mixed = { oldText: 'b', newText: 'b\nnew' };
  equal(await edited('a\r\nb\nc', mixed), 'a\r\nb\nnew\nc');
});

test('what would grow without limit is refused', async () => {
  const edit = { oldText: 'a', newText: 'b'.repeat(1000), replaceAll: true };
  equal(await edited('a'.repeat(50_000), edit), 'The file would become too large to be edited.');
  match(await edited('a'.repeat(100_001), edit), /^More than 100000 places/);
});

test('whatever the edits are, they do what replacing one after the other does', async () => {
  // Few letters, so that places overlap and touch each other.
  const part = (minLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength, maxLength: 5 });
  const edit = fc.record({ oldText: part(1), newText: part(0), replaceAll: fc.boolean() });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 60 });
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(text, fc.array(edit, { minLength: 1, maxLength: 5 }), async (old, edits) => {
      const possible: TextEdit[] = [];
      for (const edit of edits) {
        if ((await apply(old, possible.concat(edit))).ok) {
          possible.push(edit);
        }
      }
      if (possible.length > 0) {
        applied += 1;
        equal(await edited(old, ...possible), replacedOneByOne(old, possible));
      }
    }),
    { numRuns: 500 * effort },
  );
  equal(applied > 50 * effort, true);
});

test('a text that has to stand in one place is counted wherever it stands', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
  const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(text, part, async (text, oldText) => {
      const said = await edited(text, { oldText, newText: '' });
      const count = placesOf(text, oldText).length;
      if (count === 1) {
        equal(said, text.replace(oldText, ''));
      } else {
        match(said, count === 0 ? /does not occur/ : new RegExp(` occurs ${count} times `));
      }
    }),
    { numRuns: 200 * effort },
  );
});

test('a long text is found wherever the steps end in which it is looked for', async () => {
  const oldText = `${'ab'.repeat(49_999)}c`;
  for (const before of [0, 990, 999, 1000, 1001, 1002, 1010, 2000, 2001, 2003, 5000]) {
    const [start, end] = ['a'.repeat(before), 'b'.repeat(9)];
    equal(await edited(`${start}${oldText}${end}`, { oldText, newText: '' }), start + end);
  }
});

test('blanks are compared loosely across the parts that are looked at', async () => {
  const text = `${'x'.repeat(65_535)} \n\t one two`;
  const reason = await edited(text, { oldText: 'x one\ntwo', newText: '' });
  match(reason, /with other blanks or line ends/);
});

test('all edits together replace a bounded number of places', async () => {
  const replace = (oldText: string, newText: string) => ({ oldText, newText, replaceAll: true });
  const text = 'a'.repeat(60_000);
  equal(
    await edited(text, replace('a', 'b'), replace('b', 'c')),
    'Edit 2: More than 100000 places would be replaced: use write-file.',
  );
});

test('other work has its turn during many edits of a large text', async () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `line ${n}: some text to be edited\n`);
  const edits = Array.from({ length: 100 }, (_, n) => {
    return { oldText: `line ${n * 1800}: some`, newText: `row ${n}: other` };
  });
  const slice = new MeasuredSlice();
  equal((await applyEdits(lines.join(''), edits, slice)).ok, true);
  equal(slice.longest > 0 && slice.longest < 2000, true, `${slice.longest} ms`);
});

test('an old text has a limit, and up to it none is looked for long without a pause', async () => {
  const half = 'a'.repeat(49_999);
  const slow = { oldText: `${half}bb${half}`, newText: '' };
  equal(
    await edited('a', { ...slow, oldText: `${slow.oldText}a` }),
    'The old text is longer than 100000 characters: name less of it, or use write-file.',
  );
  // In one go, `indexOf` would take a quarter of a minute for this.
  const slice = new MeasuredSlice({ limit: 300 });
  deepEqual(await applyEdits('a'.repeat(1_000_000), [slow], slice), {
    ok: false,
    reason: 'They take more than 10 seconds: send fewer edits at a time, or use write-file.',
  });
  equal(slice.longest < 2000, true, `${slice.longest} ms`);
});

test('edits end when nobody waits for them any more', async () => {
  const cancelled = new AbortController();
  const slice = new TimeSlice(cancelled.signal);
  const half = 'a'.repeat(10_000);
  const edit = { oldText: `${half}b${half}`, newText: '' };
  const applied = applyEdits('a'.repeat(1_000_000), [edit], slice);
  cancelled.abort();
  await rejects(applied, { name: 'AbortError' });
});

/** Knows for how long at most the processor computed between two pauses, in milliseconds. */
class MeasuredSlice extends TimeSlice {
  longest = 0;
  private start = process.cpuUsage();

  constructor(options: TimeSliceOptions = {}) {
    super(signal, options);
  }

  override async pause(): Promise<void> {
    const { user, system } = process.cpuUsage(this.start);
    this.longest = Math.max(this.longest, (user + system) / 1000);
    await super.pause();
    this.start = process.cpuUsage();
  }
}

function placesOf(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    found.push(at);
  }
  return found;
}

function replacedOneByOne(text: string, edits: readonly TextEdit[]): string {
  return edits.reduce((now, { oldText, newText, replaceAll }) => {
    return now.split(oldText, replaceAll ? undefined : 2).join(newText);
  }, text);
}
