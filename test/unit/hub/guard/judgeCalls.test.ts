import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { callsIn, judgeCalls } from '../../../support/guardCalls.ts';

// Calls of tools as real servers have them, and calls that name paths outside in all kinds of dress.

test('everyday calls of common servers are let through with no configuration', t => {
  const calls = callsIn('guardHarmless');
  const kindOf = judgeCalls(t);
  const refused = calls.filter(call => kindOf(call) !== 'allowed').map(({ args }) => args);
  ok(calls.length >= 245, `${calls.length} calls`);
  deepEqual(refused, [
    // Both are folders of this machine, under names that say nothing.
    { operationId: 'getUser', path_params: { id: 'a/b' }, method: 'get', path: '/dev/docs' },
    { key: 'cache:/home', value: 'x' },
  ]);
});

test('a path outside that a call names as a path is refused in every dress', t => {
  const calls = callsIn('guardHostile');
  const kindOf = judgeCalls(t);
  const passed = calls.filter(call => kindOf(call) !== 'denied').map(({ args }) => args);
  ok(calls.length >= 150, `${calls.length} calls`);
  deepEqual(passed, []);
});
