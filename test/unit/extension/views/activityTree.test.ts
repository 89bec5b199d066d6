import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Activity } from '../../../../src/domain/activity.ts';
import type { ActivityLog } from '../../../../src/extension/activity/activityLog.ts';
import {
  ActivityTree,
  activityItem,
  hoursOf,
} from '../../../../src/extension/views/activityTree.ts';
import * as vscode from '../../../../src/extension/vscode.ts';

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
  /** Icon, label and description. */
  function shown(entry: Activity) {
    const { iconPath, label, description } = activityItem(entry);
    return [(iconPath as vscode.ThemeIcon).id, label, description];
  }

  it('begin with server and event, before the client', () => {
    const client = 'Claude Code';
    const answered = { ...about, kind: 'answered', scope: 'workspace' } as const;
    const rows: readonly (readonly [Activity, icon: string, description: string])[] = [
      [exposure, 'eye', 'shared api, web · 2 times'],
      [
        { ...exposure, client, count: 1, roots: [] },
        'eye-closed',
        'shared no folder · Claude Code',
      ],
      [{ ...about, kind: 'session-began', client }, 'plug', 'Claude Code connected'],
      [
        { ...about, kind: 'session-ended', client, reason },
        'debug-disconnect',
        'Claude Code disconnected',
      ],
      [{ ...answered, decision: 'allowed', folders: ['api', 'web'] }, 'check', 'allowed: api, web'],
      [{ ...answered, decision: 'allowed', folders: [] }, 'check', 'allowed: the start'],
      [
        { ...answered, decision: 'denied', folders: [], client },
        'circle-slash',
        'not allowed: Claude Code',
      ],
      [
        { ...answered, decision: 'allowed-read-only', folders: ['docs'] },
        'check',
        'allowed, read only: docs',
      ],
      [{ ...answered, decision: 'withdrawn', folders: ['api'] }, 'circle-slash', 'revoked: api'],
      [
        { ...about, kind: 'called', client, tool: 'read', took: 41, outcome: 'answered', count: 3 },
        'tools',
        'read called · Claude Code · 3 times',
      ],
      [
        { ...about, kind: 'started', mode: 'by-itself', protocolVersion: '2026-07-28' },
        'play',
        'started automatically',
      ],
      [{ ...about, kind: 'stopped', why: 'by-hand' }, 'stop-circle', 'stopped by hand'],
      [
        { ...about, kind: 'failed', reason },
        'error',
        'failed · ended with exit code 7: panic\\u202e!',
      ],
      [
        { ...about, kind: 'failed', reason, isGivenUp: true, count: 5220 },
        'error',
        'failed, not restarted any more · ended with exit code 7: panic\\u202e! · 5,220 times',
      ],
      [{ ...about, kind: 'revoked' }, 'circle-slash', 'all access revoked'],
    ];
    assert.deepEqual(
      rows.map(([entry]) => shown(entry)),
      rows.map(([, icon, description]) => [icon, 'files', description]),
    );
  });

  it('name at most three folders, and count the others', () => {
    const names = ['api', 'web', 'docs', 'more'];
    const roots = names.map(name => ({ uri: `file:///proj/${name}`, name }));
    const answered = { ...about, kind: 'answered', decision: 'allowed', scope: 'always' } as const;
    const what = (entry: Activity) => shown(entry)[2];
    assert.equal(what({ ...exposure, roots, count: 1 }), 'shared 4 folders');
    assert.equal(what({ ...answered, folders: names }), 'allowed: 4 folders');
    const three = names.slice(0, 3);
    assert.equal(what({ ...answered, folders: three }), 'allowed: api, web, docs');
  });

  it('give reason, duration and revision in their tooltip', () => {
    const client = 'Claude Code';
    const answered = { ...about, kind: 'answered', decision: 'denied', scope: 'session' } as const;
    const entries: Activity[] = [
      { ...about, kind: 'session-ended', client, reason },
      { ...about, kind: 'started', mode: 'by-hand', protocolVersion: '2026-07-28' },
      { ...answered, folders: ['api'] },
      { ...answered, folders: ['api', 'web', 'docs', 'more'] },
    ];
    assert.deepEqual(
      entries.map(entry => String(activityItem(entry).tooltip).split('\n').slice(2)),
      [
        ['ended with exit code 7: panic\\u202e!'],
        ['2026-07-28'],
        ['until the window closes'],
        ['api, web, docs, more', 'until the window closes'],
      ],
    );
  });

  it('give full time and roots in their tooltip', () => {
    const item = activityItem(exposure);
    const time = new Date(about.at).toLocaleString();
    const roots = 'api: file:///proj/api\nweb: file:///proj/web';
    assert.equal(item.tooltip, `${time}\nfiles · shared api, web\nroots/list ×2\n${roots}`);
    const heard = item.accessibilityInformation?.label ?? '';
    assert.match(heard, /^files: shared api, web, 2 times, .*\d:\d\d/);
  });

  it('are grouped by hour, the newest first', () => {
    const minutes = [0, 1, 61, 62].map(minute => ({ ...exposure, at: about.at + minute * 60_000 }));
    const [first, second, third, fourth] = minutes;
    assert.deepEqual(
      hoursOf(minutes).map(({ entries }) => entries),
      [
        [fourth, third],
        [second, first],
      ],
    );
  });

  it('can be filtered to the server or client of a row', async t => {
    const entries = [
      exposure,
      { ...exposure, serverId: 'setting:web', serverLabel: 'web', client: 'codex' },
    ];
    const called = { ...about, kind: 'called', tool: 'read', took: 1, outcome: 'failed' } as const;
    const logOf = (all: readonly Activity[]) =>
      ({ all, onDidChange: () => ({ dispose() {} }) }) as unknown as ActivityLog;
    const tree = new ActivityTree(logOf(entries), logOf([called]));
    const shownAfter = async (row: unknown, wanted: string) => {
      t.mock.method(
        vscode.window,
        'showQuickPick',
        async (items: readonly vscode.QuickPickItem[]) => items.find(one => one.label === wanted),
      );
      await tree.pickFilter(row);
      return tree.getChildren().flatMap(hour => tree.getChildren(hour));
    };
    assert.deepEqual(
      [
        await shownAfter(entries[0], 'files'),
        await shownAfter(entries[1], 'codex'),
        await shownAfter(undefined, 'calls of tools'),
        await shownAfter(undefined, 'all'),
      ],
      [[entries[0]], [entries[1]], [called], entries.toReversed()],
    );
    tree.dispose();
  });
});
