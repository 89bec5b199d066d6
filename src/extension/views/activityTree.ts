import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import type { ActivityRow } from './activityItem.ts';

/** How many rows are shown: nobody reads more, and the export has the rest. */
const mostRows = 500;

/** Renders the activity log, the newest entry first. */
export class ActivityTree implements vscode.TreeDataProvider<ActivityRow>, IDisposable {
  private readonly log: ActivityLog;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());

  readonly onDidChangeTreeData = this.didChange.event;

  constructor(log: ActivityLog) {
    this.log = log;
    this.store.add(log.onDidChange(() => this.didChange.fire()));
  }

  getChildren(row?: ActivityRow): ActivityRow[] {
    if (!row) {
      const newest = this.log.all.slice(-mostRows).reverse();
      return newest.map(entry => ({ kind: 'entry', entry }));
    }
    return row.kind === 'entry' && row.entry.kind === undefined
      ? row.entry.roots.map(root => ({ kind: 'root', root }))
      : [];
  }

  async getTreeItem(row: ActivityRow): Promise<vscode.TreeItem> {
    const { activityItem } = await import('../commands/onDemand.ts');
    return activityItem(row);
  }

  dispose(): void {
    this.store.dispose();
  }
}
