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

test('is recognized by its API', () => {
  const mcp = { registerServer: () => {}, unregisterServer: () => {} };
  assert.equal(cursorMcp({ cursor: { mcp } }), mcp);
  for (const editor of [{}, { cursor: {} }, { cursor: { mcp: {} } }]) {
    assert.equal(cursorMcp(editor), undefined);
  }
});

test('gets the start of the connector under names that Cursor accepts and does not have yet', async () => {
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

test('gets only changes, and an empty list at the end', async () => {
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
  const both = ['+roots-files', '+roots-git'];
  assert.deepEqual(calls, [...both, '-roots-files', '+roots-files', '-roots-files', '-roots-git']);
});

test('gets nothing without a connector, or when the window closes first', async () => {
  const missing = cursorWith(new PublishingWindow(publishable('files')), () =>
    Promise.reject(new Error('no space')),
  );
  const late = cursorWith(new PublishingWindow(publishable('files')));
  late.servers.dispose();
  await setImmediate();
  assert.deepEqual([missing.calls, late.calls, missing.errors.length], [[], [], 1]);
});
