import { deepEqual, equal, rejects } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { deleteEntry } from '../../../../src/server/writing/deleteEntry.ts';
import { replaceInFile } from '../../../../src/server/writing/replaceInFile.ts';
import { changeOf } from '../../../../src/server/writing/writableFolder.ts';
import { skipPins } from '../../../support/pins.ts';
import { onlyOn } from '../../../support/systems.ts';
import {
  edit,
  meddlingPin,
  outcomeOf,
  sharedTree,
  treeOf,
  write,
} from '../../../support/writing.ts';

const { signal } = new AbortController();
const call = { signal, progress: () => {} };
const pinned = { skip: skipPins };

describe('writing, editing and making folders', {
  skip: onlyOn('posix', 'links need a privilege there'),
}, () => {
  test('writes nothing for an edit that is cancelled', async t => {
    const text = 'some text\n'.repeat(500_000);
    const { root, scope } = sharedTree(t, { 'root/a.txt': `${text}end` });
    const cancelled = new AbortController();
    const edits = Array.from({ length: 500 }, (_, n) => ({
      oldText: n === 0 ? 'end' : `end${n}`,
      newText: `end${n + 1}`,
    }));
    const fileEdit = { edits, isDryRun: false };
    const edited = replaceInFile(changeOf(scope, 'a.txt'), fileEdit, cancelled.signal);
    // Other work goes on: otherwise this would come too late.
    setImmediate(() => cancelled.abort());
    await rejects(edited, { name: 'AbortError' });
    equal(readFileSync(join(root, 'a.txt'), 'utf8').endsWith('\nend'), true);
  });

  test('does not replace a file that another program wrote meanwhile', pinned, async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'one' });
    let reached = 0;
    const interfering = meddlingPin(() => {
      reached += 1;
      writeFileSync(join(root, 'a.txt'), 'two');
    });
    const edits = [{ oldText: 'one', newText: 'mine' }];
    const change = changeOf(scope, 'a.txt', interfering);
    const edited = await replaceInFile(change, { edits, isDryRun: false }, signal);
    equal(outcomeOf(edited), 'unusable: storeFile.writtenMeanwhile()');
    deepEqual([reached, treeOf(root)], [1, { 'a.txt': 'two' }]);
  });

  test('never reports a lost write when two servers write at once', pinned, async t => {
    const seen = { first: 0, second: 0 };
    for (let step = 1, isReached = true; isReached; step++) {
      const { root, scope } = sharedTree(t, { 'root/a.txt': 'one' });
      let left = step;
      let other: ReturnType<typeof write> | undefined;
      const pin = meddlingPin(
        () => {
          other = write(scope, 'a.txt', 'theirs');
        },
        () => --left === 0,
      );
      const edits = [{ oldText: 'one', newText: 'mine' }];
      const change = changeOf(scope, 'a.txt', pin);
      const edited = await replaceInFile(change, { edits, isDryRun: false }, signal);
      isReached = other !== undefined;
      seen.first += edited.ok ? 1 : 0;
      seen.second += other?.ok ? 1 : 0;
      // Theirs came later, or mine was refused.
      deepEqual(treeOf(root), { 'a.txt': other?.ok ? 'theirs' : 'mine' }, `at step ${step}`);
    }
    deepEqual([seen.first > 1, seen.second > 1], [true, true]);
  });

  test('keeps other servers from the file by a draft, which is not lost', pinned, async t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old' });
    const name = draftOf(scope, 'a.txt', 'new');
    const draft = join(root, name);
    writeFileSync(draft, 'half');
    const used = 'unusable: reasons.used()';
    deepEqual(
      [outcomeOf(write(scope, 'a.txt', 'x')), outcomeOf(await edit(scope, 'a.txt', 'new', 'x'))],
      [used, used],
    );
    deepEqual(treeOf(root), { 'a.txt': 'new', [name]: 'half' });
    const unfinished = `unusable: draft.withDraft("${name}")`;
    for (const age of [60, -60]) {
      const time = Date.now() / 1000 - age;
      utimesSync(draft, time, time);
      for (const there of [{ 'a.txt': 'new' }, {}]) {
        const answers = [
          outcomeOf(write(scope, 'a.txt', 'x')),
          outcomeOf(await edit(scope, 'a.txt', 'new', 'x')),
        ];
        const missing = 'missing: refusal.seeFolder()';
        deepEqual(answers, [unfinished, 'a.txt' in there ? unfinished : missing]);
        deepEqual(treeOf(root), { ...there, [name]: 'half' });
        rmSync(join(root, 'a.txt'), { force: true });
      }
      writeFileSync(join(root, 'a.txt'), 'new');
    }
    equal((await deleteEntry(changeOf(scope, name), { isRecursive: false }, call)).ok, true);
    equal(write(scope, 'a.txt', 'after').ok, true);
    deepEqual(treeOf(root), { 'a.txt': 'after' });
  });

  test('gives a new file a single name after a killed server left its draft', pinned, t => {
    const { root, scope } = sharedTree(t, {});
    const name = draftOf(scope, 'a.txt', 'new');
    const file = join(root, 'a.txt');
    linkSync(file, join(root, name));
    utimesSync(file, 0, 0);
    const { ino } = lstatSync(file);
    equal(write(scope, 'a.txt', 'after').ok, true);
    deepEqual(treeOf(root), { 'a.txt': 'after' });
    // It is the same file with all its attributes, unlike a file cut from its other names.
    equal(lstatSync(file).ino, ino);
  });

  test('keeps a file outside unchanged when its hard link appears or disappears', pinned, t => {
    const meddles: readonly ((link: string, key: string) => void)[] = [
      link => unlinkSync(link),
      (link, key) => {
        writeFileSync(`${link}.new`, 'another');
        renameSync(`${link}.new`, link);
        linkSync(key, `${link}.other`);
      },
      (link, key) => {
        linkSync(key, `${link}.new`);
        renameSync(`${link}.new`, link);
      },
    ];
    for (const [index, meddle] of meddles.entries()) {
      for (let step = 1, isReached = true; isReached; step++) {
        const { top, root, scope } = sharedTree(t, { 'outside/key': 'kept', 'root/a.txt': 'own' });
        const [link, key] = [join(root, 'a.txt'), join(top, 'outside/key')];
        if (index < 2) {
          unlinkSync(link);
          linkSync(key, link);
        }
        let left = step;
        isReached = false;
        const pin = meddlingPin(
          () => {
            isReached = true;
            meddle(link, key);
          },
          () => --left === 0,
        );
        write(scope, 'a.txt', 'written', {}, pin);
        equal(readFileSync(key, 'utf8'), 'kept', `meddle ${index} at step ${step}`);
      }
    }
  });

  test('keeps the file and leaves no draft when writing fails', pinned, t => {
    const { root, scope } = sharedTree(t, { 'root/a.txt': 'old' });
    // A folder takes the place of the file at the last moment, so that it cannot be replaced.
    const failing = meddlingPin(() => {
      execFileSync('mv', [join(root, 'a.txt'), join(root, 'kept.txt')]);
      mkdirSync(join(root, 'a.txt'));
    });
    const written = write(scope, 'a.txt', 'new', {}, failing);
    equal(outcomeOf(written), 'unusable: storeFile.writtenMeanwhile()');
    deepEqual(treeOf(root), { 'a.txt/': '', 'kept.txt': 'old' });
  });
});

/** Writes a text into a file, and answers the name of the draft for that. */
function draftOf(scope: PathScope<RootFolder>, path: string, text: string): string {
  const drafts: string[] = [];
  const watching = meddlingPin(
    () => {},
    name => {
      drafts.push(...(name.endsWith('.tmp') ? [name] : []));
      return false;
    },
  );
  equal(write(scope, path, text, {}, watching).ok, true);
  return drafts[0] ?? '';
}
