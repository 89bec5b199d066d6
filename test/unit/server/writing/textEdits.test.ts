import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TimeSlice, type TimeSliceOptions } from '../../../../src/base/timeSlice.ts';
import { applyEdits, type TextEdit } from '../../../../src/server/writing/textEdits.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { effort } from '../../../support/effort.ts';
import { said } from '../../../support/texts.ts';

const { signal } = new AbortController();

function apply(text: string, edits: readonly TextEdit[]): ReturnType<typeof applyEdits> {
  return applyEdits(text, edits, new TimeSlice(signal));
}

async function edited(text: string, ...edits: readonly TextEdit[]): Promise<string> {
  const result = await apply(text, edits);
  return result.ok ? result.text : said(result.reason).replace(/^textEdits\./, '');
}

test('applies edits in order, each to the result of the one before', async () => {
  const edits = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'two', newText: 'three', replaceAll: true },
  ];
  equal(await edited('one two', ...edits), 'three three');
  equal(await edited('abc', { oldText: 'b', newText: '' }), 'ac');
  equal(await edited('a$1b', { oldText: '$1', newText: '$&' }), 'a$&b');
});

test('refuses a missing, ambiguous or empty text with what to do', async () => {
  const text = 'x = 1\ny = 1\nz = 11\n';
  const replace = (oldText: string, newText = 'new') => edited(text, { oldText, newText });
  foundAsExpected({
    missing: [await replace('w'), 'missing()'],
    'there with other blanks': [await replace('x\n \t= 1'), 'otherBlanks()'],
    'there three times': [await replace('= 1'), 'refuseAmbiguous(3, lines 1, 2, 3)'],
    empty: [await replace(''), 'impossible.empty()'],
    same: [await replace('y', 'y'), 'impossible.same()'],
  });
});

test('names a line once when it has the text several times', async () => {
  const ambiguous = (text: string) => edited(text, { oldText: 'a', newText: 'b' });
  deepEqual(
    [await ambiguous('x\naaa'), await ambiguous('a a\na\n\na'), await ambiguous('aa\n'.repeat(7))],
    [
      'refuseAmbiguous(3, line 2)',
      'refuseAmbiguous(4, lines 1, 2, 4)',
      'refuseAmbiguous(14, lines 1, 2, 3, 4, 5, …)',
    ],
  );
});

test('names an impossible edit, and applies none', async () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'a', newText: 'c' },
  ];
  equal(await edited('a', ...edits), 'applyEdits(2, textEdits.missing())');
});

test('refuses edits that undo each other', async () => {
  const edits = [
    { oldText: 'a', newText: 'b' },
    { oldText: 'b', newText: 'a' },
  ];
  equal(await edited('a', ...edits), 'impossible.undone()');
});

test('keeps line breaks and a byte order mark', async () => {
  const edit = { oldText: 'b\nc', newText: 'b\nnew\nc' };
  equal(await edited('\ufeffa\r\nb\r\nc\r\n', edit), '\ufeffa\r\nb\r\nnew\r\nc\r\n');
  equal(await edited('a\nb\nc\n', edit), 'a\nb\nnew\nc\n');
  const mixed = { oldText: 'b', newText: 'b\nnew' };
  equal(await edited('a\r\nb\nc', mixed), 'a\r\nb\nnew\nc');
});

test('refuses edits that let a file grow without limit', async () => {
  const edit = { oldText: 'a', newText: 'b'.repeat(1000), replaceAll: true };
  equal(await edited('a'.repeat(50_000), edit), 'impossible.tooLarge()');
  equal(await edited('a'.repeat(100_001), edit), 'impossible.tooMany(100000)');
  const replace = (oldText: string, newText: string) => ({ oldText, newText, replaceAll: true });
  equal(
    await edited('a'.repeat(60_000), replace('a', 'b'), replace('b', 'c')),
    'applyEdits(2, textEdits.impossible.tooMany(100000))',
  );
});

test('gives the same result as replacing one text after the other', async () => {
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

test('counts every place of a text that must be unique', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
  const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(text, part, async (text, oldText) => {
      const result = await edited(text, { oldText, newText: '' });
      const count = placesOf(text, oldText).length;
      if (count === 1) {
        equal(result, text.replace(oldText, ''));
      } else {
        const refusal = count === 0 ? 'missing()' : `refuseAmbiguous(${count},`;
        equal(result.startsWith(refusal), true, result);
      }
    }),
    { numRuns: 200 * effort },
  );
});

test('finds a long text across the steps of the search', async () => {
  const oldText = `${'ab'.repeat(49_999)}c`;
  for (const before of [0, 990, 999, 1000, 1001, 1002, 1010, 2000, 2001, 2003, 5000]) {
    const [start, end] = ['a'.repeat(before), 'b'.repeat(9)];
    equal(await edited(`${start}${oldText}${end}`, { oldText, newText: '' }), start + end);
  }
});

test('lets other work run during many edits of a large text', async () => {
  const lines = Array.from({ length: 200_000 }, (_, n) => `line ${n}: some text to be edited\n`);
  const edits = Array.from({ length: 100 }, (_, n) => {
    return { oldText: `line ${n * 1800}: some`, newText: `row ${n}: other` };
  });
  const slice = new MeasuredSlice();
  equal((await applyEdits(lines.join(''), edits, slice)).ok, true);
  equal(slice.longest > 0 && slice.longest < 2000, true, `${slice.longest} ms`);
});

test('limits an old text, and searches for it with pauses', async () => {
  const half = 'a'.repeat(49_999);
  const slow = { oldText: `${half}bb${half}`, newText: '' };
  equal(await edited('a', { ...slow, oldText: `${slow.oldText}a` }), 'impossible.tooLong(100000)');
  // In one go, `indexOf` would take a quarter of a minute for this.
  const slice = new MeasuredSlice({ limit: 300 });
  const result = await applyEdits('a'.repeat(1_000_000), [slow], slice);
  equal(result.ok || said(result.reason), 'textEdits.impossible.slow(10)');
  equal(slice.longest < 2000, true, `${slice.longest} ms`);
});

test('stops edits when the call is cancelled', async () => {
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
