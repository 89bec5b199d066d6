import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { onlyOn } from '../../../support/systems.ts';
import { sharedTree } from '../../../support/writing.ts';

const program = join(import.meta.dirname, '../../../support/mountedFolders.ts');
const unshare = ['--map-root-user', '--mount'];
const canMount =
  process.platform === 'linux' && spawnSync('unshare', [...unshare, 'true']).status === 0;

test('what is mounted in a folder stays, proc is not read, and a full disk loses no text', {
  skip: onlyOn('linux', 'mounts are private there') || (!canMount && 'It may not mount anything.'),
}, t => {
  const { root } = sharedTree(t, {
    'root/sub/bound/': '',
    'root/sub/file': '',
    'root/sub/z.txt': 'z',
    'root/small/': '',
    'root/proc/': '',
    'outside/kept.txt': 'kept',
  });
  const at = (path: string) => join(root, path);
  const script = [
    `mount --bind ${at('../outside')} ${at('sub/bound')}`,
    `mount --bind ${at('../outside/kept.txt')} ${at('sub/file')}`,
    `mount -t tmpfs -o size=128k tmpfs ${at('small')}`,
    `mount --rbind /proc ${at('proc')}`,
    `head -c 40000 /dev/zero > ${at('small/a.txt')}`,
    // By its whole path: other tests work in other folders for a moment.
    `exec "${process.execPath}" "${program}" ${root}`,
  ].join(' && ');
  const options = { encoding: 'utf8' } as const;
  const seen = JSON.parse(execFileSync('unshare', [...unshare, 'sh', '-c', script], options));
  const mounted = (path: string) =>
    `cannot be changed. Something is mounted at "${at(path)}": unmount that first.`;
  const [whole, bound, file] = seen.deleted;
  match(whole, /^cannot be changed\. Something is mounted at ".+\/sub\/(bound|file)": unmount/);
  equal(bound, mounted('sub/bound'));
  match(file, /^cannot be changed\. Another program is using it/);
  deepEqual(seen.tree, { 'bound/': '', 'bound/kept.txt': 'kept', file: 'kept', 'z.txt': 'z' });
  equal(seen.outside, 'kept');
  const proc = 'It lies in a proc file system, which shows what processes keep secret.';
  const refused = [`cannot be used. ${proc}`, `cannot be changed. ${proc}`];
  deepEqual([seen.proc, seen.root], [[...refused, 'unreadable', 'no head'], proc]);
  match(
    seen.full,
    /There is no space left for it\. All of it is in "\.mcp-roots-\w+\.tmp" beside the file, which may hold a part\.$/,
  );
  equal(seen.drafts.filter(([isFile]: [boolean]) => !isFile).length, 1);
  deepEqual(
    seen.drafts.find(([isFile]: [boolean]) => !isFile),
    [false, 80_000],
  );
});
