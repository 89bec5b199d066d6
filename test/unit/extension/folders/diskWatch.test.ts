import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { DiskLook, DiskState } from '../../../../src/domain/folders/folders.ts';
import { DiskWatch } from '../../../../src/extension/folders/diskWatch.ts';
import { atEnd } from '../../../support/processes.ts';

/** A disk that answers when the test says so. */
class SlowDisk {
  readonly looks: string[] = [];
  private readonly pending: { readonly path: string; answer: (look: DiskLook) => void }[] = [];

  readonly look = (path: string): Promise<DiskLook> => {
    this.looks.push(path);
    return new Promise(answer => this.pending.push({ path, answer }));
  };

  /** Answers every waiting look at `path`, and lets its effects happen. */
  async answer(path: string, disk: DiskState | DiskLook): Promise<void> {
    const asked = this.pending.filter(look => look.path === path);
    for (const look of asked) {
      this.pending.splice(this.pending.indexOf(look), 1);
      look.answer(typeof disk === 'string' ? found(disk) : disk);
    }
    await settled();
  }
}

function found(disk: DiskState): DiskLook {
  return { disk, realPath: undefined, place: undefined };
}

/** Lets every promise that can go on do so. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.resolve();
  }
}

/** A watch on a disk, with a clock that goes on when the test says so. */
function watchOnDisk(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  const disk = new SlowDisk();
  const watch = new DiskWatch(disk.look, { interval: 1000, longest: 800, first: 3000 });
  atEnd(t, () => watch.dispose());
  let changes = 0;
  watch.onDidChange(() => changes++);
  const pass = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await settled();
  };
  return { disk, watch, pass, changes: () => changes };
}

test('a path is known after its first look, and is checked every second', async t => {
  const { disk, watch, changes, pass } = watchOnDisk(t);
  watch.watch(['/a'], true);
  assert.equal(watch.get('/a'), undefined);
  await disk.answer('/a', 'directory');
  assert.deepEqual([watch.get('/a')?.disk, changes()], ['directory', 1]);
  await pass(1000);
  await disk.answer('/a', 'directory');
  assert.deepEqual([disk.looks.length, changes()], [2, 1]);
  await pass(1000);
  await disk.answer('/a', 'missing');
  assert.deepEqual([watch.get('/a')?.disk, disk.looks.length, changes()], ['missing', 3, 2]);
});

test('a path is unanswered from a timeout until any answer of its disk', async t => {
  const { disk, watch, pass } = watchOnDisk(t);
  watch.watch(['/a'], true);
  await pass(2999);
  assert.deepEqual([watch.get('/a'), watch.isUnanswered('/a')], [undefined, false]);
  await pass(1);
  assert.deepEqual([watch.get('/a')?.disk, watch.isUnanswered('/a')], ['unreadable', true]);
  await disk.answer('/a', 'unreadable');
  assert.deepEqual([watch.get('/a')?.disk, watch.isUnanswered('/a')], ['unreadable', false]);
});

test('keeps the known target of a path that hangs or fails until the next look', async t => {
  const { disk, watch, pass } = watchOnDisk(t);
  const link: DiskLook = { disk: 'directory', realPath: '/data/a', place: '1:5' };
  watch.watch(['/a'], true);
  assert.equal(watch.getLasting('/a'), undefined);
  await disk.answer('/a', link);
  assert.deepEqual(watch.getLasting('/a'), link);
  await pass(1000);
  await pass(800);
  assert.deepEqual(watch.get('/a'), found('unreadable'));
  assert.deepEqual(watch.getLasting('/a'), { ...link, disk: 'unreadable' });
  await disk.answer('/a', 'unreadable');
  assert.deepEqual(watch.getLasting('/a'), { ...link, disk: 'unreadable' });
  await pass(1000);
  await disk.answer('/a', 'missing');
  assert.deepEqual(watch.getLasting('/a'), found('missing'));
});

test('looks once at a time, and a hanging disk delays only its own paths', async t => {
  const { disk, watch, pass } = watchOnDisk(t);
  watch.watch(['/hung', '/fine'], true);
  for (let second = 0; second < 5; second++) {
    await disk.answer('/fine', 'directory');
    await pass(1000);
  }
  await settled();
  const at = (path: string) => disk.looks.filter(look => look === path).length;
  assert.deepEqual(
    [at('/hung'), at('/fine'), watch.get('/hung')?.disk, watch.get('/fine')?.disk],
    [1, 6, 'unreadable', 'directory'],
  );
  await disk.answer('/hung', 'directory');
  assert.equal(watch.get('/hung')?.disk, 'directory');
  await pass(1000);
  assert.equal(at('/hung'), 2);
});

test('a refresh begins after its request, and ends even if a disk hangs', async t => {
  const { disk, watch, pass } = watchOnDisk(t);
  watch.watch(['/a', '/hung'], false);
  let isDone = false;
  void watch.refresh().then(() => (isDone = true));
  await disk.answer('/a', 'missing');
  assert.equal(disk.looks.filter(path => path === '/a').length, 2);
  await disk.answer('/a', 'directory');
  assert.deepEqual([watch.get('/a')?.disk, isDone], ['directory', false]);
  await pass(3000);
  await pass(3000);
  assert.deepEqual([watch.get('/hung')?.disk, isDone], ['unreadable', true]);
});

test('simultaneous refreshes share their looks, and never use an older look', async t => {
  const { disk, watch } = watchOnDisk(t);
  watch.watch(['/a'], false);
  const seen: unknown[] = [];
  const refresh = () => void watch.refresh().then(() => seen.push(watch.get('/a')?.disk));
  refresh();
  refresh();
  await disk.answer('/a', 'directory');
  refresh();
  assert.deepEqual([disk.looks.length, seen], [2, []]);
  await disk.answer('/a', 'missing');
  assert.deepEqual([disk.looks.length, seen], [3, ['missing', 'missing']]);
  await disk.answer('/a', 'unreadable');
  assert.deepEqual([disk.looks.length, seen], [3, ['missing', 'missing', 'unreadable']]);
});

test('waits only once for a path that is known to hang', async t => {
  const { disk, watch, pass } = watchOnDisk(t);
  watch.watch(['/hung'], true);
  await pass(3000);
  let isDone = false;
  void watch.refresh().then(() => (isDone = true));
  await settled();
  assert.deepEqual([isDone, watch.get('/hung')?.disk, disk.looks.length], [true, 'unreadable', 1]);
});

test('leaves out a slow disk once, and then waits for it', async t => {
  const { disk, watch, changes, pass } = watchOnDisk(t);
  watch.watch(['/slow'], true);
  await disk.answer('/slow', 'directory');
  await pass(1000);
  for (let look = 0; look < 5; look++) {
    await pass(900);
    await disk.answer('/slow', 'directory');
    await pass(100);
  }
  assert.deepEqual([watch.get('/slow')?.disk, changes(), disk.looks.length], ['directory', 3, 7]);
});

test('looks at nothing without polling, and never at unwatched paths', async t => {
  const { disk, watch, changes, pass } = watchOnDisk(t);
  watch.watch(['/a'], true);
  await disk.answer('/a', 'directory');
  watch.watch(['/a'], false);
  await pass(5000);
  assert.equal(disk.looks.length, 1);
  watch.watch(['/a', '/b'], true);
  watch.watch([], true);
  await pass(5000);
  await disk.answer('/b', 'directory');
  assert.deepEqual(disk.looks, ['/a', '/b']);
  assert.deepEqual([changes(), watch.get('/a'), watch.get('/b')], [1, undefined, undefined]);
});
