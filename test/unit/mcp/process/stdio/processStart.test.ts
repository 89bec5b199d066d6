import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isProgramThere } from '../../../../../src/mcp/process/stdio/processStart.ts';
import { foundAsExpected } from '../../../../support/cases.ts';
import { onlyOn } from '../../../../support/systems.ts';
import { tempFolder } from '../../../../support/temp.ts';

test('looks for a program along the PATH of the server, or at its path', {
  skip: onlyOn('posix', 'windowsCommand has its own tests'),
}, async t => {
  const folder = tempFolder(t);
  mkdirSync(join(folder, 'bin', 'folder'), { recursive: true });
  writeFileSync(join(folder, 'bin', 'program'), '', { mode: 0o700 });
  writeFileSync(join(folder, 'bin', 'text'), '', { mode: 0o600 });
  const there = (command: string, PATH?: string) =>
    isProgramThere({ command, args: [], cwd: folder, env: PATH === undefined ? {} : { PATH } });
  const bin = `/nowhere:${join(folder, 'bin')}`;
  foundAsExpected({
    'along the PATH': [await there('program', bin), true],
    'in a relative folder': [await there('program', 'bin'), false],
    'not there': [await there('program', '/nowhere'), false],
    'without a PATH': [await there('sh'), true],
    'no program': [await there('text', bin), false],
    'a folder': [await there('folder', bin), false],
    'a path': [await there('./bin/program'), true],
    'an absolute path': [await there(join(folder, 'bin', 'program'), ''), true],
    'a path to nothing': [await there('bin/none', bin), false],
  });
});
