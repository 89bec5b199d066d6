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

  /** Answers every look at `path` that waits, and lets what follows from it happen. */
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

/** A watch on that disk, with a clock that goes on when the test says so. */
function watchOn(t: TestContext, look: (path: string) => Promise<DiskLook>) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] });
  const watch = new DiskWatch(look, { interval: 1000, longest: 800, first: 3000 });
  atEnd(t, () => watch.dispose());
  let changes = 0;
  watch.onDidChange(() => {
    changes += 1;
  });
  return { watch, changes: () => changes };
}

test('a path is known once it was looked at, and then is looked at every second', async t => {
  const disk = new SlowDisk();
  const { watch, changes } = watchOn(t, disk.look);
  watch.watch(['/a'], true);
  assert.equal(watch.get('/a'), undefined);
  await disk.answer('/a', 'directory');
  assert.deepEqual([watch.get('/a')?.disk, changes()], ['directory', 1]);
  t.mock.timers.tick(1000);
  await disk.answer('/a', 'directory');
  assert.deepEqual([disk.looks.length, changes()], [2, 1]);
  t.mock.timers.tick(1000);
  await disk.answer('/a', 'missing');
  assert.deepEqual([watch.get('/a')?.disk, disk.looks.length, changes()], ['missing', 3, 2]);
});

test('a path is unanswered from when its disk took too long until it answers, whatever it says', async t => {
  const disk = new SlowDisk();
  const { watch } = watchOn(t, disk.look);
  watch.watch(['/a'], true);
  t.mock.timers.tick(2999);
  await settled();
  assert.deepEqual([watch.get('/a'), watch.isUnanswered('/a')], [undefined, false]);
  t.mock.timers.tick(1);
  await settled();
  assert.deepEqual([watch.get('/a')?.disk, watch.isUnanswered('/a')], ['unreadable', true]);
  await disk.answer('/a', 'unreadable');
  assert.deepEqual([watch.get('/a')?.disk, watch.isUnanswered('/a')], ['unreadable', false]);
});

test('of a path that hangs or fails it is still known where it led, until it is seen again', async t => {
  const disk = new SlowDisk();
  const { watch } = watchOn(t, disk.look);
  const link: DiskLook = { disk: 'directory', realPath: '/data/a', place: '1:5' };
  watch.watch(['/a'], true);
  assert.equal(watch.getLasting('/a'), undefined);
  await disk.answer('/a', link);
  assert.deepEqual(watch.getLasting('/a'), link);
  t.mock.timers.tick(1000);
  t.mock.timers.tick(800);
  await settled();
  assert.deepEqual(watch.get('/a'), found('unreadable'));
  assert.deepEqual(watch.getLasting('/a'), { ...link, disk: 'unreadable' });
  await disk.answer('/a', 'unreadable');
  assert.deepEqual(watch.getLasting('/a'), { ...link, disk: 'unreadable' });
  t.mock.timers.tick(1000);
  await disk.answer('/a', 'missing');
  assert.deepEqual(watch.getLasting('/a'), found('missing'));
});

test('there is one look at a time, and a disk that hangs delays no path but its own', async t => {
  const disk = new SlowDisk();
  const { watch } = watchOn(t, disk.look);
  watch.watch(['/hung', '/fine'], true);
  for (let second = 0; second < 5; second++) {
    await disk.answer('/fine', 'directory');
    t.mock.timers.tick(1000);
  }
  await settled();
  const at = (path: string) => disk.looks.filter(look => look === path).length;
  assert.deepEqual(
    [at('/hung'), at('/fine'), watch.get('/hung')?.disk, watch.get('/fine')?.disk],
    [1, 6, 'unreadable', 'directory'],
  );
  await disk.answer('/hung', 'directory');
  assert.equal(watch.get('/hung')?.disk, 'directory');
  t.mock.timers.tick(1000);
  assert.equal(at('/hung'), 2);
});

test('a refresh is no older than it was asked for, and ends although a disk hangs', async t => {
  const disk = new SlowDisk();
  const { watch } = watchOn(t, disk.look);
  watch.watch(['/a', '/hung'], false);
  let isDone = false;
  void watch.refresh().then(() => {
    isDone = true;
  });
  await disk.answer('/a', 'missing');
  assert.equal(disk.looks.filter(path => path === '/a').length, 2);
  await disk.answer('/a', 'directory');
  assert.deepEqual([watch.get('/a')?.disk, isDone], ['directory', false]);
  t.mock.timers.tick(3000);
  await settled();
  t.mock.timers.tick(3000);
  await settled();
  assert.deepEqual([watch.get('/hung')?.disk, isDone], ['unreadable', true]);
});

test('refreshes at the same time share their looks, and none settles with an older one', async t => {
  const disk = new SlowDisk();
  const { watch } = watchOn(t, disk.look);
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

test('a path that is known to hang is waited for only once', async t => {
  const disk = new SlowDisk();
  const { watch } = watchOn(t, disk.look);
  watch.watch(['/hung'], true);
  t.mock.timers.tick(3000);
  await settled();
  let isDone = false;
  void watch.refresh().then(() => {
    isDone = true;
  });
  await settled();
  assert.deepEqual([isDone, watch.get('/hung')?.disk, disk.looks.length], [true, 'unreadable', 1]);
});

test('a disk that answers late each time is left out once, and then it is waited for', async t => {
  const disk = new SlowDisk();
  const { watch, changes } = watchOn(t, disk.look);
  watch.watch(['/slow'], true);
  await disk.answer('/slow', 'directory');
  t.mock.timers.tick(1000);
  for (let look = 0; look < 5; look++) {
    t.mock.timers.tick(900);
    await settled();
    await disk.answer('/slow', 'directory');
    t.mock.timers.tick(100);
    await settled();
  }
  assert.deepEqual([watch.get('/slow')?.disk, changes(), disk.looks.length], ['directory', 3, 7]);
});

test('nothing is looked at while not polling, and nothing of what is not watched any more', async t => {
  const disk = new SlowDisk();
  const { watch, changes } = watchOn(t, disk.look);
  watch.watch(['/a'], true);
  await disk.answer('/a', 'directory');
  watch.watch(['/a'], false);
  t.mock.timers.tick(5000);
  assert.equal(disk.looks.length, 1);
  watch.watch(['/a', '/b'], true);
  watch.watch([], true);
  t.mock.timers.tick(5000);
  await disk.answer('/b', 'directory');
  assert.deepEqual(disk.looks, ['/a', '/b']);
  assert.deepEqual([changes(), watch.get('/a'), watch.get('/b')], [1, undefined, undefined]);
});
