import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { Traffic } from '../../../../src/mcp/process/wire.ts';
import { MissedPaths } from '../../../../src/mcp/sandbox/missedPaths.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../support/temp.ts';

const skip = onlyOn('linux', 'there is no sandbox elsewhere');

test('offers a path that a server missed in its home in the home of the user', {
  skip,
}, async t => {
  const user = realpathSync(tempFolder(t));
  writeTree(user, { '.gitconfig': '' });
  const { HOME } = process.env;
  t.after(() => {
    process.env['HOME'] = HOME;
  });
  process.env['HOME'] = user;
  const stderr = new Emitter<string>();
  let missed: MissedPaths | undefined;
  await new Promise<void>(resolve => {
    missed = new MissedPaths(resolve);
    const home = '/storage/server-x/home';
    const alsoSees = [{ path: home, isWritable: true }];
    missed.begin({ tool: '', cwd: '/', home, roots: [], alsoSees, hasNetwork: false });
    missed.follow({ onDidPass: new Emitter<Traffic>().event, onDidWriteStderr: stderr.event });
    stderr.fire(`cat: ${home}/.gitconfig: No such file or directory`);
  });
  assert.equal(missed?.last?.path, join(user, '.gitconfig'));
});
