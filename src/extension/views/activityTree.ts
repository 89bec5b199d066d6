import { homedir } from 'node:os';
import { join } from 'node:path';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Activity, Called, StopReason } from '../../domain/activity.ts';
import type { GrantScope } from '../../domain/consent/grants.ts';
import type { Exposure } from '../../domain/exposure.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError } from '../../domain/sentence.ts';
import { shown, shownLine } from '../../domain/shown.ts';
import { toJsonLines } from '../activity/activityFile.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { View } from '../ids.ts';
import { reply } from '../screen.ts';
import {
  folderCount,
  fromHome,
  localized,
  rootsText,
  spoken,
  t,
  timeText,
  triggerText,
} from '../text.ts';
import * as vscode from '../vscode.ts';
import { drawingPace } from './serversTree.ts';

/** The most rows. Nobody reads more, and the exported file has all entries. */
const mostRows = 500;

/** What the view shows: everything, or the entries of one server or client. */
interface ActivityFilter extends vscode.QuickPickItem {
  /** Shows calls of tools in place of the other entries. */
  readonly isOfCalls?: true;
  readonly isShown: (entry: Activity) => boolean;
}

/** The view of the activity log: hours, and below each hour its entries, the newest first. */
export class ActivityTree implements vscode.TreeDataProvider<ActivityRow>, IDisposable {
  private readonly log: ActivityLog;
  private readonly calls: ActivityLog;
  private readonly view: vscode.TreeView<ActivityRow>;
  private filter: ActivityFilter = { label: t('all'), isShown: () => true };
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly drawSoon = this.store.add(
    new Debounce(() => this.didChange.fire(), drawingPace),
  );
  /** The ids of the entries' rows. They stay, because VS Code also recognizes rows by their ids. */
  private readonly ids = new WeakMap<Activity, string>();
  private lastId = 0;

  readonly onDidChangeTreeData = this.didChange.event;

  /** @param calls the log of the calls of tools. */
  constructor(log: ActivityLog, calls: ActivityLog) {
    this.log = log;
    this.calls = calls;
    this.view = this.store.add(
      vscode.window.createTreeView(View.activity, { treeDataProvider: this }),
    );
    for (const { onDidChange } of [log, calls]) {
      this.store.add(onDidChange(() => this.drawSoon.request()));
    }
  }

  getChildren(row?: ActivityRow): ActivityRow[] {
    if (!row) {
      const { isOfCalls, isShown } = this.filter;
      return hoursOf((isOfCalls ? this.calls : this.log).all.filter(isShown));
    }
    return row.kind === 'hour' ? [...row.entries] : [];
  }

  /** Lets the user filter the view. If a row is given, its server and client come first. */
  async pickFilter(handed?: unknown): Promise<void> {
    const row = [...this.log.all, ...this.calls.all].find(one => one === handed);
    const ofCalls: ActivityFilter = {
      label: t('calls of tools'),
      isShown: () => true,
      isOfCalls: true,
    };
    const filters = [row ?? [], this.log.all.toReversed()].flat().flatMap(filtersOf);
    const byName = new Map(filters.map(one => [`${one.description} ${one.label}`, one]));
    const items = [...byName.values(), ofCalls, { label: t('all'), isShown: () => true }];
    const placeHolder = t('Which server or client do you want to see?');
    const picked = await vscode.window.showQuickPick(items, { placeHolder });
    if (picked) {
      this.filter = picked;
      const isAll = !picked.description && !picked.isOfCalls;
      this.view.description = isAll ? undefined : picked.label;
      this.didChange.fire();
    }
  }

  getTreeItem(row: ActivityRow): vscode.TreeItem {
    const item = activityItem(row);
    if (row.kind !== 'hour') {
      item.id = this.ids.get(row) ?? `${++this.lastId}`;
      this.ids.set(row, item.id);
    }
    return item;
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** A row of the activity view: an hour, or what happened in it. */
type ActivityRow = Hour | Activity;

interface Hour {
  readonly kind: 'hour';
  readonly text: string;
  readonly entries: readonly Activity[];
}

/** The latest entries, newest first, below the hours in which they happened. */
export function hoursOf(entries: readonly Activity[]): Hour[] {
  const parts = { weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric' } as const;
  const format = new Intl.DateTimeFormat(undefined, parts);
  const hours = new Map<string, Activity[]>();
  for (const entry of entries.slice(-mostRows).reverse()) {
    const text = format.format(entry.at);
    hours.set(text, [...(hours.get(text) ?? []), entry]);
  }
  return [...hours].map(([text, entries]) => ({ kind: 'hour', text, entries }));
}

function filtersOf({ serverId, serverLabel, client }: Activity): ActivityFilter[] {
  const ofServer = ({ serverId: id }: Activity) => id === serverId;
  const ofClient = ({ client: name }: Activity) => name === client;
  const server = { label: shownLine(serverLabel), description: t('server'), isShown: ofServer };
  return client
    ? [server, { label: shownLine(client), description: t('client'), isShown: ofClient }]
    : [server];
}

/**
 * A row: the server, what happened, and for which client. The order matters, because a narrow
 * sidebar cuts off the end. The tooltip has the rest.
 */
export function activityItem(row: ActivityRow): vscode.TreeItem {
  if (row.kind !== 'hour') {
    return entryItem(row);
  }
  const item = new vscode.TreeItem(shown(row.text), vscode.TreeItemCollapsibleState.Expanded);
  return Object.assign(item, { id: row.text });
}

function entryItem(entry: Activity): vscode.TreeItem {
  const { at, serverLabel } = entry;
  const what = shownLine(eventText(entry));
  const server = printable(serverLabel);
  const client = clientText(entry).map(printable);
  const details = [...detailText(entry).map(printable), ...client];
  const item = new vscode.TreeItem(shown(server));
  item.contextValue = 'activity';
  const reason = entry.kind === 'failed' ? [printable(localized(entry.reason))] : [];
  const times =
    entry.count && entry.count > 1 ? [t('{0} times', entry.count.toLocaleString())] : [];
  item.description = shown([what, ...client, ...reason, ...times].join(' · '));
  item.iconPath = new vscode.ThemeIcon(iconOf(entry));
  const lines = [new Date(at).toLocaleString(), `${server} · ${what}`, ...details];
  item.tooltip = shown(lines.join('\n'));
  item.accessibilityInformation = {
    label: t('{0}: {1}, {2}.', server, spoken(item.description), timeText(at)),
  };
  return item;
}

/** The event in words. */
function eventText(entry: Activity): string {
  switch (entry.kind) {
    case 'exposure':
      return t('shared {0}', shortRoots(entry));
    case 'session-began':
      return t('{0} connected', entry.client || t('a client'));
    case 'session-ended':
      return t('{0} disconnected', entry.client || t('a client'));
    case 'answered':
      return answerText(entry);
    case 'started':
      return entry.mode === 'by-hand' ? t('started by hand') : t('started automatically');
    case 'stopped':
      return t(stopTexts[entry.why]);
    case 'failed':
      return entry.isGivenUp ? t('failed, not restarted any more') : t('failed');
    case 'revoked':
      return t('all access revoked');
    case 'called':
      return t(callTexts[entry.outcome], entry.tool);
  }
}

const callTexts: Readonly<Record<Called['outcome'], string>> = {
  answered: '{0} called',
  failed: '{0} failed',
  cancelled: '{0} cancelled',
};

const stopTexts: Readonly<Record<StopReason, string>> = {
  'by-hand': 'stopped by hand',
  window: 'stopped when the window closed',
  removed: 'stopped and removed',
  changed: 'stopped, because its definition changed',
  'no-folder': 'stopped, because it may see no folder',
  idle: 'stopped until its next use, because nobody used it',
  'folders-changed': 'stopped, because its folders changed',
  rule: 'stopped by a rule of the editor',
  'no-page': 'stopped, because the window did not answer',
};

/** The most names that a row lists. */
const mostNames = 3;

/** The roots in a few words. The tooltip has all of them. */
function shortRoots(exposure: Exposure): string {
  const { length } = exposure.roots;
  return length > mostNames ? folderCount(length) : rootsText(exposure);
}

type AnsweredActivity = Extract<Activity, { readonly kind: 'answered' }>;

function answerText({ decision, folders, client }: AnsweredActivity): string {
  const names = folders.length > mostNames ? folderCount(folders.length) : folders.join(', ');
  return t(answerTexts[decision], names || client || t('the start'));
}

const answerTexts: Readonly<Record<AnsweredActivity['decision'], string>> = {
  allowed: 'allowed: {0}',
  'allowed-read-only': 'allowed, read only: {0}',
  denied: 'not allowed: {0}',
  withdrawn: 'revoked: {0}',
};

function detailText(entry: Activity): string[] {
  switch (entry.kind) {
    case 'exposure':
      return [triggerText(entry), ...entry.roots.map(({ name, uri }) => `${name}: ${uri}`)];
    case 'session-ended':
    case 'failed':
      return entry.reason ? [localized(entry.reason)] : [];
    case 'answered': {
      const { folders, scope } = entry;
      return [...(folders.length > mostNames ? [folders.join(', ')] : []), t(scopeTexts[scope])];
    }
    case 'started':
      return [entry.protocolVersion];
    case 'called':
      return [t('took {0} ms', entry.took.toLocaleString())];
    default:
      return [];
  }
}

/** The client's name; empty if the words for the event already have the name. */
function clientText(entry: Activity): string[] {
  const isSaid =
    !['exposure', 'called'].includes(entry.kind) &&
    !(entry.kind === 'answered' && entry.folders.length);
  return entry.client && !isSaid ? [entry.client] : [];
}

const scopeTexts: Readonly<Record<GrantScope, string>> = {
  session: 'until the window closes',
  workspace: 'in this workspace',
  always: 'always',
};

function iconOf(entry: Activity): string {
  if (entry.kind === 'exposure' && entry.roots.length === 0) {
    return 'eye-closed';
  }
  const isYes = entry.kind === 'answered' && entry.decision.startsWith('allowed');
  return isYes ? 'check' : icons[entry.kind];
}

const icons: Readonly<Record<Activity['kind'], string>> = {
  exposure: 'eye',
  'session-began': 'plug',
  'session-ended': 'debug-disconnect',
  answered: 'circle-slash',
  started: 'play',
  stopped: 'stop-circle',
  failed: 'error',
  revoked: 'circle-slash',
  called: 'tools',
};

/**
 * Writes all entries to a file of the user's choice, as JSON Lines, the oldest first.
 *
 * @throws {HumanError} when there are no entries.
 */
export async function exportActivity(entries: readonly Activity[]): Promise<void> {
  const all = entries.toSorted((one, other) => one.at - other.at);
  if (all.length === 0) {
    throw new HumanError('Nothing happened yet, so there is nothing to export.');
  }
  const target = await vscode.window.showSaveDialog({
    title: t('Export Activity'),
    filters: { 'JSON Lines': ['jsonl'] },
    // Offers the home, because servers could read the file in a workspace folder.
    defaultUri: vscode.Uri.file(join(homedir(), 'mcp-roots-activity.jsonl')),
  });
  if (target) {
    await vscode.workspace.fs.writeFile(target, Buffer.from(toJsonLines(all)));
    void reply(t('The activity was written to {0}.', fromHome(target.fsPath)));
  }
}
