import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { bubblewrapWith, sandboxHere, staysInRoot } from '../../support/sandbox/bubblewrap.ts';
import { ranIn, shownAt } from '../../support/sandbox/sandboxedServer.ts';
import { tempFolder, writeTree } from '../../support/temp.ts';

const { skip } = await sandboxHere();

/** Tries in each folder to write, to read what is hidden there, and to move the folder. */
const trying = `for folder in . a a/b a/b/c a/b/free; do
  cd "$1/$folder"
  touch new 2>/dev/null && printf 'write '
  cat file; cat hidden/*; cat hiddenFile; rm -rf hidden hiddenFile; mkdir -p hidden/in
  [ "$folder" = . ] || { mv "$1/$folder" "$1/$folder-2" && printf 'move '; }
  echo "| $folder"
done 2>/dev/null`;

const expected = `write read | .
read | a
write read | a/b
read | a/b/c
write read move | a/b/free
`;

// A bubblewrap that leaves its root takes both orders of mounts, if no link is in the way.
for (const isInRoot of skip || staysInRoot() ? [true] : [true, false]) {
  const order = isInRoot ? 'in its root' : 'beside its root';
  it(`four levels of folders, made ${order}, are as writable as shown`, { skip }, async t => {
    const { out, err } = await triedLevels(t, isInRoot);
    assert.equal(out, expected, err);
  });
}

const leaves = skip || (!staysInRoot() && 'This bubblewrap leaves its root.');
it('nothing starts beside the root if bubblewrap stays in it', { skip: leaves }, async t => {
  const { out, code } = await triedLevels(t, false);
  assert.deepEqual([out, code], ['', 125]);
});

async function triedLevels(t: TestContext, isInRoot: boolean) {
  const root = tempFolder(t);
  const levels = ['', 'a', 'a/b', 'a/b/c'];
  const files = ['file', 'hidden/file', 'hiddenFile'];
  const tree = levels.flatMap(level => files.map(name => [join(level, name), name]));
  const texts = tree.map(([path, name]) => [path, name === 'file' ? 'read ' : 'HIDDEN ']);
  writeTree(root, { ...Object.fromEntries(texts), 'a/b/free/file': 'read ' });
  const start = bubblewrapWith(isInRoot).start(
    {
      shown: levels.map((level, index) => shownAt(join(root, level), index % 2 === 0)),
      hidden: levels.flatMap(level => [
        { path: join(root, level, 'hidden'), isFolder: true },
        { path: join(root, level, 'hiddenFile'), isFolder: false },
      ]),
      ...{ links: new Map(), empty: ['/tmp'], cwd: '/', hasNetwork: false },
      env: { PATH: '/usr/bin:/bin' },
    },
    ['/bin/sh', '-c', trying, 'sh', root],
  );
  return ranIn(start);
}
