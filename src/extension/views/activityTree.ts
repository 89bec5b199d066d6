import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Exposure } from '../../domain/exposure.ts';
import { printable } from '../../domain/printable.ts';
import type { Root } from '../../domain/roots.ts';
import type { ActivityLog } from '../activity/activityLog.ts';
import { rootsText, timeText, triggerText } from '../text.ts';

/** A row of the activity view: an exposure, or one of the roots it told of. */
export type ActivityRow =
  | { readonly kind: 'exposure'; readonly exposure: Exposure }
  | { readonly kind: 'root'; readonly root: Root };

/** How many rows are shown: nobody reads more, and the export has the rest. */
const mostRows = 500;

/** Renders the activity log, the newest exposure first. */
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
      return newest.map(exposure => ({ kind: 'exposure', exposure }));
    }
    return row.kind === 'exposure' ? row.exposure.roots.map(root => ({ kind: 'root', root })) : [];
  }

  getTreeItem(row: ActivityRow): vscode.TreeItem {
    return row.kind === 'exposure' ? exposureItem(row.exposure) : rootItem(row.root);
  }

  dispose(): void {
    this.store.dispose();
  }
}

function exposureItem(exposure: Exposure): vscode.TreeItem {
  const { at, serverLabel, roots } = exposure;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const label = `${timeText(at)} ${rootsText(exposure)}`;
  const item = new vscode.TreeItem(label, roots.length > 0 ? Collapsed : None);
  item.description = `${printable(serverLabel)} · ${triggerText(exposure)}`;
  item.iconPath = new vscode.ThemeIcon(roots.length > 0 ? 'eye' : 'eye-closed');
  item.contextValue = 'exposure';
  item.tooltip = `${new Date(at).toLocaleString()}\n${item.description}`;
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}

function rootItem({ name, uri }: Root): vscode.TreeItem {
  const item = new vscode.TreeItem(printable(name));
  item.description = uri;
  item.iconPath = new vscode.ThemeIcon('root-folder');
  item.contextValue = 'root';
  return item;
}
