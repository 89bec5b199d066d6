import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { ServerFilter } from '../../domain/servers/serverStatus.ts';
import type { Shown } from '../../domain/shown.ts';
import type { OfferFolders } from '../commands/folderCommands.ts';
import { answerFolders } from '../commands/folderCommands.ts';
import type { Consent } from '../consent/consent.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { showInSettings } from '../definitionFiles/showSettingsProblems.ts';
import { diskState } from '../folders/diskState.ts';
import type { Clients } from '../gateway/clients.ts';
import { Command, ContextKey, Setting, View } from '../ids.ts';
import { type Commands, reportFailure } from '../registerCommand.ts';
import type { Servers } from '../servers/servers.ts';
import { t } from '../text.ts';
import * as vscode from '../vscode.ts';
import type { Overview, Summary } from './overview.ts';
import type { MistakeRow, ViewRow } from './rows.ts';
import { ServersTree } from './serversTree.ts';
import { attentionText } from './statusBar.ts';

/**
 * The servers view: its tree, its badge with open questions, its checkboxes, and drops on it.
 *
 * From a tick to a grant, the next files are `commands/folderCommands`, `consent/consent`,
 * `consent/secondYes`, `servers/serverRecords` and `servers/accessSource`.
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
    commands: Commands,
    servers: Servers,
    clients: Clients,
    questions: OpenQuestions,
    consent: Consent,
    overview: Overview,
    offer: OfferFolders,
  ) {
    const { logger } = commands;
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
        // A tick is an answer, kept with the others; the tree then shows what became of it.
        manageCheckboxStateManually: true,
      }),
    );
    this.store.add(
      this.view.onDidChangeCheckboxState(({ items }) => {
        void reportFailure(logger, () => this.answer(items));
      }),
    );
    this.store.add(
      vscode.commands.registerCommand(Command.showMistake, (handed: unknown) =>
        reportFailure(logger, () => this.showMistake(handed)),
      ),
    );
    commands.register(Command.filterServers, () => this.pickFilter());
    this.store.add(this.view.onDidCollapseElement(({ element }) => this.forgetTools(element)));
    this.store.add(overview.onDidChange(() => this.show()));
    this.store.add(this.tree.onDidChangeTreeData(() => this.show()));
    this.show();
  }

  get filter(): ServerFilter {
    return this.tree.filter;
  }

  /** Shows these servers only, and says so in the title. */
  set filter(filter: ServerFilter) {
    this.tree.filter = filter;
    this.view.description = filter === 'all' ? undefined : filterText(filter);
    this.show();
  }

  private async pickFilter(): Promise<void> {
    const items = (['all', 'attention', 'running'] as const).map(filter => ({
      label: filterText(filter),
      ...(filter === this.filter && { description: t('shown now') }),
      filter,
    }));
    const placeHolder = t('Show which servers?');
    const picked = await vscode.window.showQuickPick(items, { placeHolder });
    if (picked) {
      this.filter = picked.filter;
    }
  }

  /** Opens the view, and selects the row of the server with that id; nothing where there is none. */
  async reveal(id: string): Promise<void> {
    const server = this.servers.withId(id);
    if (server && !this.tree.rowOf(server)) {
      this.filter = 'all';
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
    // One after the other: each may have a question of its own.
    for (const [row, state] of items) {
      if (row.kind === 'mistake') {
        continue;
      }
      const drawAgain = this.tree.ticked(row);
      const isAllowed = state === vscode.TreeItemCheckboxState.Checked;
      const answered =
        row.kind === 'folder'
          ? this.consent.set(row.server, row.access.folder, isAllowed)
          : answerFolders(this.consent, [row], isAllowed);
      // The editor has set the tick already, and the answer may be another.
      await answered.finally(drawAgain);
      if (!isAllowed) {
        void vscode.commands.executeCommand('setContext', ContextKey.hasTakenBack, true);
      }
    }
  }

  /** Shows the first mistake of a server in the settings, unless it was mended. Anybody can make up a row. */
  private async showMistake(handed: unknown): Promise<void> {
    const row = handed as MistakeRow | null | undefined;
    const leftOut = this.servers.leftOut.find(one => one === row?.leftOut);
    if (leftOut) {
      const { name, from, mistakes } = leftOut;
      await showInSettings({ from, path: [Setting.servers, name, ...(mistakes[0]?.path ?? [])] });
    }
  }

  private forgetTools(row: ViewRow): void {
    if (row.kind === 'tools') {
      this.tree.forgetTools(row);
    }
  }

  private show(): void {
    const summary = this.overview.value;
    const tooltip = attentionText(summary);
    const value = summary.failed + summary.waiting;
    this.view.badge = tooltip === undefined ? undefined : { value, tooltip };
    this.tellMenus(!this.tree.isEmpty);
    // A message would take the place of the welcome text, which says why there are no rows.
    const message = this.tree.isEmpty ? undefined : this.message(summary);
    // The editor draws nothing at once that comes right after another message, even an equal one.
    if (message !== (this.view.message || undefined)) {
      this.view.message = message;
    }
  }

  /** A start that can't work is offered nowhere. */
  private tellMenus(canStart: boolean): void {
    if (canStart !== this.canStart) {
      this.canStart = canStart;
      void vscode.commands.executeCommand('setContext', ContextKey.canStart, canStart);
    }
  }

  private message({ isIdle, isUntold }: Summary): Shown | undefined {
    if (this.tree.hidesAll) {
      return this.filter === 'running'
        ? t('No server is running.')
        : t('No server needs attention.');
    }
    if (isIdle) {
      return t('No server is running. You are asked before a server sees a folder.');
    }
    return isUntold
      ? t('No running server was told of a folder yet: they ask when they need them.')
      : undefined;
  }
}

export function filterText(filter: ServerFilter): Shown {
  switch (filter) {
    case 'all':
      return t('all');
    case 'attention':
      return t('needs attention');
    case 'running':
      return t('running');
  }
}

const uriList = 'text/uri-list';

/** Takes folders that are dragged onto a server, or onto any row below it, from the Explorer. */
export class FolderDrop implements vscode.TreeDragAndDropController<ViewRow> {
  readonly dropMimeTypes = [uriList];
  readonly dragMimeTypes = [];
  private readonly offer: OfferFolders;
  private readonly logger: Logger;

  constructor(offer: OfferFolders, logger: Logger) {
    this.offer = offer;
    this.logger = logger;
  }

  /** Offers all dropped folders; when anything dropped is no folder, it offers nothing and says so. */
  async handleDrop(row: ViewRow | undefined, dropped: vscode.DataTransfer): Promise<void> {
    const list = await dropped.get(uriList)?.asString();
    await reportFailure(this.logger, async () => {
      if (!row?.server) {
        throw new HumanError('Drop a folder on the server that is to be offered it.');
      }
      const paths = await Promise.all(readUriList(list ?? '').map(folderAt));
      if (paths.length > 0) {
        await this.offer(row.server, paths);
      }
    });
  }
}

/** The URIs of a `text/uri-list`, in their order: one a line, comments left out. (RFC 2483, section 5.) */
function readUriList(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}

/** @throws {HumanError} when there is no folder on disk at this URI. */
async function folderAt(text: string): Promise<string> {
  const uri = vscode.Uri.parse(text);
  if (uri.scheme !== 'file') {
    throw new HumanError('{0} is not on disk, so no server can be told of it.', uri.toString());
  }
  if ((await diskState(uri.fsPath)) !== 'directory') {
    throw new HumanError('{0} is not a folder, or cannot be read. Drop another one.', uri.fsPath);
  }
  return uri.fsPath;
}
