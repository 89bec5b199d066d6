import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverChanges } from '../../src/server/hub/config/configChanges.ts';
import { readConfig } from '../../src/server/hub/config/readConfig.ts';

function said(servers: object) {
  const text = JSON.stringify({ mcpServers: servers });
  const read = readConfig(text, { file: 'servers.json', userHome: '/home/me' });
  assert.ok(read.ok);
  return read;
}

const git = { command: 'git-server' };

test('what became of each server is told in a sentence of its own', () => {
  const before = said({ kept: git, ruled: git, changed: git, wrong: git, removed: git });
  const now = said({
    kept: { command: 'git-server' },
    ruled: { ...git, deny: ['**/.env'] },
    changed: { command: 'git-server', args: ['-x'] },
    wrong: { comand: 'git-server' },
    'ad\nded': git,
  });
  assert.deepEqual(serverChanges(before, now), [
    '"ruled" has changed, and runs on.',
    '"changed" has changed: it ends, and starts as it is now.',
    '"ad\\u000aded" was added.',
    '"wrong" is left out.',
    '"removed" was taken out.',
  ]);
  assert.deepEqual(serverChanges(now, now), []);
});
