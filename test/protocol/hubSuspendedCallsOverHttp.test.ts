import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ToolResult } from '../support/bundledServer.ts';
import { startHubOverHttp } from '../support/hubOverHttp.ts';
import { accepted, type RoundResult, roundRequest, told } from '../support/hubRounds.ts';
import { askingServer, configOf } from '../support/hubServers.ts';
import { until } from '../support/processes.ts';
import { RawHttpClient } from '../support/rawHttp.ts';
import { tempFolder } from '../support/temp.ts';

const headers = {
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'call-tool',
};

describe('a call that is held for a modern client', { concurrency: 2 }, () => {
  test('is gone on with over HTTP by the server that it was begun by', async t => {
    const asking = askingServer(t);
    const definition = { ...asking.definition, autoStart: true };
    const config = configOf({ asking: { ...asking, definition } });
    const url = await startHubOverHttp(t, config, '--root', tempFolder(t));
    const client = new RawHttpClient(url, headers);
    const args = { rounds: [['name']] };
    const first = await client.post(roundRequest(1, args, {}));
    const { result } = (await first.next()) as { readonly result: RoundResult };
    const { requestState } = result;
    const more = { requestState, answers: { 'server.1': accepted } };
    const second = await (await client.post(roundRequest(2, args, more))).next();
    deepEqual(told(second?.result as ToolResult), [[accepted]]);
    equal(asking.recorded.pids().length, 1);
    // The next one is another's, as far as anybody can tell.
    await (await client.post(roundRequest(3, args, {}))).next();
    equal(asking.recorded.pids().length, 2);
  });

  test('ends over HTTP when the client leaves in the middle of a round', async t => {
    const child = askingServer(t);
    const url = await startHubOverHttp(t, configOf({ asking: child }), '--root', tempFolder(t));
    const client = new RawHttpClient(url, headers);
    const args = { rounds: [['name'], ['for ever']] };
    const first = await client.post(roundRequest(1, args, { progressToken: 'one' }));
    const { result } = (await first.next()) as { readonly result: RoundResult };
    const { requestState } = result;
    const answers = { 'server.1': accepted };
    const more = { requestState, answers, progressToken: 'two' };
    const second = await client.post(roundRequest(2, args, more));
    equal((await second.next())?.params?.['progressToken'], 'two');
    second.leave();
    await until('the child is told', () => child.recorded.count('notifications/cancelled') === 1);
  });
});
