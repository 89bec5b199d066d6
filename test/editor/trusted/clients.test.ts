import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import type { ClientSession } from '../../../src/extension/gateway/clientSession.ts';
import type { ClientRow } from '../../../src/extension/rows.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { isAlive } from '../../support/processes.ts';
import { textOf } from '../../support/sandbox/sandboxedServer.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { connectClient } from '../support/connectedClient.ts';
import { exportedActivity } from '../support/exportedActivity.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { clientRow, sessionsOf, textsOf } from '../support/shownClients.ts';
import { startWith } from '../support/shownRows.ts';

describe('a client of a server of this window', () => {
  const person = personForEachTest();
  const name = 'raw-client';
  let recorder: Recorder;
  let server: Server;
  let sessions: ReturnType<typeof sessionsOf>;
  let client: Client;

  beforeEach(async () => {
    recorder = await new Recorder('used').define();
    server = await startWith(person(), 'used', 'api');
    sessions = sessionsOf(server);
    client = await connectClient(name, 'used', uriOf('api').fsPath);
  });

  afterEach(async () => {
    sessions.leave();
    await client.close();
    await run('forgetClient', clientRow(server, latest()));
  });

  it('is allowed, disconnected and refused from its row', async () => {
    await reads(row(), 'client.unanswered.connected', 'connected');
    const answer = person().waitsWith(/^Allow "raw-client" to use "used"/);
    const first = called();
    await reads(row(), 'client.waiting.connected', 'asks');
    await run('allowClient', row());
    assert.match(await first, /"name":"api"/);
    answer("Don't Allow");
    await reads(row(true), 'client.allowed.connected', 'running');

    const process = recorder.pids.at(-1);
    const before = latest();
    await run('disconnectClient', row(true));
    await eventually(() => assert.ok(!isAlive(process ?? 0)));
    assert.equal(before.state, 'ended');
    assert.match(await called(), /"name":"api"/);
    assert.notEqual(latest(), before, 'It is connected again by its next call.');

    await run('denyClient', row(true));
    assert.match(await called(), /not allow "raw-client" to use "used"/);
    await reads(row(false), 'client.denied.connected', 'not allowed');
    await run('forgetClient', row(false));
    person().will('In This Workspace');
    assert.match(await called(), /"name":"api"/);

    person().will('Revoke');
    await run('revokeAll', { kind: 'server', server });
    await recorder.ended();
    assert.match(await called(), /needs your answer/);

    const answers = (await exportedActivity()).filter(entry => entry['kind'] === 'answered');
    assert.deepEqual(
      answers.flatMap(({ client, decision }) => (client === name ? [decision] : [])),
      ['allowed', 'withdrawn', 'allowed'],
    );
  });

  /** The answer to a call, whether it works or not. */
  function called(): Promise<string> {
    const call = client.callTool({ name: 'answers', arguments: {} });
    return call.then(textOf, ({ message }: Error) => message);
  }

  function latest(): ClientSession {
    const session = sessions.all.at(-1);
    assert.ok(session, 'No session has begun.');
    return session;
  }

  function row(isAllowed?: boolean): ClientRow {
    return clientRow(server, latest(), isAllowed);
  }
});

/** Settles when the row says this. */
function reads(row: ClientRow, context: string, text: string): Promise<void> {
  return eventually(() => assert.deepEqual(textsOf(row), [context, 'raw-client · in api', text]));
}

/** As from the menu of a row. */
async function run(command: string, row: object): Promise<void> {
  await vscode.commands.executeCommand(`mcpRoots.${command}`, row, [row]);
}
