import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { accessTable, folderToChange } from '../../domain/access/accessFacts.ts';
import { type AccessFilter, filtered, wholeTable } from '../../domain/access/accessFilter.ts';
import {
  type AccessChange,
  type AccessRequest,
  readAccessRequest,
} from '../../domain/access/accessRequest.ts';
import type { AccessTable } from '../../domain/access/accessTable.ts';
import { accessText } from '../../domain/access/accessText.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import type { ToAccessPage } from '../../pages/access/accessMessages.ts';
import { reportFailure } from '../registerCommand.ts';
import type { Asked } from '../servers/asked.ts';
import { fromHome, localized, t, timeText } from '../text.ts';
import * as vscode from '../vscode.ts';
import { gatherAccess, type Seers, seerId } from './gatherAccess.ts';
import { Page } from './page.ts';

/** What of a window the page is about. */
export interface AccessWindow extends Seers {
  readonly consent: {
    set(seer: Asked, folder: Folder, isAllowed: boolean, isReadOnly?: boolean): Promise<void>;
  };
  readonly extensionUri: vscode.Uri;
  readonly logger: Logger;
}

/** What alone is to be shown. */
export interface AccessSubject {
  readonly server?: Asked;
  /** The URI of a folder. */
  readonly folder?: string;
}

/** Changes that come together are shown together. */
const burst = { quiet: 20, longest: 100 };

/** The tab that shows who sees which folder, and changes with it. */
export class AccessPage implements IDisposable {
  private readonly window: AccessWindow;
  private readonly store = new DisposableStore();
  private readonly page: Page<ToAccessPage, AccessRequest>;
  private readonly sendSoon = this.store.add(new Debounce(() => this.send(), burst));
  private isLoaded = false;
  private wanted: AccessFilter | undefined;
  /** One answer after the other: each may have a question of its own. */
  private answering = Promise.resolve();

  /** The tab was closed. */
  readonly onDidClose;

  constructor(window: AccessWindow) {
    const { grants, questions, extensionUri, logger } = window;
    this.window = window;
    this.page = new Page({
      viewType: 'mcpRoots.access',
      title: t('Access'),
      bundle: 'access',
      extensionUri,
      logger,
      read: readAccessRequest,
    });
    this.onDidClose = this.page.onDidClose;
    this.page.onDidClose(() => this.store.dispose());
    this.store.add(this.page.onDidLoad(() => this.begin()));
    this.store.add(this.page.onDidReceive(request => this.follow(request)));
    this.store.add(questions.onDidChange(() => this.sendSoon.request()));
    this.store.add(grants.onDidChange(() => this.sendSoon.request()));
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.sendSoon.request()));
  }

  /** Brings the tab to the front, with that alone in it; without a subject, with what was there. */
  show(subject?: AccessSubject): void {
    const isThere = this.isLoaded && this.page.isVisible;
    this.wanted = subject && this.filterOf(subject);
    this.page.reveal();
    if (isThere) {
      this.narrow();
    }
  }

  dispose(): void {
    this.page.dispose();
  }

  private begin(): void {
    this.isLoaded = true;
    this.send();
    this.narrow();
  }

  private narrow(): void {
    if (this.wanted) {
      this.page.post({ kind: 'filter', filter: this.wanted });
      this.wanted = undefined;
    }
  }

  private send(): void {
    if (this.isLoaded && this.page.isVisible) {
      const table = this.table();
      this.page.post({ kind: 'table', table, notice: this.notice(table) });
    }
  }

  private follow(request: AccessRequest): void {
    const { logger } = this.window;
    this.answering = this.answering.then(() => reportFailure(logger, () => this.run(request)));
  }

  private async run(request: AccessRequest): Promise<void> {
    switch (request.kind) {
      case 'set':
        return this.set(request);
      case 'copy':
        await vscode.env.clipboard.writeText(this.text(request.filter));
        this.page.post({ kind: 'copied' });
        return;
      case 'manage-trust':
        await vscode.commands.executeCommand('workbench.trust.manage');
        return;
      case 'open-folder':
        await vscode.commands.executeCommand('vscode.openFolder');
    }
  }

  /** Keeps an answer as a tick in the tree does, if what it is about is still there. */
  private async set(change: AccessChange): Promise<void> {
    const seer = this.seers.find(one => seerId(one) === change.seer);
    const canReadOnly = seer?.definition.sandbox !== undefined;
    const folder = seer && folderToChange({ access: seer.access, canReadOnly }, change);
    if (folder) {
      await this.window.consent.set(seer, folder, change.isAllowed, change.isReadOnly);
    }
  }

  private get seers(): readonly Asked[] {
    return [...this.window.servers.all, ...this.window.requesters.all];
  }

  private table(): AccessTable {
    return accessTable(gatherAccess(this.window), minutes(), fromHome);
  }

  private text(filter: AccessFilter): string {
    const shown = filtered(this.table(), filter);
    const workspace = vscode.workspace.name ?? t('this window');
    const time = new Date().toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'long' });
    return accessText(shown, { workspace, time }, localized);
  }

  private filterOf({ server, folder }: AccessSubject): AccessFilter {
    const { rows, folders } = this.table();
    return {
      server: rows.find(({ id }) => server && id === seerId(server))?.name ?? wholeTable.server,
      folder: folders.find(({ id }) => id === folder)?.name ?? wholeTable.folder,
    };
  }

  private notice({ folders }: AccessTable): Extract<ToAccessPage, { kind: 'table' }>['notice'] {
    if (!vscode.workspace.isTrusted) {
      return 'restricted';
    }
    if (folders.length === 0) {
      return 'no-folder';
    }
    return folders.every(({ id }) => !id.startsWith('file:')) ? 'virtual' : undefined;
  }
}

/** Writes times, each minute once: that takes longer than all else in a table of thousands. */
function minutes(): (at: number) => string {
  const known = new Map<number, string>();
  return at => {
    const minute = Math.floor(at / 60_000);
    const text = known.get(minute) ?? timeText(at);
    known.set(minute, text);
    return text;
  };
}
