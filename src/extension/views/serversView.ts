import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { ServerFilter } from '../../domain/servers/serverStatus.ts';
import type { Shown } from '../../domain/shown.ts';
import { answerFolders } from '../consent/answerFolders.ts';
import type { Consent } from '../consent/consent.ts';
import type { OfferFolders } from '../consent/offerFolders.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { lookAt } from '../folders/diskState.ts';
import type { Clients } from '../gateway/clients.ts';
import { ContextKey, View } from '../ids.ts';
import { reportFailure } from '../reportFailure.ts';
import type { ViewRow } from '../rows.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { Overview, Summary } from './overview.ts';
import { ServersTree } from './serversTree.ts';
import { attentionText } from './statusBar.ts';

/**
 * The servers view: its tree, its badge with open questions, its checkboxes, and drops of folders.
 *
 * From a tick to a grant, the next files are `consent/answerFolders`, `consent/consent`,
 * `consent/secondYes`, `records/serverRecords` and `servers/accessSource`.
 */
export class ServersView implements IDisposable {
  private readonly servers: Servers;
  private readonly overview: Overview;
  private readonly consent: Consent;
  private readonly store = new DisposableStore();
  private readonly tree: ServersTree;
  private readonly view: vscode.TreeView<ViewRow>;
  private canStart: boolean | undefined;

  constructor(
    servers: Servers,
    clients: Clients,
    questions: OpenQuestions,
    consent: Consent,
    overview: Overview,
    offer: OfferFolders,
    logger: Logger,
  ) {
    this.servers = servers;
    this.overview = overview;
    this.consent = consent;
    this.tree = this.store.add(new ServersTree(servers, clients, questions));
    this.view = this.store.add(
      vscode.window.createTreeView(View.servers, {
        treeDataProvider: this.tree,
        canSelectMany: true,
        showCollapseAll: true,
        dragAndDropController: new FolderDrop(offer, logger),
        // A tick is only a request: the stored answer may differ. The tree then shows the answer.
        manageCheckboxStateManually: true,
      }),
    );
    this.store.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        void reportFailure(logger, () => this.answer(items));
      }),
    );
    this.store.add(this.view.onDidCollapseElement(({ element }) => this.tree.forgetTools(element)));
    this.store.add(overview.onDidChange(() => this.show()));
    this.store.add(this.tree.onDidChangeTreeData(() => this.show()));
    this.show();
  }

  /** Shows only the servers that the filter shows, and names the filter in the view's title. */
  private showOnly(filter: ServerFilter): void {
    this.tree.filter = filter;
    this.view.description = filter === 'all' ? undefined : t(filterTexts[filter]);
    this.show();
  }

  /** Lets the user filter the view. */
  async pickFilter(): Promise<void> {
    const items = (['all', 'attention', 'running'] as const).map(filter => ({
      label: t(filterTexts[filter]),
      ...(filter === this.tree.filter && { description: t('shown now') }),
      filter,
    }));
    const placeHolder = t('Show which servers?');
    const picked = await vscode.window.showQuickPick(items, { placeHolder });
    if (picked) {
      this.showOnly(picked.filter);
    }
  }

  /** Opens the view, and selects the row of the server with this id, if it exists. */
  async reveal(id: string): Promise<void> {
    const server = this.servers.withId(id);
    if (server && !this.tree.rowOf(server)) {
      this.showOnly('all');
    }
    const row = server && this.tree.rowOf(server);
    if (row) {
      await this.view.reveal(row, { select: true, focus: false, expand: true });
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private async answer(
    items: readonly (readonly [ViewRow, vscode.TreeItemCheckboxState])[],
  ): Promise<void> {
    // One after the other, because each answer may need a question.
    for (const [row, state] of items) {
      if (row.kind === 'mistake') {
        continue;
      }
      const drawAgain = this.tree.ticked(row);
      const isAllowed = state === vscode.TreeItemCheckboxState.Checked;
      if (row.kind === 'tool') {
        const names = [row.tool.name];
        const choice = isAllowed ? { on: names } : { off: names };
        await row.server.chooseTools(choice).finally(drawAgain);
        continue;
      }
      const answered =
        row.kind === 'folder'
          ? this.consent.set(row.server, row.access.folder, isAllowed)
          : answerFolders(this.consent, [row], isAllowed);
      // The editor has changed the tick already, but the stored answer may differ.
      await answered.finally(drawAgain);
      if (!isAllowed) {
        void vscode.commands.executeCommand('setContext', ContextKey.hasTakenBack, true);
      }
    }
  }

  private show(): void {
    const summary = this.overview.value;
    const tooltip = attentionText(summary);
    const value = summary.failed + summary.waiting;
    this.view.badge = tooltip === undefined ? undefined : { value, tooltip };
    this.tellMenus(!this.tree.isEmpty);
    // A message would hide the welcome text, which says why there are no rows.
    const message = this.tree.isEmpty ? undefined : this.message(summary);
    // The editor delays changes of the view soon after a message, even after an equal message.
    if (message !== (this.view.message || undefined)) {
      this.view.message = message;
    }
  }

  /** Hides commands to start a server from all menus while no start can work. */
  private tellMenus(canStart: boolean): void {
    if (canStart !== this.canStart) {
      this.canStart = canStart;
      void vscode.commands.executeCommand('setContext', ContextKey.canStart, canStart);
    }
  }

  private message({ isIdle, isUntold }: Summary): Shown | undefined {
    if (this.tree.hidesAll) {
      return this.tree.filter === 'running'
        ? t('No server is running.')
        : t('No server needs attention.');
    }
    if (isIdle) {
      return t(idleTexts.idle);
    }
    return isUntold ? t(idleTexts.untold) : undefined;
  }
}

const idleTexts = {
  idle: 'No server is running. You are asked before a server sees a folder.',
  untold: 'No folder was shared with a running server yet. Servers ask when they need folders.',
};

const filterTexts: Readonly<Record<ServerFilter, string>> = {
  all: 'all',
  attention: 'needs attention',
  running: 'running',
};

const uriList = 'text/uri-list';

/** Accepts folders that are dragged from the Explorer to a server, or to a row below it. */
export class FolderDrop implements vscode.TreeDragAndDropController<ViewRow> {
  readonly dropMimeTypes = [uriList];
  readonly dragMimeTypes = [];
  private readonly offer: OfferFolders;
  private readonly logger: Logger;

  constructor(offer: OfferFolders, logger: Logger) {
    this.offer = offer;
    this.logger = logger;
  }

  /** Offers all dropped folders. If anything dropped is not a folder, only says so. */
  async handleDrop(row: ViewRow | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const list = await dropped.get(uriList)?.asString();
    await reportFailure(this.logger, async () => {
      if (!row?.server) {
        throw new HumanError('Drop a folder on a server to offer it the folder.');
      }
      const paths = await Promise.all(readUriList(list ?? '').map(folderAt));
      if (paths.length > 0) {
        await this.offer(row.server, paths);
      }
    });
  }
}

/** The URIs in a `text/uri-list`: one in each line, without comments. (RFC 2483, section 5.) */
function readUriList(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}

/** @throws {HumanError} unless this URI leads to a folder on disk. */
async function folderAt(text: string): Promise<string> {
  const uri = vscode.Uri.parse(text);
  if (uri.scheme !== 'file') {
    throw new HumanError(
      "{0} is not on disk, so it can't be shared with a server.",
      uri.toString(),
    );
  }
  if ((await lookAt(uri.fsPath)).disk !== 'directory') {
    throw new HumanError('{0} is not a folder that can be read. Drop another folder.', uri.fsPath);
  }
  return uri.fsPath;
}
