import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isProgramThere } from '../../../../src/mcp/stdio/processStart.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

describe('the program of a start', {
  skip: onlyOn('posix', 'windowsCommand has its own tests'),
}, () => {
  it('is looked for along the PATH that the server gets, or where its path leads', async t => {
    const folder = tempFolder(t);
    mkdirSync(join(folder, 'bin', 'folder'), { recursive: true });
    for (const [name, mode] of [
      ['program', 0o700],
      ['text', 0o600],
    ] as const) {
      writeFileSync(join(folder, 'bin', name), '');
      chmodSync(join(folder, 'bin', name), mode);
    }
    const there = (command: string, PATH?: string) =>
      isProgramThere({ command, args: [], cwd: folder, env: PATH === undefined ? {} : { PATH } });
    const bin = `/nowhere:${join(folder, 'bin')}`;
    assert.deepEqual(
      await Promise.all([
        there('program', bin),
        there('program', 'bin'),
        there('program', '/nowhere'),
        there('sh'),
        there('text', bin),
        there('folder', bin),
        there('./bin/program'),
        there(join(folder, 'bin', 'program'), ''),
        there('bin/none', bin),
      ]),
      [true, false, false, true, false, false, true, true, false],
    );
  });
});
