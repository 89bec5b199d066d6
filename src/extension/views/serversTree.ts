import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { ServerFilter } from '../../domain/servers/serverStatus.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Server } from '../servers/server.ts';
import * as vscode from '../vscode.ts';
import { clientItem } from './clientItem.ts';
import { folderItem, foldersItem, formerRootItem } from './folderItem.ts';
import { mistakeItem, problemItem } from './problemItem.ts';
import { rowDetails } from './rowDetails.ts';
import type { ToolsRow, ViewRow } from './rows.ts';
import { serverItem } from './serverItem.ts';
import { ServerRows, type ShownServers } from './serverRows.ts';
import { toolItem, toolProblemItem, toolsItem } from './toolItem.ts';

/**
 * Changes that come together are drawn together. The editor draws at once what comes 200 ms after the
 * change before, and nothing at all for as long as changes come faster than that.
 */
export const drawingPace = { quiet: 5, longest: 100, pause: 205 };

/** A row as the editor last got it. */
interface Drawn {
  /** Equal as long as it looks as it did. */
  readonly look: string;
  /** Missing until it was opened. */
  readonly below?: readonly ViewRow[];
  /** When a person pointed at it: since then it has a tooltip, which may tell of anything. */
  readonly detailedAt?: number;
}

/** The time a tooltip is left alone, in milliseconds: to draw its row closes it. */
const reading = 10_000;

/**
 * Renders the servers, their folders, clients and tools.
 *
 * While the editor draws a row anew it does not know those below it, and while it draws all it knows none:
 * a command that is clicked on one then gets no row. So only those are drawn that look other than before.
 */
export class ServersTree implements vscode.TreeDataProvider<ViewRow>, IDisposable {
  private readonly servers: ShownServers;
  private readonly clients: Pick<Clients, 'of'>;
  private readonly questions: Pick<OpenQuestions, 'of' | 'onDidChange'>;
  private readonly rows: ServerRows;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<ViewRow[] | undefined>());
  private readonly drawn = new WeakMap<ViewRow, Drawn>();
  /** The rows at the top; `undefined`: the editor has not asked for any yet. */
  private drawnTop: readonly ViewRow[] | undefined;
  private readonly drawSoon = this.store.add(new Debounce(() => this.drawNow(), drawingPace));
  private readonly drawLater = this.store.add(
    new Debounce(() => this.refresh(), { quiet: reading, longest: reading }),
  );
  /** Whose rows may look other than before; `undefined` among them: all may. */
  private readonly changed = new Set<Server | undefined>();

  readonly onDidChangeTreeData = this.didChange.event;

  /** @param questions fire with every change of a server or its clients, too. */
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

  /** Whether there is nothing to show, whatever the filter is: the welcome text then says why. */
  get isEmpty(): boolean {
    return this.rows.isEmpty;
  }

  /** Whether there is something to show, but for the filter. */
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

  /** Draws soon what looks other than before of a server; of all when none is given. */
  refresh(server?: Server): void {
    this.changed.add(server);
    this.drawSoon.request();
  }

  /**
   * To be called when the editor has changed how it shows a row. What it returns has the row drawn anew,
   * unless that was done meanwhile: the next change is drawn at once only after a pause.
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

  /** Forgets why a server's tools could not be listed: they are asked for again. */
  forgetTools(row: ToolsRow): void {
    this.rows.forgetTools(row);
    this.didChange.fire([row]);
  }

  /** The row of a server, of which the editor was told. `undefined`: the filter hides it. */
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

  /** Only rows at the top are revealed, for which the editor asks this. */
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

  /** Draws what looks other than before, if that is to be done soon. */
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

  /** The row and rows below it that look different from what the editor last got. */
  private changedIn(row: ViewRow): ViewRow[] {
    const drawn = this.drawn.get(row);
    if (!drawn) {
      return [];
    }
    const { look, below } = drawn;
    const isOther = below !== undefined && !isSameList(below, this.rows.below(row));
    if (isOther || look !== this.lookOf(row) || this.isToldOtherwise(drawn)) {
      // The editor asks anew for what is below it, if it is open.
      this.drawn.set(row, { look });
      return [row];
    }
    return (below ?? []).flatMap(child => this.changedIn(child));
  }

  /** Whether a tooltip may tell what is not so any more. */
  private isToldOtherwise({ detailedAt }: Drawn): boolean {
    if (detailedAt === undefined) {
      return false;
    }
    const isRead = Date.now() - detailedAt >= reading;
    if (!isRead) {
      this.drawLater.request();
    }
    return isRead;
  }

  /** Equal as long as its item is, with all that it shows. */
  private lookOf(row: ViewRow, item = this.itemOf(row)): string {
    // A command is handed the row, which leads in a circle.
    const look = JSON.stringify(item, (key, value) => (key === 'arguments' ? undefined : value));
    const tools = row.kind === 'tools' && row.server.record?.tools;
    // That row looks the same above another list.
    return tools ? `${look} ${this.rows.numberOf(tools)}` : look;
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

function isSameList(one: readonly ViewRow[], other: readonly ViewRow[]): boolean {
  return one.length === other.length && one.every((row, index) => row === other[index]);
}
