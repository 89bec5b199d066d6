import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitPlaces } from '../../../../src/mcp/sandbox/gitPlaces.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

test('the hooks that the settings of the system name are what Git runs, too', async t => {
  const folder = tempFolder(t);
  writeTree(folder, {
    'root/.git/HEAD': 'ref: refs/heads/main',
    gitconfig: '[core]\n\thooksPath = tools/hooks\n',
  });
  const { GIT_CONFIG_SYSTEM: before } = process.env;
  process.env['GIT_CONFIG_SYSTEM'] = join(folder, 'gitconfig');
  t.after(() => {
    delete process.env['GIT_CONFIG_SYSTEM'];
    Object.assign(process.env, before !== undefined && { GIT_CONFIG_SYSTEM: before });
  });
  deepEqual(await gitPlaces(join(folder, 'root')), [join(folder, 'root/tools/hooks')]);
});
