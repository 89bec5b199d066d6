import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { peakMemoryOf } from '../support/cpuTime.ts';
import { called, came, gatewayScene, onSocket } from '../support/gatewayServers.ts';
import { allGone, until } from '../support/processes.ts';
import { faultyServer, rawServer } from '../support/recordingServer.ts';

describe('a gateway', () => {
  test('answers an invalid message, and goes on', async t => {
    const all = await gatewayScene(t, rawServer(t), 'raw');
    const one = await came(t, all, 'raw');
    const before = one.received.length;
    for (const line of [
      '{"jsonrpc":"2.0","id":',
      '[]',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
      '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"die"}}',
      '{"jsonrpc":"2.0","id":[1],"method":"tools/call","params":{"name":"die"}}',
      '{"jsonrpc":"2.0","method":"tools/call","params":[1]}',
    ]) {
      one.sendText(line);
    }
    await until('all are answered', () => one.received.length >= before + 6);
    const codes = one.received.slice(before).map(({ error }) => error?.code);
    deepEqual(codes, [-32700, -32600, -32600, -32600, -32600, -32600]);
    match(await called(one), /^\[/);
  });

  test('drops a line of 100 MB without keeping it in memory', async t => {
    const all = await gatewayScene(t, rawServer(t), 'raw');
    const [one, other] = [await came(t, all, 'raw'), await came(t, all, 'raw')];
    const bare = peakMemoryOf(one.connector.process.pid);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    one.connector.process.stdin.write(
      '{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"',
    );
    for (let written = 0; written < 100; written++) {
      if (!one.connector.process.stdin.write(chunk)) {
        await once(one.connector.process.stdin, 'drain');
      }
      if (written % 20 === 0) {
        match(await called(other), /^\[/);
      }
    }
    one.connector.process.stdin.write('"}}\n');
    const { error } = await one.next(({ id }) => id === null);
    ok(error);
    match(await called(one), /^\[/);
    const more = peakMemoryOf(one.connector.process.pid) - bare;
    t.diagnostic(`the connector took ${Math.round(more)} MB more`);
    ok(more < 60, `${more} MB`);
    equal(all.record.count('ping') > 0, true);
    equal(all.record.bytes().includes('xxxx'), false);
  });

  test('ends the session of a client that reads nothing, and no other', async t => {
    const all = await gatewayScene(t, faultyServer(t), 'raw');
    const mute = onSocket(t, all);
    await mute.initialize();
    const other = await came(t, all, 'raw');
    mute.socket.pause();
    mute.request('tools/call', { name: 'flood-large' });
    await until('its session is over', () => all.gateway.sessionsOf(all.server).length === 1);
    equal(await called(other, 'echo'), 'well');
    await allGone(all.record.pids().slice(0, 1));
  });
});
