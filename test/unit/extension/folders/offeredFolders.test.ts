import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OfferedFolders } from '../../../../src/extension/folders/offeredFolders.ts';

/** The state of a workspace, which outlives what reads it. */
function memento(values: Record<string, unknown> = {}) {
  return {
    values,
    get: <T>(key: string) => values[key] as T | undefined,
    update: async (key: string, value: unknown) => {
      values[key] = JSON.parse(JSON.stringify(value));
    },
  };
}

test('what is offered to a server is offered to no other, each path once, across sessions', async () => {
  const state = memento();
  const offered = new OfferedFolders(state);
  let changes = 0;
  offered.onDidChange(() => {
    changes += 1;
  });
  await offered.add('files', ['/a', '/b']);
  await offered.add('git', ['/c']);
  await offered.add('files', ['/b', '/d']);
  const later = new OfferedFolders(state);
  assert.deepEqual(
    [later.of('files'), later.of('git'), later.of('other'), later.paths, changes],
    [['/a', '/b', '/d'], ['/c'], [], ['/c', '/a', '/b', '/d'], 3],
  );
});

test('what is taken back is gone, and the last of a server leaves nothing behind', async () => {
  const state = memento();
  const offered = new OfferedFolders(state);
  await offered.add('files', ['/a', '/b']);
  await offered.remove('files', '/a');
  assert.deepEqual(offered.of('files'), ['/b']);
  await offered.remove('files', '/b');
  assert.deepEqual(state.values, { offeredFolders: {} });
});

test('names of objects are servers like any other', async () => {
  const offered = new OfferedFolders(memento());
  assert.deepEqual(offered.of('constructor'), []);
  await offered.add('toString', ['/a']);
  assert.deepEqual([offered.of('toString'), offered.of('valueOf')], [['/a'], []]);
});

test('what can not be read was offered to nobody', () => {
  for (const stored of [null, 'all', 5, ['/a'], { files: '/a' }, { files: [5] }, { files: null }]) {
    const offered = new OfferedFolders(memento({ offeredFolders: stored }));
    assert.deepEqual([offered.of('files'), offered.of('0')], [[], []]);
  }
});
