import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { parseOptions } from '../bench/options.ts';
import { commitOf } from '../bench/product.ts';

const parts = [{ name: 'start', comparesRevisions: true }, { name: 'floods' }];

test('without options, every part is measured', () => {
  deepEqual(parseOptions([], parts), {
    only: ['start', 'floods'],
    isQuick: false,
    compare: undefined,
  });
});

test('two revisions are compared by the parts that can, and by those that are named', () => {
  const { only, compare } = parseOptions(['--compare', 'HEAD~2'], parts);
  deepEqual({ only, compare }, { only: ['start'], compare: 'HEAD~2' });
  const named = parseOptions(['--compare', 'HEAD~2', '--only', 'start', '--quick'], parts);
  deepEqual(named, { only: ['start'], isQuick: true, compare: 'HEAD~2' });
});

test('what there is not is refused with what there is', () => {
  const refused = (args: readonly string[], message: RegExp) =>
    throws(() => parseOptions(args, parts), message);
  refused(['--only', 'start,tea'], /^Error: There is no tea to measure, only: start, floods\.$/);
  refused(
    ['--only', 'floods', '--compare', 'main'],
    /^Error: There is no floods to compare, only: start\.$/,
  );
});

test('a revision that there is not is named', () => {
  for (const revision of ['no-such-revision', '--help']) {
    const message = `There is no revision ${revision} to compare with.`;
    throws(() => commitOf(revision), { message });
  }
});
