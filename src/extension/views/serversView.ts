import * as vscode from 'vscode';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Requesters } from '../api/requesters.ts';
import type { OfferFolders } from '../commands/offerFolder.ts';
import type { Consent } from '../consent/consent.ts';
import type { Clients } from '../gateway/clients.ts';
import { View } from '../ids.ts';
import { reportFailure } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import { FolderDrop } from './folderDrop.ts';
import type { Overview, Summary } from './overview.ts';
import type { Row } from './rows.ts';
import { ServersTree } from './serversTree.ts';

/** The servers view: its tree, its badge with open questions, its checkboxes, and drops on it. */
export class ServersView implements IDisposable {
  private readonly consent: Consent;
  private readonly store = new DisposableStore();
  private readonly tree: ServersTree;
  private readonly view: vscode.TreeView<Row>;

  constructor(
    servers: Servers,
    requesters: Requesters,
    clients: Clients,
    consent: Consent,
    overview: Overview,
    offer: OfferFolders,
    logger: Logger,
  ) {
    this.consent = consent;
    this.tree = this.store.add(new ServersTree(servers, requesters, clients));
    this.view = this.store.add(
      vscode.window.createTreeView(View.servers, {
        treeDataProvider: this.tree,
        canSelectMany: true,
        showCollapseAll: true,
        dragAndDropController: new FolderDrop(offer, logger),
        // A tick is an answer, kept with the others; the tree then shows what became of it.
        manageCheckboxStateManually: true,
      }),
    );
    this.store.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        void reportFailure(logger, () => this.answer(items));
      }),
    );
    this.store.add(this.view.onDidCollapseElement(({ element }) => this.forgetTools(element)));
    this.store.add(overview.onDidChange(summary => this.show(summary)));
    this.store.add(this.tree.onDidChangeTreeData(() => this.show(overview.value)));
    this.show(overview.value);
  }

  dispose(): void {
    this.store.dispose();
  }

  private async answer(
    items: readonly (readonly [Row, vscode.TreeItemCheckboxState])[],
  ): Promise<void> {
    // One after the other: each may have a question of its own.
    for (const [row, state] of items) {
      if (row.kind === 'folder') {
        const isAllowed = state === vscode.TreeItemCheckboxState.Checked;
        // The editor has set the tick already, and the answer may be another.
        await this.consent
          .set(row.server, row.access.folder, isAllowed)
          .finally(() => this.tree.refresh(row.server));
      }
    }
  }

  private forgetTools(row: Row): void {
    if (row.kind === 'tools') {
      this.tree.forgetTools(row);
    }
  }

  private show({ waiting, isIdle }: Summary): void {
    const tooltip = vscode.l10n.t('{0} waiting for your answer', waiting);
    this.view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
    // A message would take the place of the welcome text, which says why there are no rows.
    this.view.message =
      isIdle && !this.tree.isEmpty
        ? vscode.l10n.t('No server is running. You are asked before a server sees a folder.')
        : undefined;
  }
}
