import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { longestTimer } from '../../../../src/base/timeLimit.ts';
import type { LineQuery } from '../../../../src/server/search/lineSearch.ts';
import { matcherFor } from '../../../../src/server/search/matcher.ts';
import { atEnd } from '../../../support/processes.ts';
import { search, trySearch } from '../../../support/searching.ts';
import { tempFolder } from '../../../support/temp.ts';
import { outcomeOf, scopeOver } from '../../../support/writing.ts';

const wanted = { contextLines: 0, isForFiles: false, offset: 0, limit: 10 };
/** It tries 2 to the power of 40 ways to read a line of forty letters. */
const bomb = '^(a+)+$';
const fuse = `${'a'.repeat(40)}!`;

function regex(source: string): LineQuery {
  return { ...wanted, pattern: { kind: 'regex', source, flags: 'u' } };
}

function filesOf(text: string) {
  const bytes = Buffer.alloc(Buffer.byteLength(text) + 1, '\n');
  bytes.write(text);
  return { bytes, ends: [bytes.length - 1] };
}

function matcher(t: Pick<TestContext, 'after'>, query: LineQuery, patience?: number) {
  const made = matcherFor(query, patience);
  atEnd(t, () => made.dispose());
  return made;
}

test('searches files in the order of arrival', async t => {
  for (const query of [regex('b.'), { ...wanted, pattern: { kind: 'text', text: 'b' } } as const]) {
    const made = matcher(t, { ...query, limit: 2 });
    const texts = ['a\nbc', 'none', 'bd', 'be'];
    const matched = await Promise.all(texts.map(text => made.match(filesOf(text))));
    const found = matched.map(one => one.ok && `${one.found.matches.length} ${one.found.hasMore}`);
    assert.deepEqual(found, ['1 false', '0 false', '1 false', '0 true']);
  }
});

test('gives up an endless regular expression, without delaying other searches', async t => {
  const made = matcher(t, regex(bomb), 300);
  let turns = 0;
  const timer = setInterval(() => turns++, 10);
  atEnd(t, () => clearInterval(timer));
  assert.deepEqual(await made.match(filesOf(fuse)), { ok: false, reason: 'slow' });
  assert.ok(turns > 0);
});

test('fails open requests when a matcher is disposed', async t => {
  const made = matcher(t, regex(bomb), 60_000);
  const [first, second] = [made.match(filesOf(fuse)), made.match(filesOf('a'))];
  setTimeout(() => made.dispose(), 100);
  const failed = { ok: false, reason: 'failed' };
  assert.deepEqual(await Promise.all([first, second]), [failed, failed]);
});

test('refuses a search with an endless expression, with what to do', async t => {
  const folder = tempFolder(t, { 'a.txt': fuse, 'b.txt': 'aaa' });
  const setting = { scope: scopeOver(folder) };
  const refused = await trySearch({ ...setting, longest: 300 }, bomb, { isRegex: true });
  assert.equal(outcomeOf(refused), 'unusable: searchFileTexts.givenUp()');
  const fine = await search(setting, bomb, { isRegex: true, include: ['b.txt'] });
  assert.equal(fine.matches, 1);
});

test('ends an aborted search at once while its expression runs', async t => {
  const folder = tempFolder(t, { 'a.txt': fuse });
  const aborting = new AbortController();
  const reason = new Error('The client has cancelled the request.');
  const setting = {
    scope: scopeOver(folder),
    signal: aborting.signal,
    // So that nothing else ends it before this test has lasted for too long.
    longest: longestTimer,
  } as const;
  const searching = trySearch(setting, bomb, { isRegex: true });
  setTimeout(() => aborting.abort(reason), 200);
  await assert.rejects(searching, reason);
});

test('runs its thread in a minified bundle', async t => {
  const folder = tempFolder(t);
  const entry = fileURLToPath(new URL('../../../../src/server/search/matcher.ts', import.meta.url));
  const bundle = join(folder, 'matcher.cjs');
  await esbuild.build({
    entryPoints: [entry],
    outfile: bundle,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  const script = `
    const { matcherFor } = require(${JSON.stringify(bundle)});
    const matcher = matcherFor(${JSON.stringify({ ...regex('^é+'), contextLines: 1 })});
    const bytes = Buffer.from('one\\néé\\n\\ud83d\\ude00\\n\\n');
    matcher.match({ bytes: Buffer.from(new Uint8Array(bytes).buffer), ends: [bytes.length - 1] }).then(({ found }) => {
      console.log(JSON.stringify(found));
      matcher.dispose();
    });`;
  writeFileSync(join(folder, 'run.cjs'), script);
  const printed = execFileSync(process.execPath, [join(folder, 'run.cjs')], { encoding: 'utf8' });
  const lines = [
    { line: 1, text: 'one' },
    { line: 2, text: 'éé', column: 1, endColumn: 3 },
    { line: 3, text: '😀' },
  ];
  const expected = { matches: [{ file: 0, lines }], notText: 0, hasMore: false };
  assert.deepEqual(JSON.parse(printed), expected);
});
