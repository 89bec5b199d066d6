import { homedir } from 'node:os';
import { join } from 'node:path';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Activity, StopReason } from '../../domain/activity.ts';
import type { GrantScope } from '../../domain/consent/grants.ts';
import type { Exposure } from '../../domain/exposure.ts';
import { printable } from '../../domain/printable.ts';
import type { Root } from '../../domain/roots.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shown, shownLine } from '../../domain/shown.ts';
import { toJsonLines } from '../activity/activityFile.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { Command, View } from '../ids.ts';
import type { Commands } from '../registerCommand.ts';
import { reply } from '../screen.ts';
import {
  folderCount,
  fromHome,
  isShownOnly,
  localized,
  rootsText,
  spoken,
  t,
  timeText,
  triggerText,
} from '../text.ts';
import * as vscode from '../vscode.ts';
import { drawingPace } from './serversTree.ts';

/** The most rows: nobody reads more, and the export has the rest. */
const mostRows = 500;

/** The view of the activity log, the newest entry first, with its commands. */
export class ActivityTree implements vscode.TreeDataProvider<ActivityRow>, IDisposable {
  private readonly log: ActivityLog;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly drawSoon = this.store.add(
    new Debounce(() => this.didChange.fire(), drawingPace),
  );
  /** The editor knows a row by its id, too: each entry keeps its own. */
  private readonly ids = new WeakMap<Activity, string>();
  private lastId = 0;

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(commands: Commands, log: ActivityLog) {
    this.log = log;
    commands.register(Command.showActivity, async () => {
      await vscode.commands.executeCommand(`${View.activity}.focus`);
    });
    commands.register(Command.exportActivity, () => exportActivity(log));
    this.store.add(vscode.window.registerTreeDataProvider(View.activity, this));
    this.store.add(log.onDidChange(() => this.drawSoon.request()));
  }

  getChildren(row?: ActivityRow): ActivityRow[] {
    if (!row) {
      return this.log.all.slice(-mostRows).reverse();
    }
    return row.kind === 'exposure' ? row.roots.map(root => ({ kind: 'root', root })) : [];
  }

  getTreeItem(row: ActivityRow): vscode.TreeItem {
    const item = activityItem(row);
    if (row.kind !== 'root') {
      item.id = this.ids.get(row) ?? `${++this.lastId}`;
      this.ids.set(row, item.id);
    }
    return item;
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** A row of the activity view: something that happened, or one of the roots that an exposure told of. */
type ActivityRow = Activity | { readonly kind: 'root'; readonly root: Root };

/**
 * Shows a row: when, what happened, for which client, and to which server, in this order because a narrow
 * sidebar cuts off the end. The rest is in its tooltip.
 */
export function activityItem(row: ActivityRow): vscode.TreeItem {
  return row.kind === 'root' ? rootItem(row.root) : entryItem(row);
}

function entryItem(entry: Activity): vscode.TreeItem {
  const { at, serverLabel } = entry;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const what = shownLine(eventText(entry));
  const server = printable(serverLabel);
  const client = clientText(entry).map(printable);
  const details = [...detailText(entry).map(printable), ...client];
  const hasRoots = entry.kind === 'exposure' && entry.roots.length > 0;
  const label = shown(`${timeText(at)} · ${what}`);
  const item = new vscode.TreeItem(label, hasRoots ? Collapsed : None);
  const reason = entry.kind === 'failed' ? [printable(localized(entry.reason))] : [];
  const times =
    entry.count && entry.count > 1 ? [t('{0} times', entry.count.toLocaleString())] : [];
  item.description = shown([...client, server, ...reason, ...times].join(' · '));
  item.iconPath = new vscode.ThemeIcon(iconOf(entry));
  const lines = [new Date(at).toLocaleString(), `${server} · ${what}`, ...details];
  item.tooltip = shown(lines.join('\n'));
  item.accessibilityInformation = {
    label: t('{0}. {1}.', spoken(label), spoken(item.description)),
  };
  return item;
}

function rootItem({ name, uri }: Root): vscode.TreeItem {
  const item = new vscode.TreeItem(shownLine(name));
  item.description = shownLine(uri);
  item.iconPath = new vscode.ThemeIcon('root-folder');
  return item;
}

/** The event in words. */
function eventText(entry: Activity): string {
  switch (entry.kind) {
    case 'exposure':
      return isShownOnly(entry)
        ? t('shown {0}', shortRoots(entry))
        : t('told of {0}', shortRoots(entry));
    case 'session-began':
      return t('session began');
    case 'session-ended':
      return t('session ended');
    case 'answered':
      return answerText(entry);
    case 'started':
      return entry.mode === 'by-hand' ? t('started by hand') : t('started by itself');
    case 'stopped':
      return stoppedText(entry.why);
    case 'failed':
      return entry.isGivenUp ? t('failed, given up') : t('failed');
    case 'revoked':
      return t('all access revoked');
  }
}

function stoppedText(why: StopReason): string {
  switch (why) {
    case 'by-hand':
      return t('stopped by hand');
    case 'window':
      return t('stopped with the window');
    case 'removed':
      return t('stopped, removed');
    case 'changed':
      return t('stopped, changed');
    case 'no-folder':
      return t('stopped, no folder is left');
    case 'folders-changed':
      return t('stopped, its folders changed');
    case 'rule':
      return t('stopped by a rule');
    case 'no-page':
      return t('stopped, the window did not answer');
  }
}

/** The most names in a row. */
const mostNames = 3;

/** The roots in a few words: they are listed below the row. */
function shortRoots(exposure: Exposure): string {
  const { length } = exposure.roots;
  return length > mostNames ? folderCount(length) : rootsText(exposure);
}

type AnsweredActivity = Extract<Activity, { readonly kind: 'answered' }>;

function answerText({ decision, folders, client }: AnsweredActivity): string {
  const names = folders.length > mostNames ? folderCount(folders.length) : folders.join(', ');
  const subject = names || client || t('its start');
  switch (decision) {
    case 'allowed':
      return t('allowed: {0}', subject);
    case 'allowed-read-only':
      return t('allowed, read only: {0}', subject);
    case 'denied':
      return t('not allowed: {0}', subject);
    case 'withdrawn':
      return t('revoked: {0}', subject);
  }
}

function detailText(entry: Activity): string[] {
  switch (entry.kind) {
    case 'exposure':
      return [triggerText(entry)];
    case 'session-ended':
    case 'failed':
      return entry.reason ? [localized(entry.reason)] : [];
    case 'answered': {
      const { folders, scope } = entry;
      return [...(folders.length > mostNames ? [folders.join(', ')] : []), scopeText(scope)];
    }
    case 'started':
      return [entry.protocolVersion];
    default:
      return [];
  }
}

/** Nothing where the client is in the words on what happened. */
function clientText(entry: Activity): string[] {
  const isSaid = entry.kind === 'answered' && entry.folders.length === 0;
  return entry.client && !isSaid ? [entry.client] : [];
}

function scopeText(scope: GrantScope): string {
  switch (scope) {
    case 'session':
      return t('until the window closes');
    case 'workspace':
      return t('in this workspace');
    case 'always':
      return t('always');
  }
}

function iconOf(entry: Activity): string {
  switch (entry.kind) {
    case 'exposure':
      return entry.roots.length > 0 ? 'eye' : 'eye-closed';
    case 'session-began':
      return 'plug';
    case 'session-ended':
      return 'debug-disconnect';
    case 'answered':
      return entry.decision === 'denied' || entry.decision === 'withdrawn'
        ? 'circle-slash'
        : 'check';
    case 'started':
      return 'play';
    case 'stopped':
      return 'stop-circle';
    case 'failed':
      return 'error';
    case 'revoked':
      return 'circle-slash';
  }
}

/**
 * Writes the activity log to a file of the user's choice, as JSON Lines.
 *
 * @throws {HumanError} when there is nothing in it.
 */
async function exportActivity({ all }: Pick<ActivityLog, 'all'>): Promise<void> {
  if (all.length === 0) {
    throw new HumanError('There is nothing to export: nothing happened yet.');
  }
  const target = await vscode.window.showSaveDialog({
    title: t('Export Activity'),
    filters: { 'JSON Lines': ['jsonl'] },
    // In a workspace folder, servers could read it.
    defaultUri: vscode.Uri.file(join(homedir(), 'mcp-roots-activity.jsonl')),
  });
  if (target) {
    await vscode.workspace.fs.writeFile(target, Buffer.from(toJsonLines(all)));
    void reply(t('The activity was written to {0}.', fromHome(target.fsPath)));
  }
}
