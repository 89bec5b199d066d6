import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { parsePath } from '../../../../src/domain/paths/pathInput.ts';
import type { PathPlatform } from '../../../../src/domain/paths/pathNames.ts';
import { PathScope, type ScopeRoot } from '../../../../src/domain/paths/pathScope.ts';
import { locate } from '../../../../src/server/paths/locate.ts';
import { PinnedRoots } from '../../../../src/server/roots/rootFolders.ts';
import { buildCase } from '../../../support/caseTree.ts';
import { compare, type PathCase, pathCases, type Verdict } from '../../../support/pathCases.ts';
import { onlyOn, thisPlatform } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

// Cases that no test of this file decides, each with the reason.
const elsewhere: Readonly<Record<string, string>> = {
  S29: 'a race: pathScopeOpening.test.ts and bundledServerAttack.test.ts run the attack',
  S31: 'a revocation: bundledServerRoots.test.ts revokes over the wire',
  W47: 'a short name that only NTFS resolves: refused here before any file call',
};

// What `realpath` answers on the system that a case is about, where it is not the path itself.
const realPaths: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  M07: { '/ws/app': '/private/ws/app' },
  W49: { 'C:\\ws\\APP\\a': 'C:\\ws\\APP\\a' },
};

const all = pathCases();
const hub = all.filter(({ kind }) => kind === 'args');
const decidable = all.filter(one => !hub.includes(one) && !(one.id in elsewhere));
const onDisk = decidable.filter(({ platform }) => platform === 'posix' || platform === 'linux');
const byRules = decidable.filter(one => !one.setup || !onDisk.includes(one));

test('decides every case by a test, or names it with a reason', () => {
  const sizes = { all: all.length, hub: hub.length, elsewhere: Object.keys(elsewhere).length };
  deepEqual(sizes, { all: 161, hub: 12, elsewhere: 3 });
  equal(new Set([...byRules, ...onDisk]).size, 161 - 12 - 3);
  deepEqual([byRules.length, onDisk.length], [127, 95]);
});

for (const platform of ['posix', 'darwin', 'win32'] as const) {
  const cases = byRules.filter(one => one.platform === platform);
  test(`decides ${cases.length} cases of ${platform} by the rules only`, () => {
    const { actual, expected } = compare(cases, verdictByRules);
    deepEqual(actual, expected);
  });
}

test(`${onDisk.length} cases of Linux and POSIX hold on a real tree`, {
  skip: onlyOn('linux', 'they are moved into a tree with the rules of Linux'),
}, t => {
  const { actual, expected } = compare(onDisk, one => verdictOnDisk(tempFolder(t), one));
  deepEqual(actual, expected);
});

function verdictByRules(one: PathCase): Verdict {
  const platform: PathPlatform = one.platform === 'posix' ? 'linux' : one.platform;
  const known = realPaths[one.id] ?? {};
  const foldsCase = platform !== 'linux' && one.setup?.fs !== 'case-sensitive APFS';
  const roots = one.roots.flatMap((root): ScopeRoot[] => {
    const parsed = parsePath(root, platform);
    return parsed.ok
      ? [{ announced: parsed.path, real: known[parsed.path] ?? parsed.path, foldsCase }]
      : [];
  });
  const scope = new PathScope(roots, platform);
  const parsed = scope.parse(one.input);
  if (!parsed.ok) {
    return 'error';
  }
  const real = known[parsed.path];
  const isInside = scope.find(parsed.path) && (real === undefined || scope.findReal(real));
  return isInside ? 'inside' : 'outside';
}

function verdictOnDisk(top: string, one: PathCase): Verdict {
  const { roots, input } = buildCase(top, one);
  const found = locate(new PinnedRoots(roots, thisPlatform).folders.scope, input);
  if (found.ok) {
    return 'inside';
  }
  return found.kind === 'outside' ? 'outside' : 'error';
}
