import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimeSlice } from '../../../../src/base/timeSlice.ts';
import { startSearch, walk } from '../../../../src/server/search/search.ts';
import { SearchFilter } from '../../../../src/server/search/searchFilter.ts';
import { effort } from '../../../support/effort.ts';
import { patience } from '../../../support/patience.ts';
import { find, search } from '../../../support/searching.ts';
import { good, secret, startSwapping } from '../../../support/swapper.ts';
import { onlyOn } from '../../../support/systems.ts';
import { scopeOver } from '../../../support/writing.ts';

const onPosix = { skip: onlyOn('posix', 'Windows leaves a gap, which is documented') };

/** Runs it so many times, and then until the awaited event has come. */
async function repeat(
  times: number,
  run: () => Promise<unknown>,
  isEnough: () => boolean,
): Promise<void> {
  const end = performance.now() + patience;
  for (let round = 0; round < times * effort || (!isEnough() && performance.now() < end); round++) {
    await run();
  }
}

/** Folders below the swapped one; outside, they have other names, which would be noticed. */
const more = {
  'root/sub/deep/key': good,
  'secret/deep/key': secret,
  ...Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`secret/deep/outside-${index}.txt`, secret]),
  ),
};

test('no search returns text from outside while a folder is swapped', onPosix, async t => {
  const { root } = await startSwapping(t, more);
  const scope = scopeOver(root);
  const seen = new Set<string>();
  const look = async () => {
    const inside = await search({ scope }, good);
    const lines = inside.files.flatMap(({ lines }) => lines.map(({ text }) => text));
    seen.add(lines.length > 0 ? 'found' : 'missed');
    assert.deepEqual(new Set([...lines, good]), new Set([good]));
    const names = inside.files.map(({ path }) => path);
    const strange = names.filter(name => !/^sub(?:-kept)?\/(?:deep\/)?key$/.test(name));
    assert.deepEqual(strange, []);
    for (const query of ['secret', 'outside']) {
      const found = await search({ scope }, query, { contextLines: 2 });
      assert.deepEqual([found.files, found.notText], [[], 0]);
    }
  };
  await repeat(25, look, () => seen.size >= 2);
  // Both show that the attack took place: misses are the moments of the link.
  assert.deepEqual([...seen].sort(), ['found', 'missed']);
});

test('no walk names or counts files outside while a folder is swapped', onPosix, async t => {
  const { root } = await startSwapping(t, more);
  const scope = scopeOver(root);
  let misses = 0;
  let finds = 0;
  const look = async () => {
    const start = startSearch(scope, '.');
    assert.ok(start.ok);
    const wanted = { folder: [], include: undefined, exclude: undefined, includesIgnored: false };
    const counts = { files: 0, unreadable: 0, unsearched: 0 };
    const filter = new SearchFilter(start.value.tree, wanted);
    const slice = new TimeSlice(new AbortController().signal, { limit: 60_000 });
    for await (const { files } of walk({ filter, slice, counts })) {
      assert.deepEqual(files, ['key']);
      finds += 1;
    }
    // Each of the two files that there are may be met at both of its places.
    assert.ok(counts.files <= 4);
    misses += counts.unreadable;
  };
  await repeat(150, look, () => misses > 0 && finds > 0);
  assert.ok(misses > 0 && finds > 0);
});

test('no search that starts in the swapped folder leads outside', onPosix, async t => {
  const { root } = await startSwapping(t, more);
  const scope = scopeOver(root);
  const seen = new Set<string>();
  const look = async () => {
    const found = await find({ scope }, '*', { path: 'sub/deep' }).then(
      ({ files }) => files,
      error => [/is outside|cannot be used|does not exist/.test(error.message) ? 'refused' : error],
    );
    for (const name of found) {
      seen.add(name);
    }
  };
  await repeat(400, look, () => seen.size >= 2);
  assert.deepEqual([...seen].sort(), ['key', 'refused']);
});
