import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { exportedActivity } from '../support/exportedActivity.ts';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { replacing } from '../support/replacing.ts';
import { answerRow, becomes, seenWhen, startTold } from '../support/shownRows.ts';

describe('the activity of a server', () => {
  const person = personForEachTest();
  const replace = replacing();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('is exported to the file that the user picks, by default outside the folders of servers', async () => {
    const target = vscode.Uri.file(pathBeside('exported.jsonl'));
    const proposed: (vscode.Uri | undefined)[] = [];
    const own = await new Recorder('exported').define();
    await startTold(person(), own, 'api');
    replace(vscode.window, {
      showSaveDialog: async ({ defaultUri }: vscode.SaveDialogOptions) => {
        proposed.push(defaultUri);
        return target;
      },
    });
    await run('exportActivity');
    const home = vscode.Uri.file(join(homedir(), 'mcp-roots-activity.jsonl'));
    assert.deepEqual(proposed.map(String), [home.toString()]);
    await person().sees(/^The activity was written to .*exported\.jsonl\.$/);
    rmSync(target.fsPath);
  });

  it('lists the answers of the user and the states of the server in order', async () => {
    const own = await new Recorder('active').define();
    const before = (await exportedActivity()).length;
    const server = await startTold(person(), own, 'api');
    const dead = seenWhen(
      server,
      ({ plan }) => plan.kind === 'waiting',
      () => undefined,
    );
    await assert.rejects(server.requests.callTool({ name: 'die', arguments: {} }));
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
        .map(({ time: _, took: __, ...entry }) => entry),
      [
        { ...about, ...others, decision: 'allowed', folders: ['api'] },
        { ...about, ...others, decision: 'denied', folders: ['web'] },
        { ...started, mode: 'by-hand' },
        told,
        { ...about, kind: 'called', tool: 'die', outcome: 'failed' },
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
