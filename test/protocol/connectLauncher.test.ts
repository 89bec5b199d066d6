import { deepEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Launcher } from '../../src/extension/hub/launcher.ts';
import { connectMain, fakeHome, openGateway, RawConnector } from '../support/fakeGateway.ts';
import { tempFolder } from '../support/temp.ts';

const initialize = {
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c' } },
};

describe('the connector, started from where it stays', () => {
  test('joins its client to a window', async t => {
    const home = fakeHome(t);
    const launcher = new Launcher(join(tempFolder(t), 'hub', 'connect.cjs'), connectMain);
    await launcher.prepare();
    const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'f' } };
    const { sessions } = await openGateway(t, home, session => {
      session.say({ mcpRoots: 'welcome' });
      session.listen(() => session.say({ jsonrpc: '2.0', id: 0, result }));
    });
    const connector = new RawConnector(t, { ...home, program: launcher.path });
    connector.send(initialize);
    deepEqual(await connector.next(), { jsonrpc: '2.0', id: 0, result });
    equal(sessions[0]?.hello['server'], 'files');
    connector.process.stdin.end();
    deepEqual(await connector.exited, [0, null]);
  });

  test('says how it is used', async t => {
    const launcher = new Launcher(join(tempFolder(t), 'connect.cjs'), connectMain);
    await launcher.prepare();
    const { stderr, status } = spawnSync(process.execPath, [launcher.path], { encoding: 'utf8' });
    equal(status, 2);
    match(stderr, /^Usage: node connect\.js --server NAME/);
  });
});
