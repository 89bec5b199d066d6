import { deepEqual, equal } from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { judgePaths } from '../../../../src/domain/gate/pathsInRoots.ts';
import type { RuleSet } from '../../../../src/domain/guard/guardRules.ts';
import { PathScope, type ScopeRoot } from '../../../../src/domain/paths/pathScope.ts';
import { thisMachine } from '../../../../src/hub/guard/thisMachine.ts';
import { PinnedRoots } from '../../../../src/server/roots/rootFolders.ts';
import { effort } from '../../../support/effort.ts';
import { globs, guardRules } from '../../../support/guardRules.ts';
import { skipLinks, thisPlatform } from '../../../support/systems.ts';
import { linkTree, tempFolder, writeTree } from '../../../support/temp.ts';

/** The roots of a client that names a folder of its root as a root, too. */
const nested = [
  ['.', 'secret'],
  ['secret', '.'],
  ['secret/in', '.', 'secret'],
];

test('a glob that denies below a root also denies below a nested root', { skip: skipLinks }, t => {
  const { kinds } = folder(t);
  const calls = [
    ...[{ path: 'secret/key' }, { path: 'alias/key' }, { path: 'secret/in/new' }],
    ...[{ command: 'cat secret/key' }, { anything: 'secret/key' }, { anything: 'to-key' }],
  ];
  for (const roots of [['.'], ...nested]) {
    deepEqual(new Set(kinds(roots, { deny: globs('secret/**') }, calls)), new Set(['denied']));
    deepEqual(kinds(roots, { deny: globs('secret/**') }, [{ path: 'src/a' }]), ['allowed']);
  }
});

test('a glob that denies below a nested root denies only there', t => {
  const { kinds } = folder(t);
  for (const roots of nested) {
    const calls = [{ path: 'secret/key' }, { path: 'key' }];
    deepEqual(kinds(roots, { deny: globs('key') }, calls), ['denied', 'denied']);
    deepEqual(kinds(roots, { deny: globs('in/**') }, [{ path: 'secret/key' }]), ['allowed']);
  }
});

test('a path is allowed if a glob allows it below one of its roots', t => {
  const { kinds } = folder(t);
  const calls = [{ path: 'secret/key' }, { path: 'secret/in/new' }, { path: 'src/a' }];
  for (const roots of nested) {
    const allow = globs('secret/**');
    deepEqual(kinds(roots, { allow }, calls), ['allowed', 'allowed', 'denied']);
    deepEqual(kinds(roots, { allow: globs('key') }, calls), ['allowed', 'denied', 'denied']);
  }
});

test('a path lies only in the roots above it', () => {
  const path = fc
    .array(fc.constantFrom('a', 'A', 'b', 'ab'), { maxLength: 4 })
    .map(names => `/${names.join('/')}`);
  const root = fc.record({ announced: path, real: path, foldsCase: fc.boolean() });
  const roots = fc.uniqueArray(root, {
    // Of several roots at one place, one stands for all.
    comparator: (one, other) => pathsOf(one).some(at => pathsOf(other).includes(at)),
    maxLength: 6,
  });
  const property = fc.property(roots, path, (all, at) => {
    const scope = new PathScope(all, 'linux');
    const found = scope.findAll(at);
    deepEqual(new Set(found), new Set(all.filter(one => holds(one, at))));
    equal(found.length > 0, scope.find(at) !== undefined);
  });
  fc.assert(property, { numRuns: 200 * effort });
});

function pathsOf({ announced, real }: ScopeRoot): readonly string[] {
  return [announced, real].map(path => path.toLowerCase());
}

function holds({ announced, real, foldsCase }: ScopeRoot, path: string): boolean {
  const key = (text: string) => `${foldsCase ? text.toLowerCase() : text}/`.replace('//', '/');
  return [announced, real].some(start => key(path).startsWith(key(start)));
}

function folder(t: TestContext) {
  const top = tempFolder(t);
  writeTree(top, { 'secret/key': 'text', 'secret/in/a': 'text', 'src/a': 'text', key: 'text' });
  linkTree(top, { alias: 'secret', 'to-key': 'secret/key' });
  const kinds = (roots: readonly string[], set: Partial<RuleSet>, calls: readonly object[]) => {
    const entries = roots.map(name => ({ uri: pathToFileURL(join(top, name)).href }));
    const { scope } = new PinnedRoots(entries, thisPlatform).folders;
    const judging = { rules: guardRules(set), scope, bases: [top], machine: thisMachine };
    const called = { file: 'servers.json', server: 'server', tool: 'tool' };
    return calls.map(args => judgePaths({ ...called, args }, judging).kind);
  };
  return { kinds };
}
