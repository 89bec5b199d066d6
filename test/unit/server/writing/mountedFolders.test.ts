import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onlyOn } from '../../../support/systems.ts';
import { said } from '../../../support/texts.ts';
import { sharedTree } from '../../../support/writing.ts';

const program = join(import.meta.dirname, '../../../support/mountedFolders.ts');
const unshare = ['--map-root-user', '--mount'];
const canMount =
  process.platform === 'linux' && spawnSync('unshare', [...unshare, 'true']).status === 0;

test('keeps mounts, reads no /proc, and loses no text on a full or read-only disk', {
  skip: onlyOn('linux', 'mounts are private there') || (!canMount && 'It may not mount anything.'),
}, t => {
  const { root } = sharedTree(t, {
    'root/sub/bound/': '',
    'root/sub/file': '',
    'root/sub/z.txt': 'z',
    'root/small/': '',
    'root/proc/': '',
    'root/shut/': '',
    'outside/kept.txt': 'kept',
    'apart/own.txt': 'old',
    'apart/linked.txt': 'old',
  });
  linkSync(join(root, '../apart/linked.txt'), join(root, '../apart/other.txt'));
  const at = (path: string) => join(root, path);
  const script = [
    `mount --bind ${at('../outside')} ${at('sub/bound')}`,
    `mount --bind ${at('../outside/kept.txt')} ${at('sub/file')}`,
    `mount -t tmpfs -o size=128k tmpfs ${at('small')}`,
    `mount -t tmpfs tmpfs ${at('shut')}`,
    `touch ${at('shut/a.txt')} ${at('shut/b.txt')}`,
    `mount --bind ${at('../apart/own.txt')} ${at('shut/a.txt')}`,
    `mount --bind ${at('../apart/linked.txt')} ${at('shut/b.txt')}`,
    `mount -o remount,ro,bind ${at('shut')}`,
    `mount --rbind /proc ${at('proc')}`,
    `head -c 40000 /dev/zero > ${at('small/a.txt')}`,
    // By its whole path: other tests work in other folders for a moment.
    `exec "${process.execPath}" "${program}" ${root}`,
  ].join(' && ');
  const options = { encoding: 'utf8' } as const;
  const seen = JSON.parse(execFileSync('unshare', [...unshare, 'sh', '-c', script], options));
  const [whole, ...parts] = seen.deleted;
  match(whole, /^unusable: scanTree\.refuseMounted\(".+\/sub\/(bound|file)"\)$/);
  const bound = `unusable: scanTree.refuseMounted("${at('sub/bound')}")`;
  deepEqual(parts, [bound, 'unusable: reasons.used()']);
  deepEqual(seen.tree, { 'bound/kept.txt': 'kept', file: 'kept', 'z.txt': 'z' });
  equal(seen.outside, 'kept');
  const inPlace = 'storeFile.withoutDraft()';
  const [first, second, linked, text] = seen.shut;
  deepEqual([first.note, second.note].map(said), [inPlace, inPlace]);
  deepEqual([linked, text], ['unusable: storeFile.otherNames()', 'edited']);
  const refused = 'unusable: procFiles.whyNotProc()';
  deepEqual(seen.proc, [refused, refused, 'unreadable', 'no head']);
  equal(said(seen.root), 'procFiles.whyNotProc()');
  match(seen.full, /^unusable: .*"\.mcp-roots-\w+\.tmp"/);
  equal(seen.drafts.filter(([isFile]: [boolean]) => !isFile).length, 1);
  const leftDraft = seen.drafts.find(([isFile]: [boolean]) => !isFile);
  deepEqual(leftDraft, [false, 80_000]);
});
