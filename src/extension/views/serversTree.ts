import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { ServerFilter } from '../../domain/servers/serverStatus.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { Clients } from '../gateway/clients.ts';
import type { ViewRow } from '../rows.ts';
import type { Server } from '../servers/server.ts';
import { isSameList } from '../servers/servers.ts';
import * as vscode from '../vscode.ts';
import { clientItem } from './clientItem.ts';
import { folderItem, foldersItem, formerRootItem } from './folderItem.ts';
import { mistakeItem, problemItem } from './problemItem.ts';
import { rowDetails } from './rowDetails.ts';
import { serverItem } from './serverItem.ts';
import { ServerRows, type ShownServers } from './serverRows.ts';
import { toolItem, toolProblemItem, toolsItem } from './toolItem.ts';

/**
 * The pace in ms at which a view sends its changes to the editor together. While changes come less
 * than 200 ms apart, the editor draws nothing. So `pause` is a little more than 200 ms.
 */
export const drawingPace = { quiet: 5, longest: 100, pause: 205 };

/** What the editor last got for a row. */
interface Drawn {
  /** A text that stays the same as long as the row looks the same. Empty: redraw the row. */
  readonly look: string;
  /** The rows below this row; `undefined` until a person opens the row. */
  readonly below?: readonly ViewRow[];
  /** When the row got its tooltip (ms since 1970), because a person pointed at the row. */
  readonly detailedAt?: number;
}

/** How many milliseconds a tooltip stays. A redraw of its row would close the tooltip. */
const reading = 10_000;

/**
 * Renders the servers, their folders, clients and tools.
 *
 * While the editor draws a row, it does not know the rows below. While it draws all, it knows no
 * row. A command that is clicked then gets no row. So only rows that look different are redrawn.
 */
export class ServersTree implements vscode.TreeDataProvider<ViewRow>, IDisposable {
  private readonly servers: ShownServers;
  private readonly clients: Pick<Clients, 'of'>;
  private readonly questions: Pick<OpenQuestions, 'of' | 'onDidChange'>;
  private readonly rows: ServerRows;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<ViewRow[] | undefined>());
  private readonly drawn = new WeakMap<ViewRow, Drawn>();
  /** The rows at the top; `undefined` until the editor has asked for them. */
  private drawnTop: readonly ViewRow[] | undefined;
  private readonly drawSoon = this.store.add(new Debounce(() => this.drawNow(), drawingPace));
  private readonly drawLater = this.store.add(
    new Debounce(() => this.refresh(), { quiet: reading, longest: reading }),
  );
  /** The servers whose rows may look different. `undefined` stands for all servers. */
  private readonly changed = new Set<Server | undefined>();

  readonly onDidChangeTreeData = this.didChange.event;

  /** @param questions also fire with every change of a server or a client. */
  constructor(
    servers: ShownServers,
    clients: Pick<Clients, 'of'>,
    questions: Pick<OpenQuestions, 'of' | 'onDidChange'>,
  ) {
    this.servers = servers;
    this.clients = clients;
    this.questions = questions;
    this.rows = new ServerRows(servers, clients, questions);
    this.store.add(questions.onDidChange(which => this.refresh(which)));
  }

  /** Whether no filter would show a row. The welcome text then says why. */
  get isEmpty(): boolean {
    return this.rows.isEmpty;
  }

  /** Whether rows exist, but the filter hides all of them. */
  get hidesAll(): boolean {
    return !this.isEmpty && this.rows.top().length === 0;
  }

  get filter(): ServerFilter {
    return this.rows.filter;
  }

  set filter(filter: ServerFilter) {
    this.rows.filter = filter;
    this.drawNow();
  }

  /** Soon redraws a server's changed rows, or those of all servers if `server` is left out. */
  refresh(server?: Server): void {
    this.changed.add(server);
    this.drawSoon.request();
  }

  /**
   * Call this when the editor itself has ticked a row. The returned function redraws the row,
   * unless that happened meanwhile, because the editor delays a change soon after another change.
   */
  ticked(row: ViewRow): () => void {
    const before = this.drawn.get(row)?.look;
    return () => {
      if (this.drawn.get(row)?.look === before) {
        this.drawn.set(row, { ...this.drawn.get(row), look: '' });
        this.refresh(row.server);
      }
    };
  }

  /** Forgets why the tools in this row could not be listed, so that they are listed again. */
  forgetTools(row: ViewRow): void {
    if (row.kind === 'tools') {
      this.rows.forgetTools(row);
      this.didChange.fire([row]);
    }
  }

  /** Redraws now, and returns the row of a server; `undefined`: the filter hides the row. */
  rowOf(server: Server): ViewRow | undefined {
    this.drawNow();
    return this.rows.top().find(row => row.server === server);
  }

  getChildren(row?: ViewRow): ViewRow[] | Promise<ViewRow[]> {
    if (row?.kind === 'tools') {
      return this.rows.toolsBelow(row);
    }
    if (!row) {
      const top = this.rows.top();
      this.drawnTop = top;
      return [...top];
    }
    const below = this.rows.below(row);
    this.drawn.set(row, { look: '', ...this.drawn.get(row), below });
    return [...below];
  }

  /** `undefined`: the editor asks only about a revealed row, and only top rows are revealed. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(row: ViewRow): vscode.TreeItem {
    const { below } = this.drawn.get(row) ?? {};
    const item = this.itemOf(row);
    this.drawn.set(row, { look: this.lookOf(row, item), ...(below && { below }) });
    return Object.assign(item, { id: this.rows.idOf(row) });
  }

  async resolveTreeItem(item: vscode.TreeItem, row: ViewRow): Promise<vscode.TreeItem> {
    const tooltip = rowDetails(row, this.clients, this.questions, this.servers.all);
    if (tooltip !== undefined) {
      item.tooltip = tooltip;
      this.drawn.set(row, { look: '', ...this.drawn.get(row), detailedAt: Date.now() });
    }
    return item;
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Redraws now what {@link refresh} would redraw soon. */
  drawNow(): void {
    const changed = new Set(this.changed);
    this.changed.clear();
    const top = this.rows.top();
    if (this.drawnTop && !isSameList(this.drawnTop, top)) {
      this.drawnTop = top;
      this.didChange.fire(undefined);
      return;
    }
    const owners = top.filter(({ server }) => changed.has(undefined) || changed.has(server));
    const rows = owners.flatMap(row => this.changedIn(row));
    if (rows.length > 0) {
      this.didChange.fire(rows);
    }
  }

  /** This row and rows below it that look different from what the editor last got. */
  private changedIn(row: ViewRow): ViewRow[] {
    const drawn = this.drawn.get(row);
    if (!drawn) {
      return [];
    }
    const { look, below } = drawn;
    const isOther = below !== undefined && !isSameList(below, this.rows.below(row));
    if (isOther || look !== this.lookOf(row) || this.isTooltipOutdated(drawn)) {
      // If the row is open, the editor asks for the rows below it again.
      this.drawn.set(row, { look });
      return [row];
    }
    return (below ?? []).flatMap(child => this.changedIn(child));
  }

  /** Whether a tooltip may be outdated, and was shown long enough to be read. */
  private isTooltipOutdated({ detailedAt }: Drawn): boolean {
    if (detailedAt === undefined) {
      return false;
    }
    const isRead = Date.now() - detailedAt >= reading;
    if (!isRead) {
      this.drawLater.request();
    }
    return isRead;
  }

  /** A text that stays the same as long as the row's item and its tools stay the same. */
  private lookOf(row: ViewRow, item = this.itemOf(row)): string {
    // The arguments of a command contain the row, which would be a circle.
    const look = JSON.stringify(item, (key, value) => (key === 'arguments' ? undefined : value));
    const tools = row.kind === 'tools' && row.server.record?.tools;
    // The item of "Tools" does not show the tools, so their list, ticks and calls are added.
    const calls = tools ? tools.map(({ name }) => row.server.callsOf(name)?.count) : [];
    return tools
      ? JSON.stringify([look, this.rows.numberOf(tools), [...row.server.hiddenTools], calls])
      : look;
  }

  private itemOf(row: ViewRow): vscode.TreeItem {
    switch (row.kind) {
      case 'server':
        return serverItem(row.server, this.rows.wordOf(row), this.clients.of(row.server));
      case 'folder':
        return folderItem(row);
      case 'folders':
        return foldersItem(row);
      case 'former-root':
        return formerRootItem(row);
      case 'client':
        return clientItem(row.client);
      case 'mistake':
        return mistakeItem(row);
      case 'problem':
        return problemItem(row);
      case 'tools':
        return toolsItem(row);
      case 'tool':
        return toolItem(row);
      case 'tool-problem':
        return toolProblemItem(row);
    }
  }
}
