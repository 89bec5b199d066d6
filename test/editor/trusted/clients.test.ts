import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';
import type { ClientSession } from '../../../src/extension/gateway/clientSession.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { ClientRow } from '../../../src/extension/views/rows.ts';
import { connectMain } from '../../support/fakeGateway.ts';
import { RawClient } from '../../support/relayPeers.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { exportedActivity } from '../support/exportedActivity.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, Recorder } from '../support/recorder.ts';
import { clientRow, sessionsOf, textsOf } from '../support/shownClients.ts';
import { startWith } from '../support/shownRows.ts';

describe('a client of a server of this window', () => {
  const person = personForEachTest();
  const name = 'raw-client';
  let recorder: Recorder;
  let server: Server;
  let sessions: ReturnType<typeof sessionsOf>;
  let connector: ChildProcess;
  let client: RawClient;

  beforeEach(async () => {
    recorder = new Recorder('used');
    await recorder.define();
    server = await startWith(person(), 'used', 'api');
    sessions = sessionsOf(server);
    ({ client, connector } = connected());
    await client.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name, version: '1.2' },
    });
    client.notify('notifications/initialized');
  });

  afterEach(async () => {
    sessions.leave();
    connector.kill();
    await run('forgetClient', clientRow(server, latest()));
  });

  it('has a row, where it is allowed what it waits for, disconnected, and refused', async () => {
    await reads(row(), 'client.unanswered.connected', 'running');
    const answer = person().waitsWith(/^Allow "raw-client" to use "used"/);
    const first = client.call('answers');
    await reads(row(), 'client.waiting.connected', 'asks');
    await run('allowClient', row());
    assert.match(textIn(await first), /"name":"api"/);
    answer("Don't Allow");
    await reads(row(true), 'client.allowed.connected', 'running');

    const [, process] = recorder.pids;
    const before = latest();
    await run('disconnectClient', row(true));
    await eventually(() => assert.ok(!isAlive(process ?? 0)));
    assert.equal(before.state, 'ended');
    assert.match(textIn(await client.call('answers')), /"name":"api"/);
    assert.notEqual(latest(), before, 'It is connected again by its next call.');

    await run('denyClient', row(true));
    assert.equal(
      textIn(await client.call('answers')),
      'The user does not allow "raw-client" to use "used".',
    );
    await reads(row(false), 'client.denied.connected', 'not allowed');
    await run('forgetClient', row(false));
    person().will('In This Workspace');
    assert.match(textIn(await client.call('answers')), /"name":"api"/);

    person().will('Revoke');
    await run('revokeAll', { kind: 'server', server });
    await recorder.ended();
    assert.match(textIn(await client.call('answers')), /waits for an answer/);

    const answers = (await exportedActivity()).filter(entry => entry['kind'] === 'answered');
    assert.deepEqual(
      answers.flatMap(({ client, decision }) => (client === name ? [decision] : [])),
      ['allowed', 'withdrawn', 'allowed'],
    );
  });

  function latest(): ClientSession {
    const session = sessions.all.at(-1);
    assert.ok(session, 'No session has begun.');
    return session;
  }

  function row(isAllowed?: boolean): ClientRow {
    return clientRow(server, latest(), isAllowed);
  }
});

/** A client that was started in a folder of this window. */
function connected() {
  const connector = spawn(node, [connectMain, '--server', 'used'], {
    cwd: uriOf('api').fsPath,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const client = new RawClient(line => connector.stdin.write(`${line}\n`));
  createInterface({ input: connector.stdout }).on('line', line => client.take(line));
  return { client, connector };
}

/** Settles when the row says this. */
function reads(row: ClientRow, context: string, text: string): Promise<void> {
  return eventually(() => assert.deepEqual(textsOf(row), [context, 'raw-client · in api', text]));
}

/** As from the menu of a row. */
async function run(command: string, row: object): Promise<void> {
  await vscode.commands.executeCommand(`mcpRoots.${command}`, row, [row]);
}

/** What a call was answered, whether it worked or not. */
function textIn({ result, error }: Awaited<ReturnType<RawClient['call']>>): string {
  return error?.message ?? result.content[0].text;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
