import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Activity } from '../../../src/domain/activity.ts';
import type { Exposure } from '../../../src/domain/exposure.ts';
import { activityItem } from '../../../src/extension/views/activityItem.ts';
import { exportedActivity } from '../support/exportedActivity.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { answerRow, becomes, seenWhen, startWith } from '../support/shownRows.ts';

const about = { at: Date.UTC(2026, 0, 2), serverId: 'setting:files', serverLabel: 'files' };
const reason = { template: 'ended with exit code {0}: {1}', values: ['7', 'panic\u202e!'] };
const exposure: Exposure = {
  ...about,
  era: 'legacy',
  trigger: { kind: 'roots/list' },
  count: 2,
  roots: ['api', 'web'].map(name => ({ uri: `file:///proj/${name}`, name })),
};

describe('the rows of the activity', () => {
  /** Icon, label and description, the time in that as `TIME`. */
  function shown(entry: Activity) {
    const { iconPath, label, description } = activityItem({ kind: 'entry', entry });
    const [, ...details] = String(description).split(' · ');
    return [(iconPath as vscode.ThemeIcon).id, label, ['TIME', ...details].join(' · ')];
  }

  it('begin with the server, and say what happened, when, and which client it was for', () => {
    const client = 'Claude Code';
    const entries: Activity[] = [
      exposure,
      { ...exposure, client, count: 1, roots: [] },
      { ...exposure, era: undefined, trigger: { kind: 'launch', as: ['mount'] }, count: 1 },
      { ...about, kind: 'session-began', client },
      { ...about, kind: 'session-ended', client },
      { ...about, kind: 'session-ended', client, reason },
      {
        ...about,
        kind: 'answered',
        decision: 'allowed',
        scope: 'workspace',
        folders: ['api', 'web'],
      },
      { ...about, kind: 'answered', decision: 'allowed', scope: 'workspace', folders: [] },
      { ...about, kind: 'answered', decision: 'denied', folders: [], client, scope: 'session' },
      { ...about, kind: 'answered', decision: 'withdrawn', folders: ['api'], scope: 'always' },
      { ...about, kind: 'started', mode: 'by-hand', protocolVersion: '2025-11-25' },
      { ...about, kind: 'started', mode: 'by-itself', protocolVersion: '2026-07-28' },
      { ...about, kind: 'stopped' },
      { ...about, kind: 'failed', reason },
      { ...about, kind: 'revoked' },
      { ...about, kind: 'checked', result: { template: '{0} asks for it.', values: ['files'] } },
    ];
    assert.deepEqual(entries.map(shown), [
      ['eye', 'files · told of api, web', 'TIME'],
      ['eye-closed', 'files · told of no folder', 'TIME · Claude Code'],
      ['eye', 'files · shown api, web', 'TIME'],
      ['plug', 'files · session began', 'TIME · Claude Code'],
      ['debug-disconnect', 'files · session ended', 'TIME · Claude Code'],
      ['debug-disconnect', 'files · session ended', 'TIME · Claude Code'],
      ['check', 'files · allowed: api, web', 'TIME'],
      ['check', 'files · allowed: its start', 'TIME'],
      ['circle-slash', 'files · not allowed: Claude Code', 'TIME'],
      ['circle-slash', 'files · no longer allowed: api', 'TIME'],
      ['play', 'files · started by hand', 'TIME'],
      ['play', 'files · started by itself', 'TIME'],
      ['stop-circle', 'files · stopped', 'TIME'],
      ['error', 'files · ended with exit code 7: panic\\u202e!', 'TIME'],
      ['circle-slash', 'files · all access revoked', 'TIME'],
      ['beaker', 'files · roots support checked', 'TIME'],
    ]);
  });

  it('name three folders at most, and count more', () => {
    const names = ['api', 'web', 'docs', 'more'];
    const roots = names.map(name => ({ uri: `file:///proj/${name}`, name }));
    const answered = { ...about, kind: 'answered', decision: 'allowed', scope: 'always' } as const;
    const label = (entry: Activity) => shown(entry)[1];
    assert.equal(label({ ...exposure, roots }), 'files · told of 4 folders');
    assert.equal(label({ ...answered, folders: names }), 'files · allowed: 4 folders');
    const three = names.slice(0, 3);
    assert.equal(label({ ...answered, folders: three }), 'files · allowed: api, web, docs');
    const { tooltip } = activityItem({ kind: 'entry', entry: { ...answered, folders: names } });
    assert.deepEqual(String(tooltip).split('\n').slice(1), [
      'files · allowed: 4 folders',
      'api, web, docs, more',
      'always',
    ]);
  });

  it('say in their tooltip why, how long, and in which revision', () => {
    const details = (entry: Activity) =>
      String(activityItem({ kind: 'entry', entry }).tooltip)
        .split('\n')
        .slice(2);
    const ended: Activity = { ...about, kind: 'session-ended', client: 'Claude Code', reason };
    assert.deepEqual(details(ended), ['ended with exit code 7: panic\\u202e!', 'Claude Code']);
    const started: Activity = {
      ...about,
      kind: 'started',
      mode: 'by-hand',
      protocolVersion: '2026-07-28',
    };
    assert.deepEqual(details(started), ['2026-07-28']);
    const answered: Activity = {
      ...about,
      kind: 'answered',
      decision: 'denied',
      folders: ['api'],
      scope: 'session',
    };
    assert.deepEqual(details(answered), ['until the window closes']);
  });

  it('open to the roots that were told of, and say the full time to all who want it', () => {
    const item = activityItem({ kind: 'entry', entry: exposure });
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.equal(
      item.tooltip,
      `${new Date(about.at).toLocaleString()}\nfiles · told of api, web\nroots/list ×2`,
    );
    assert.equal(
      item.accessibilityInformation?.label,
      `files, told of api, web, ${item.description}`,
    );
    const [root] = exposure.roots;
    assert.ok(root);
    const { label, description } = activityItem({ kind: 'root', root });
    assert.deepEqual([label, description], ['api', 'file:///proj/api']);
  });
});

describe('the activity of a server', () => {
  const person = personForEachTest();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('has what the user answered and what became of the server, in that order', async () => {
    const own = new OwnServer('active');
    await own.defineAs();
    const before = (await exportedActivity()).length;
    const server = await startWith(person(), own.name, 'api');
    await own.until(({ answers }) => answers.length >= 1);
    const dead = seenWhen(
      server,
      ({ plan }) => plan.kind === 'waiting',
      () => undefined,
    );
    person().will('die');
    await run('callTool');
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
        { ...about, kind: 'stopped' },
        { ...about, kind: 'answered', decision: 'allowed', scope: 'workspace', folders: ['api'] },
        { ...about, kind: 'revoked' },
      ],
    );
  });
});
