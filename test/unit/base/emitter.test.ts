import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';

test('calls every listener with every value, in order', () => {
  const emitter = new Emitter<number>();
  const got: string[] = [];
  emitter.fire(0);
  emitter.event(value => got.push(`a${value}`));
  emitter.fire(1);
  emitter.event(value => got.push(`b${value}`));
  emitter.fire(2);
  assert.deepEqual(got, ['a1', 'a2', 'b2']);
});

test('calls a function twice when it listens twice', () => {
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

test('does not call a listener that unsubscribed meanwhile', () => {
  const emitter = new Emitter<string>();
  const got: string[] = [];
  emitter.event(() => second.dispose());
  const second = emitter.event(value => got.push(value));
  emitter.fire('x');
  assert.deepEqual(got, []);
});

test('gives a new listener the next value', () => {
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
