import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { exportedActivity } from '../support/exportedActivity.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { answerRow, becomes, seenWhen, startTold } from '../support/shownRows.ts';

describe('the activity of a server', () => {
  const person = personForEachTest();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('has what the user answered and what became of the server, in that order', async () => {
    const own = new OwnServer('active');
    await own.defineAs();
    const before = (await exportedActivity()).length;
    const server = await startTold(person(), own, 'api');
    const dead = seenWhen(
      server,
      ({ plan }) => plan.kind === 'waiting',
      () => undefined,
    );
    await assert.rejects(server.callTool({ name: 'die', arguments: {} }));
    await dead;
    await own.until(({ answers }) => answers.length >= 2);
    await answerRow(server, 'api', false);
    await becomes(server, ({ state }) => state.kind === 'stopped');
    await answerRow(server, 'api', true);
    person().will('Revoke');
    await run('revokeAll');
    const about = { serverId: 'setting:active', serverLabel: 'active' };
    const others = { scope: 'session', kind: 'answered' };
    const told = {
      ...about,
      kind: 'exposure',
      era: 'legacy',
      trigger: { kind: 'roots/list' },
      count: 1,
      roots: server.access.folders
        .filter(({ folder }) => folder.name === 'api')
        .map(({ folder: { uri, name } }) => ({ uri, name })),
    };
    const how = { template: 'ended with exit code {0}', values: ['7'] };
    const reason = { template: '{0}: {1}', values: [how, 'panic: index out of range'] };
    const started = { ...about, kind: 'started', protocolVersion: '2025-11-25' };
    const after = (await exportedActivity()).slice(before);
    assert.deepEqual(
      after
        .filter(({ serverId }) => serverId === about.serverId)
        .map(({ time: _, ...entry }) => entry),
      [
        { ...about, ...others, decision: 'allowed', folders: ['api'] },
        { ...about, ...others, decision: 'denied', folders: ['web'] },
        { ...started, mode: 'by-hand' },
        told,
        { ...about, kind: 'failed', reason },
        { ...started, mode: 'by-itself' },
        told,
        { ...about, kind: 'answered', decision: 'withdrawn', scope: 'workspace', folders: ['api'] },
        { ...about, kind: 'stopped', why: 'no-folder' },
        { ...about, kind: 'answered', decision: 'allowed', scope: 'workspace', folders: ['api'] },
        { ...about, kind: 'revoked' },
      ],
    );
  });
});
