import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Activity } from '../../domain/activity.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import * as vscode from '../vscode.ts';
import { type ActivityRow, activityItem } from './activityItem.ts';
import { drawingPace } from './serversTree.ts';

/** How many rows are shown: nobody reads more, and the export has the rest. */
const mostRows = 500;

/** Renders the activity log, the newest entry first. */
export class ActivityTree implements vscode.TreeDataProvider<ActivityRow>, IDisposable {
  private readonly log: ActivityLog;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly drawSoon = this.store.add(
    new Debounce(() => this.didChange.fire(), drawingPace),
  );
  /** The editor knows a row by its object and its id: each entry keeps its own. */
  private readonly rows = new WeakMap<Activity, ActivityRow>();
  private readonly ids = new WeakMap<ActivityRow, string>();
  private lastId = 0;

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(log: ActivityLog) {
    this.log = log;
    this.store.add(log.onDidChange(() => this.drawSoon.request()));
  }

  getChildren(row?: ActivityRow): ActivityRow[] {
    if (!row) {
      return this.log.all
        .slice(-mostRows)
        .reverse()
        .map(entry => this.rowOf(entry));
    }
    return row.kind === 'entry' && row.entry.kind === undefined
      ? row.entry.roots.map(root => ({ kind: 'root', root }))
      : [];
  }

  getTreeItem(row: ActivityRow): vscode.TreeItem {
    const id = this.ids.get(row);
    return Object.assign(activityItem(row), id !== undefined && { id });
  }

  dispose(): void {
    this.store.dispose();
  }

  private rowOf(entry: Activity): ActivityRow {
    const known = this.rows.get(entry);
    if (known) {
      return known;
    }
    const row = { kind: 'entry', entry } as const;
    this.rows.set(entry, row);
    this.ids.set(row, `${++this.lastId}`);
    return row;
  }
}
