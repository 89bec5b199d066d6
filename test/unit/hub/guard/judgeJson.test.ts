import { deepEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeOf } from '../../../support/cpuTime.ts';
import { guardedTree } from '../../../support/guardedTree.ts';

test('JSON in a text is looked at like arguments, names and JSON within it included', t => {
  const refused = guardedTree(t);
  const hidden = [
    { value: '{"path":"/etc/secret.txt"}' },
    { value: '[1, {"a" : "/etc/secret.txt"}]' },
    { value: '{"command":"cat /etc/secret.txt"}' },
    { value: '{"/etc/secret.txt":1}' },
    { value: '{"a":"link"}' },
    { value: '"\\u002fetc/secret.txt"' },
    { value: JSON.stringify({ deep: '{"a":"/etc/secret.txt"}' }) },
    { value: ` ${JSON.stringify(JSON.stringify(['../out/secret.txt']))} ` },
    { path: '["in.txt","link/secret.txt"]' },
    { value: '%5B%22/etc/x%22%5D' },
    JSON.parse('{"__proto__":{"path":"/etc/secret.txt"}}'),
  ];
  deepEqual(refused(hidden), hidden);
});

test('what a name in JSON says of its value counts there, too', t => {
  const harmless = [
    { value: '{"text":"/etc/secret.txt","a":"in.txt"}' },
    { value: '{"body":{"a":"/etc/x"}}' },
    { value: '{"own":"/etc/secret.txt","a":1}' },
    { text: '{"path":"/etc/secret.txt"}' },
    { value: '{"path":' },
    { value: '[1/2, 3/4]' },
  ];
  deepEqual(guardedTree(t)(harmless, { leaveNames: ['own'] }), []);
});

// The best of some runs, since what is cleared away and compiled meanwhile adds to each.
test('texts without an end cost no more than others in what is meant as JSON', t => {
  const refused = guardedTree(t);
  for (const start of ['["', '{"', '["a", "']) {
    const value = start + '\\"'.repeat(19_000);
    const times = Array.from({ length: 5 }, () => cpuTimeOf(() => void refused([{ value }])));
    ok(Math.min(...times) < 100, `${start}: ${times}`);
  }
});
