import { deepEqual, throws } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { alongPath, posixCommand } from '../../../../../src/mcp/process/stdio/posixCommand.ts';
import { onlyOn } from '../../../../support/systems.ts';
import { tempFolder } from '../../../../support/temp.ts';

const skip = onlyOn('posix', 'windowsCommand has its own tests');

test('looks for a name in the folders of PATH, never in the working directory', {
  skip,
}, t => {
  const bin = tempFolder(t);
  writeFileSync(join(bin, 'tool'), '', { mode: 0o755 });
  writeFileSync(join(bin, 'text'), '', { mode: 0o644 });
  const found = (command: string, PATH: string) => posixCommand({ command, env: { PATH } });
  for (const PATH of [`.:${bin}`, `:${bin}`, `${bin}:`, `${bin}::/nowhere`, `bin:${bin}`]) {
    deepEqual(found('tool', PATH), join(bin, 'tool'));
    throws(() => found('text', PATH), { lack: { program: 'text' } });
  }
  for (const PATH of ['', '.', 'bin:./node_modules/.bin']) {
    throws(() => found('tool', PATH), { lack: { program: 'tool' } });
  }
  deepEqual(alongPath('tool', '.:/a::b:/c'), ['/a/tool', '/c/tool']);
});

test('leaves everything else to the system', { skip }, () => {
  deepEqual(posixCommand({ command: 'tool', env: { PATH: '/a:/b' } }), 'tool');
  deepEqual(posixCommand({ command: 'tool', env: {} }), 'tool');
  deepEqual(posixCommand({ command: './tool', env: { PATH: '.' } }), './tool');
});
