import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { argumentPaths } from '../../src/domain/guard/argumentPaths.ts';
import { cpuTimeOf } from '../support/cpuTime.ts';
import { guardedTree } from '../support/guardedTree.ts';
import { guardRules } from '../support/guardRules.ts';

const twice: readonly unknown[] = [
  { value: '{"path":"/out/secret.txt","path":"in.txt"}' },
  { value: '{"path":"in.txt","path":"/out/secret.txt","path":"in.txt"}' },
  { value: '[1, {"a" : "/out/secret.txt", "a"\n: "x"}]' },
  { value: '{"path":"/out/secret.txt","p\\u0061th":"in.txt"}' },
  { value: '{"command":"cat /out/secret.txt","command":"true"}' },
  { value: '{"files":[{"text":"x"},"/out/secret.txt"],"files":[]}' },
  { value: '{"command":["cat l*/secret.txt"],"command":[]}' },
  { value: '{"a":"link","a":"x"}' },
  { value: '{"__proto__":"/out/secret.txt","__proto__":"x"}' },
  { value: '{"/out/secret.txt":1,"/out/secret.txt":2}' },
  { value: '{"0":{"path":"link/secret.txt"},"0":"{\\"a\\":1}"}' },
  { path: '{"a":"link/secret.txt","a":"in.txt"}' },
  [{}, { progress: '{"a":"../out/secret.txt","a":"x"}' }],
  { value: JSON.stringify({ deep: '{"a":"/out/secret.txt","a":"x"}' }) },
];

test('in JSON, nothing is hidden by a second member of the same name', t => {
  deepEqual(guardedTree(t)(twice), twice);
});

test('a name that stands twice is no reason to refuse JSON, and keeps what it says', t => {
  const harmless = [
    { value: '{"_":"a comment","_":"more","a":"in.txt"}' },
    { value: '{"text":"/out/secret.txt","text":"/out/secret.txt"}' },
    { value: '{"body":{"a":"/out/x"},"body":["/out/x"]}' },
    { value: '[{"path":"in.txt"},{"path":"in.txt"}]' },
    { value: '{"a":{"path":"in.txt"},"path":"in.txt","b":"\\"path\\":"}' },
    { value: '{"own":"/out/secret.txt","a":1,"a":2}' },
  ];
  deepEqual(guardedTree(t)(harmless, { leaveNames: ['own'] }), []);
});

test('JSON with a name twice that is too deep to be looked through is refused', t => {
  const value = `{"own":${'['.repeat(50_000)}"a"${']'.repeat(50_000)},"a":1,"a":2}`;
  equal(guardedTree(t)([{ value }], { leaveNames: ['own'] }).length, 1);
});

test('in what is only meant as JSON, a name says something of its own texts alone', t => {
  const refused = guardedTree(t);
  const hidden = [
    { value: '{"files":[{"text":"x"},"/out/secret.txt"],}' },
    { value: '{"text":"x", path: "/out/secret.txt"}' },
    { value: '{"text":1, // "\n"a":"/out/secret.txt"}' },
    { value: '["a\\"/out", "/out/secret.txt' },
  ];
  deepEqual(refused(hidden), hidden);
  deepEqual(refused([{ value: '{"text":"/out/secret.txt","texts":["/a", "/b"],}' }]), []);
});

test('JSON is read alike with the members of its objects once or all of them', () => {
  const names = fc.constantFrom('path', 'text', 'cmd', 'a', '__proto__', 'a b', '"\\', '');
  const texts = fc.constantFrom('/x', 'a/b', '{"path":"/y"}', '":', '{', 'b');
  const { tree } = fc.letrec(tie => ({
    tree: fc.oneof({ maxDepth: 4 }, texts, tie('object'), fc.array(tie('tree'))),
    object: fc.dictionary(names, tie('tree'), { noNullPrototype: true }),
  }));
  const property = fc.property(tree, value => {
    const once = JSON.stringify([{ a: 1 }, value]);
    const all = JSON.stringify([{ a: 1 }, value]).replace('{"a":1', '{"a":1,"a":1');
    deepEqual(pathsIn(all), pathsIn(once));
  });
  fc.assert(property, { numRuns: 500 });
});

// The best of some runs, since what is cleared away and compiled meanwhile adds to each.
test('texts without an end cost no more than others in what is meant as JSON', () => {
  for (const start of ['["', '{"', '["a", "']) {
    const value = start + '\\"'.repeat(19_000);
    const times = Array.from({ length: 5 }, () =>
      cpuTimeOf(() => void argumentPaths({ value }, guardRules(), 'linux')),
    );
    ok(Math.min(...times) < 25, `${start}: ${times}`);
  }
});

function pathsIn(json: string): readonly string[] {
  const found = argumentPaths({ json }, guardRules(), 'linux');
  return found.ok ? found.paths.map(({ kind, text }) => `${kind} ${text}`).sort() : [found.reason];
}
