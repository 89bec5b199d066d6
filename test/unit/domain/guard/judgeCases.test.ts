import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { judgePaths } from '../../../../src/domain/gate/pathsInRoots.ts';
import type { Judging } from '../../../../src/domain/guard/pathJudge.ts';
import { parsePath } from '../../../../src/domain/paths/pathInput.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';
import { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import { thisMachine } from '../../../../src/hub/guard/thisMachine.ts';
import { PinnedRoots, type RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { buildCase, movedArguments } from '../../../support/caseTree.ts';
import { guardRules, lexicalDisk } from '../../../support/guardRules.ts';
import { expectedOfHub, type PathCase, pathCases } from '../../../support/pathCases.ts';
import { inPlace } from '../../../support/rootFolder.ts';
import { onlyOn, thisPlatform } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

// The cases are about one path. Given as `path`, two of them need no refusal: P76 is not a text,
// and P77 is a list with every path inside. W47 needs a disk with short names.
const elsewhere = ['P76', 'P77', 'W47'];

// What `realpath` answers on the system that a case is about, where it is not the path itself.
const realPaths: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  M07: { '/ws/app': '/private/ws/app' },
  W49: { 'C:\\ws\\APP\\a': 'C:\\ws\\APP\\a' },
};

const cases = pathCases().filter(({ id }) => !elsewhere.includes(id));
const onDisk = cases.filter(({ platform }) => platform === 'posix' || platform === 'linux');
const byRules = cases.filter(({ platform }) => platform === 'darwin' || platform === 'win32');
const rules = guardRules();
const called = { file: 'servers.json', server: 'server', tool: 'tool' };

test('decides every case here, or names it with the reason', () => {
  equal(pathCases().length, 161);
  deepEqual([onDisk.length, byRules.length, elsewhere.length], [107, 51, 3]);
});

test(`judges ${onDisk.length} cases of Linux and POSIX as the hub must, on a real tree`, {
  skip: onlyOn('linux', 'they are moved into a tree with the rules of Linux'),
}, t => {
  compare(onDisk, one => {
    const top = tempFolder(t);
    const { roots, input } = buildCase(top, one);
    const list = one.setup?.dynamic?.startsWith('revoke') ? [] : roots;
    const { scope } = new PinnedRoots(list, thisPlatform).folders;
    const args = one.kind === 'args' ? movedArguments(input, top) : { path: input };
    const bases = scope.base === undefined ? [] : [scope.base];
    return judgePaths({ ...called, args }, { rules, scope, bases, machine: thisMachine }).kind;
  });
});

for (const platform of ['darwin', 'win32'] as const) {
  const ofPlatform = byRules.filter(one => one.platform === platform);
  test(`judges ${ofPlatform.length} cases of ${platform} by the rules only`, () => {
    compare(
      ofPlatform,
      one => judgePaths({ ...called, args: { path: one.input } }, lexical(one, platform)).kind,
    );
  });
}

function compare(some: readonly PathCase[], kindOf: (one: PathCase) => string): void {
  const expected = some.map(one => {
    const verdict = expectedOfHub(one);
    return `${one.id} ${verdict === 'inside' ? 'allowed' : 'denied'}: ${one.why}`;
  });
  const actual = some.map(one => `${one.id} ${kindOf(one)}: ${one.why}`);
  deepEqual(actual, expected);
}

/** Judges without a machine: a path leads to itself, or to what `realPaths` says. */
function lexical(one: PathCase, platform: PathPlatform): Judging {
  const known = realPaths[one.id] ?? {};
  const foldsCase = one.setup?.fs !== 'case-sensitive APFS';
  const roots = one.roots.flatMap((uri): RootFolder[] => {
    const parsed = parsePath(uri, platform);
    const announced = parsed.ok ? parsed.path : '';
    const real = known[announced] ?? announced;
    return parsed.ok ? [{ uri, announced, real, foldsCase, ...inPlace }] : [];
  });
  const scope = new PathScope(roots, platform);
  return {
    rules,
    scope,
    bases: scope.base === undefined ? [] : [scope.base],
    machine: {
      ...lexicalDisk,
      locate: (_, path) => {
        const root = known[path] === undefined ? scope.find(path) : scope.findReal(known[path]);
        return root
          ? { ok: true, value: { root, real: path, exists: true, there: path } }
          : { ok: false, kind: 'outside', message: '' };
      },
    },
  };
}
