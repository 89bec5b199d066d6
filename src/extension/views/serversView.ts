import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Consent } from '../consent/consent.ts';
import { View } from '../ids.ts';
import type { Servers } from '../servers/servers.ts';
import type { Row } from './rows.ts';
import { ServersTree } from './serversTree.ts';
import { countWaiting } from './summary.ts';

/** The servers view: its tree, the badge that counts open questions, and what checkboxes do. */
export class ServersView implements IDisposable {
  private readonly servers: Servers;
  private readonly store = new DisposableStore();
  private readonly tree: ServersTree;
  private readonly view: vscode.TreeView<Row>;

  constructor(servers: Servers, consent: Consent, logger: Logger) {
    this.servers = servers;
    this.tree = this.store.add(new ServersTree(servers));
    this.view = this.store.add(
      vscode.window.createTreeView(View.servers, {
        treeDataProvider: this.tree,
        // A tick is an answer, kept with the others; the tree then shows what became of it.
        manageCheckboxStateManually: true,
      }),
    );
    this.store.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        Promise.all(items.map(([row, state]) => answer(consent, row, state))).catch(error =>
          logger.error(error),
        );
      }),
    );
    this.store.add(servers.onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.store.dispose();
  }

  private update(): void {
    const waiting = countWaiting(this.servers);
    const tooltip = vscode.l10n.t('{0} waiting for your answer', waiting);
    this.view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
    const isIdle = !this.servers.all.some(({ isLive }) => isLive);
    // A message would take the place of the welcome text, which says why there are no rows.
    this.view.message =
      isIdle && this.tree.getChildren().length > 0
        ? vscode.l10n.t('No server is running. You are asked before a server sees a folder.')
        : undefined;
  }
}

async function answer(
  consent: Consent,
  row: Row,
  state: vscode.TreeItemCheckboxState,
): Promise<void> {
  if (row.kind === 'folder') {
    const isAllowed = state === vscode.TreeItemCheckboxState.Checked;
    await consent.set(row.server, row.access.folder, isAllowed);
  }
}
