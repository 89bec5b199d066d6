import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  configurationChange,
  configurationRoutes,
} from '../../src/domain/consent/configuredRoots.ts';
import type { Root } from '../../src/domain/roots.ts';

const [api, docs, web] = ['api', 'docs', 'web'].map(name => ({
  uri: `file:///proj/${name}`,
  name,
}));

const cases: readonly [string, readonly (Root | undefined)[], readonly (Root | undefined)[]][] = [
  ['none', [api, web], [api, web]],
  ['outdated', [api], [api, docs]],
  ['outdated', [], [api]],
  ['outdated', [api, web], [web, api]],
  ['lost', [api, web], [web]],
  ['lost', [api], []],
  ['lost', [api], [docs, web]],
];

for (const [change, given, now] of cases) {
  const names = (roots: readonly (Root | undefined)[]) => roots.map(root => root?.name).join(', ');
  test(`from [${names(given)}] to [${names(now)}] is "${change}"`, () => {
    const known = (roots: readonly (Root | undefined)[]) => roots.flatMap(root => root ?? []);
    assert.equal(configurationChange(known(given), known(now)), change);
  });
}

test('a new name for the same folder is no reason to restart anything', () => {
  const root = { uri: 'file:///proj/api', name: 'api' };
  assert.equal(configurationChange([root], [{ ...root, name: 'api (proj)' }]), 'none');
});

test('only arguments and environment are configuration', () => {
  assert.deepEqual(configurationRoutes(['roots', 'env', 'args']), ['env', 'args']);
});
