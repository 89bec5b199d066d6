import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import { judgeOn } from '../../../../src/hub/guard/judge.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { guardRules, lexicalDisk } from '../../../support/guardRules.ts';
import { inPlace } from '../../../support/rootFolder.ts';

// What only Windows takes for a path, and what only there is none. No disk is looked at.

const harmful: readonly unknown[] = [
  { anything: 'C:secret\\key' },
  { args: ['C:secret\\key'] },
  { anything: '\\Program Files (x86)\\x' },
  { anything: "\\Users\\O'Brien\\x" },
  { args: ['\\Users\\Jürgen\\.ssh\\id'] },
  { command: 'type \\Users\\J-ü\\x' },
  { anything: '%HOMEDRIVE%%HOMEPATH%\\.ssh' },
  { anything: '$env:USERPROFILE\\.ssh' },
  { command: 'type $env:USERPROFILE\\.ssh\\id' },
];

const harmless: readonly unknown[] = [
  { command: 'findstr /s foo *.ts' },
  { command: 'dir /b src' },
  { args: ['/c', 'dir'] },
  { regex: '\\bfoo\\b', other: '\\d+\\w', price: '¥100' },
  { format: 'h:mm', map: 'a:b', time: '12:30' },
  { path: '.\\.\\src\\a.ts', command: 'cd' },
];

test('what leads outside on Windows is refused in every form', () => {
  deepEqual(
    harmful.filter(args => verdictOn(args) !== 'denied'),
    [],
  );
});

test('what is no path on Windows is not refused', () => {
  deepEqual(
    harmless.filter(args => verdictOn(args) !== 'allowed'),
    [],
  );
});

function verdictOn(args: unknown): string {
  const folder = 'D:\\proj\\root';
  const root = { uri: 'file:///D:/proj/root', announced: folder, real: folder, foldsCase: true };
  const scope = new PathScope<RootFolder>([{ ...root, ...inPlace }], 'win32');
  const locate = (_: unknown, path: string) => {
    const found = scope.find(path);
    return found
      ? ({
          ok: true,
          value: { root: found, real: path, exists: false, there: found.real },
        } as const)
      : ({ ok: false, kind: 'outside', message: '' } as const);
  };
  const isFirstThere = (path: string) => /^D:\\(?:Users|Program Files[^\\]*)\\/.test(path);
  const disk = { ...lexicalDisk, locate, isFirstThere };
  const judging = { rules: guardRules(), scope, bases: [folder], disk };
  return judgeOn(judging, { server: 'server', tool: 'tool', args }).kind;
}
