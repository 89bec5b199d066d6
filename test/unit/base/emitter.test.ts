import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';

test('every listener gets every value, in the order they came', () => {
  const emitter = new Emitter<number>();
  const got: string[] = [];
  emitter.fire(0);
  emitter.event(value => got.push(`a${value}`));
  emitter.fire(1);
  emitter.event(value => got.push(`b${value}`));
  emitter.fire(2);
  assert.deepEqual(got, ['a1', 'a2', 'b2']);
});

test('one function that listens twice is called twice and unsubscribes one at a time', () => {
  const emitter = new Emitter<string>();
  const got: string[] = [];
  const listener = (value: string) => got.push(value);
  const first = emitter.event(listener);
  emitter.event(listener);
  emitter.fire('both');
  first.dispose();
  first.dispose();
  emitter.fire('one');
  assert.deepEqual(got, ['both', 'both', 'one']);
});

test('a listener that unsubscribed is not called any more, even by a value already on its way', () => {
  const emitter = new Emitter<string>();
  const got: string[] = [];
  emitter.event(() => second.dispose());
  const second = emitter.event(value => got.push(value));
  emitter.fire('x');
  assert.deepEqual(got, []);
});

test('a listener that came while a value was on its way gets the next one', () => {
  const emitter = new Emitter<number>();
  const got: number[] = [];
  const first = emitter.event(() => {
    first.dispose();
    emitter.event(value => got.push(value));
  });
  emitter.fire(1);
  emitter.fire(2);
  assert.deepEqual(got, [2]);
});

test('a disposed emitter has no listeners', () => {
  const emitter = new Emitter<number>();
  const got: number[] = [];
  emitter.event(value => got.push(value));
  emitter.dispose();
  emitter.fire(1);
  assert.deepEqual(got, []);
});
