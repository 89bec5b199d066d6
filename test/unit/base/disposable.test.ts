import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposableStore, MutableDisposable, toDisposable } from '../../../src/base/disposable.ts';

test('a disposable made from a function runs it once', () => {
  let runs = 0;
  const disposable = toDisposable(() => runs++);
  disposable.dispose();
  disposable.dispose();
  assert.equal(runs, 1);
});

test('a store disposes its items once, the newest first', () => {
  const disposed: string[] = [];
  const store = new DisposableStore();
  const item = (name: string) => ({ dispose: () => disposed.push(name) });
  const first = item('first');
  assert.equal(store.add(first), first);
  store.add(item('second'));
  store.add(item('third'));
  assert.deepEqual([store.isDisposed, disposed], [false, []]);
  store.dispose();
  store.dispose();
  assert.deepEqual([store.isDisposed, disposed], [true, ['third', 'second', 'first']]);
});

test('a disposed store disposes a new item at once', () => {
  const disposed: string[] = [];
  const store = new DisposableStore();
  store.dispose();
  store.add({ dispose: () => disposed.push('late') });
  assert.deepEqual(disposed, ['late']);
});

test('an item that disposes its own store is disposed once', () => {
  const disposed: string[] = [];
  const store = new DisposableStore();
  store.add({ dispose: () => disposed.push('other') });
  store.add({
    dispose() {
      disposed.push('outer');
      store.dispose();
    },
  });
  store.dispose();
  assert.deepEqual(disposed, ['outer', 'other']);
});

test('disposes a replaced part and the last part', () => {
  const disposed: string[] = [];
  const owner = new MutableDisposable();
  owner.value = { dispose: () => disposed.push('first') };
  owner.value = { dispose: () => disposed.push('second') };
  assert.deepEqual(disposed, ['first']);
  owner.dispose();
  assert.deepEqual(disposed, ['first', 'second']);
});
