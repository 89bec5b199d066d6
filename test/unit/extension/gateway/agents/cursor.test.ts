import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { CursorServers, cursorMcp } from '../../../../../src/extension/gateway/agents/cursor.ts';
import { PublishingWindow, publishable } from '../../../../support/publishing.ts';

/** Cursor, as far as it is known from its documentation. */
function cursorWith(window: PublishingWindow, file = async () => '/stable/connect.js') {
  const calls: string[] = [];
  const starts = new Map<string, unknown>();
  const mcp = cursorMcp({
    cursor: {
      mcp: {
        registerServer: ({ name, server }: { name: string; server: unknown }) => {
          calls.push(`+${name}`);
          starts.set(name, server);
        },
        unregisterServer: (name: string) => calls.push(`-${name}`),
      },
    },
  });
  assert.ok(mcp);
  const errors: unknown[] = [];
  const logger = { ...console, error: (error: unknown) => errors.push(error) };
  const servers = new CursorServers(mcp, window.published, { file, windowId: 'w1' }, logger);
  return { calls, starts, errors, servers };
}

test('is known by its API', () => {
  const mcp = { registerServer: () => {}, unregisterServer: () => {} };
  assert.equal(cursorMcp({ cursor: { mcp } }), mcp);
  for (const editor of [{}, { cursor: {} }, { cursor: { mcp: {} } }]) {
    assert.equal(cursorMcp(editor), undefined);
  }
});

test('is told how the connector is started, by names that it does not ignore, nor has from elsewhere', async () => {
  const { starts } = cursorWith(
    new PublishingWindow(publishable('files'), publishable('filesystem')),
  );
  await setImmediate();
  const start = (name: string) => ({
    command: process.execPath,
    args: ['/stable/connect.js', '--server', name],
    env: { ELECTRON_RUN_AS_NODE: '1', MCP_ROOTS_WINDOW: 'w1' },
  });
  assert.deepEqual(Object.fromEntries(starts), {
    'roots-files': start('files'),
    'roots-filesystem': start('filesystem'),
  });
});

test('is told of what changes only, and at the end that nothing is left', async () => {
  const [files, git] = [publishable('files'), publishable('git')];
  const window = new PublishingWindow(files);
  const { calls, servers } = cursorWith(window);
  await setImmediate();
  window.now(files, git);
  await setImmediate();
  window.now({ ...files, identity: 'b2' }, git);
  await setImmediate();
  window.now(git);
  await setImmediate();
  servers.dispose();
  assert.deepEqual(calls, [
    '+roots-files',
    '+roots-git',
    '-roots-files',
    '+roots-files',
    '-roots-files',
    '-roots-git',
  ]);
});

test('is told of nothing when there is no connector, or when the window ends before', async () => {
  const missing = cursorWith(new PublishingWindow(publishable('files')), () =>
    Promise.reject(new Error('no space')),
  );
  const late = cursorWith(new PublishingWindow(publishable('files')));
  late.servers.dispose();
  await setImmediate();
  assert.deepEqual([missing.calls, late.calls, missing.errors.length], [[], [], 1]);
});
