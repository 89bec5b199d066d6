import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type * as vscode from 'vscode';
import type { Activity } from '../../../../src/domain/activity.ts';
import { activityItem } from '../../../../src/extension/views/activityTree.ts';
import { TreeItemCollapsibleState } from '../../../../src/extension/vscode.ts';

const about = { at: Date.UTC(2026, 0, 2), serverId: 'setting:files', serverLabel: 'files' };
const reason = { template: 'ended with exit code {0}: {1}', values: ['7', 'panic\u202e!'] };
const exposure = {
  ...about,
  kind: 'exposure',
  era: 'legacy',
  trigger: { kind: 'roots/list' },
  count: 2,
  roots: ['api', 'web'].map(name => ({ uri: `file:///proj/${name}`, name })),
} satisfies Activity;

describe('the rows of the activity', () => {
  /** Icon, label and description, the time in the label as `TIME`. */
  function shown(entry: Activity) {
    const { iconPath, label, description } = activityItem(entry);
    const [, ...names] = String(label).split(' · ');
    return [(iconPath as vscode.ThemeIcon).id, ['TIME', ...names].join(' · '), description];
  }

  it('begin with when it was and what happened, before the client and the server', () => {
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
      {
        ...about,
        kind: 'answered',
        decision: 'allowed-read-only',
        folders: ['docs'],
        scope: 'workspace',
      },
      { ...about, kind: 'answered', decision: 'withdrawn', folders: ['api'], scope: 'always' },
      { ...about, kind: 'started', mode: 'by-hand', protocolVersion: '2025-11-25' },
      { ...about, kind: 'started', mode: 'by-itself', protocolVersion: '2026-07-28' },
      { ...about, kind: 'stopped', why: 'by-hand' },
      { ...about, kind: 'failed', reason },
      { ...about, kind: 'failed', reason, isGivenUp: true, count: 5220 },
      { ...about, kind: 'revoked' },
    ];
    assert.deepEqual(entries.map(shown), [
      ['eye', 'TIME · told of api, web', 'files · 2 times'],
      ['eye-closed', 'TIME · told of no folder', 'Claude Code · files'],
      ['eye', 'TIME · shown api, web', 'files'],
      ['plug', 'TIME · session began', 'Claude Code · files'],
      ['debug-disconnect', 'TIME · session ended', 'Claude Code · files'],
      ['debug-disconnect', 'TIME · session ended', 'Claude Code · files'],
      ['check', 'TIME · allowed: api, web', 'files'],
      ['check', 'TIME · allowed: its start', 'files'],
      ['circle-slash', 'TIME · not allowed: Claude Code', 'files'],
      ['check', 'TIME · allowed, read only: docs', 'files'],
      ['circle-slash', 'TIME · revoked: api', 'files'],
      ['play', 'TIME · started by hand', 'files'],
      ['play', 'TIME · started by itself', 'files'],
      ['stop-circle', 'TIME · stopped by hand', 'files'],
      ['error', 'TIME · failed', 'files · ended with exit code 7: panic\\u202e!'],
      [
        'error',
        'TIME · failed, given up',
        'files · ended with exit code 7: panic\\u202e! · 5,220 times',
      ],
      ['circle-slash', 'TIME · all access revoked', 'files'],
    ]);
  });

  it('name three folders at most, and count more', () => {
    const names = ['api', 'web', 'docs', 'more'];
    const roots = names.map(name => ({ uri: `file:///proj/${name}`, name }));
    const answered = { ...about, kind: 'answered', decision: 'allowed', scope: 'always' } as const;
    const what = (entry: Activity) => shown(entry)[1];
    assert.equal(what({ ...exposure, roots }), 'TIME · told of 4 folders');
    assert.equal(what({ ...answered, folders: names }), 'TIME · allowed: 4 folders');
    const three = names.slice(0, 3);
    assert.equal(what({ ...answered, folders: three }), 'TIME · allowed: api, web, docs');
    const { tooltip } = activityItem({ ...answered, folders: names });
    assert.deepEqual(String(tooltip).split('\n').slice(1), [
      'files · allowed: 4 folders',
      'api, web, docs, more',
      'always',
    ]);
  });

  it('say in their tooltip why, how long, and in which revision', () => {
    const details = (entry: Activity) => String(activityItem(entry).tooltip).split('\n').slice(2);
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
    const item = activityItem(exposure);
    assert.equal(item.collapsibleState, TreeItemCollapsibleState.Collapsed);
    assert.equal(
      item.tooltip,
      `${new Date(about.at).toLocaleString()}\nfiles · told of api, web\nroots/list ×2`,
    );
    const heard = `${String(item.label).replace(' · ', ', ')}. files, 2 times.`;
    assert.equal(item.accessibilityInformation?.label, heard);
    const [root] = exposure.roots;
    assert.ok(root);
    const { label, description } = activityItem({ kind: 'root', root });
    assert.deepEqual([label, description], ['api', 'file:///proj/api']);
  });
});
