import { foldAlike } from '../../domain/consent/statusWords.ts';
import { distinctNames } from '../../domain/roots.ts';
import {
  isShownBy,
  type ServerFilter,
  type ServerWord,
} from '../../domain/servers/serverStatus.ts';
import type { OpenQuestions } from '../consent/openQuestions.ts';
import { folderStatusOf } from '../folderText.ts';
import type { Clients } from '../gateway/clients.ts';
import type {
  ClientRow,
  FolderRow,
  FoldersRow,
  MistakeRow,
  Row,
  ServerRow,
  ToolsRow,
  ViewRow,
} from '../rows.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import * as vscode from '../vscode.ts';
import { problemOfServer } from './problemItem.ts';
import { wordOf } from './serverItem.ts';
import { ToolRows } from './toolItem.ts';

/** The servers of a window that have rows. */
export type ShownServers = Pick<Servers, 'all' | 'leftOut'>;

/** The rows of the view, in order. While a row exists, it is always the same object. */
export class ServerRows {
  filter: ServerFilter = 'all';
  private readonly servers: ShownServers;
  private readonly clients: Pick<Clients, 'of'>;
  private readonly questions: Pick<OpenQuestions, 'of'>;
  private readonly tools = new ToolRows();
  /** The rows last shown below an owner, by id. The owner of the top rows is this object. */
  private readonly known = new WeakMap<object, ReadonlyMap<string, ViewRow>>();
  /** The numbers that {@link numberOf} has returned. */
  private readonly numbers = new WeakMap<object, number>();
  private lastNumber = 0;

  constructor(
    servers: ShownServers,
    clients: Pick<Clients, 'of'>,
    questions: Pick<OpenQuestions, 'of'>,
  ) {
    this.servers = servers;
    this.clients = clients;
    this.questions = questions;
  }

  get isEmpty(): boolean {
    const { all, leftOut } = this.servers;
    // If the user has a server, the view is not empty: some servers need no folder.
    const isOwn = leftOut.length > 0 || all.some(({ definition }) => definition.from);
    return !(vscode.workspace.isTrusted && (isOwn || this.hasOpenFolders || this.hasOtherFolders));
  }

  /** The servers that the filter shows. A row never moves, because a person may be clicking it. */
  top(): readonly (ServerRow | MistakeRow)[] {
    const { all, leftOut } = this.servers;
    const keep = this.keeping(this);
    const rows = [
      ...all.map(server => keep<ServerRow>({ kind: 'server', server })),
      ...leftOut.map(one => keep<MistakeRow>({ kind: 'mistake', leftOut: one })),
    ];
    return this.isEmpty ? [] : rows.filter(row => isShownBy(this.filter, this.wordOf(row)));
  }

  /** The rows below a row, but not a server's tools, which need a request. */
  below(row: ViewRow): readonly Row[] {
    switch (row.kind) {
      case 'server':
        return this.belowServer(row.server);
      case 'folders':
        return row.folders;
      default:
        return [];
    }
  }

  async toolsBelow(row: ToolsRow): Promise<Row[]> {
    const rows = await this.tools.of(row.server);
    return rows.map(this.keeping(row));
  }

  forgetTools(row: ToolsRow): void {
    this.tools.forget(row.server);
  }

  /** A unique id that stays. With it, VS Code remembers which rows are open and selected. */
  idOf(row: ViewRow): string {
    if (row.kind === 'mistake') {
      return JSON.stringify([row.kind, row.leftOut.from, row.leftOut.name]);
    }
    return JSON.stringify([row.kind, row.server.definition.id, ...this.ownId(row)]);
  }

  wordOf({ server }: ServerRow | MistakeRow): ServerWord {
    return server ? wordOf(server, this.questions) : 'failed';
  }

  /** Returns the object's number. It stays the same, and no other object has it. */
  numberOf(object: object): number {
    const number = this.numbers.get(object) ?? ++this.lastNumber;
    this.numbers.set(object, number);
    return number;
  }

  private belowServer(server: Server): readonly Row[] {
    const keep = this.keeping(server);
    const { formerRoots, state, isIdle, record } = server;
    // The tools of an idle server are listed without a start of the server, if they are known.
    const hasTools = state.kind === 'running' || (isIdle && record?.tools !== undefined);
    const clients = this.clients.of(server);
    return [
      ...(problemOfServer(server) ? [keep({ kind: 'problem', server })] : []),
      ...this.foldersOf(server, keep),
      ...formerRoots.map(root => keep({ kind: 'former-root', server, root })),
      ...clients.map(client => keep<ClientRow>({ kind: 'client', server, client })),
      ...(hasTools ? [keep({ kind: 'tools', server })] : []),
    ];
  }

  private foldersOf(server: Server, keep: <T extends Row>(row: T) => T): Row[] {
    const { folders } = server.access;
    const names = distinctNames(folders.map(({ folder }) => folder));
    const rows = folders.map((access, index) => {
      const name = names[index] ?? access.folder.name;
      return keep<FolderRow>({ kind: 'folder', server, access, name });
    });
    let nth = 0;
    return foldAlike(rows, ({ access }) => folderStatusOf(access, server)).map(alike =>
      alike.length === 1
        ? alike[0]
        : keep<FoldersRow>({ kind: 'folders', server, folders: alike, nth: nth++ }),
    );
  }

  /**
   * Replaces the rows below an owner: pass each new row to the returned function. If the owner had
   * a row with this id, the function updates and returns the old object. Other rows are forgotten.
   */
  private keeping(owner: object): <T extends ViewRow>(row: T) => T {
    const before = this.known.get(owner);
    const now = new Map<string, ViewRow>();
    this.known.set(owner, now);
    return row => {
      const id = this.idOf(row);
      const kept = Object.assign(before?.get(id) ?? row, row);
      now.set(id, kept);
      return kept;
    };
  }

  private ownId(row: Row): readonly unknown[] {
    switch (row.kind) {
      case 'folder':
        return [row.access.folder.uri];
      case 'folders':
        return [row.nth];
      case 'former-root':
        return [row.root.uri];
      case 'tool':
        return [row.tool.name];
      case 'client': {
        const { session, name } = row.client;
        // Two clients may have the same name.
        return session ? ['session', this.numberOf(session)] : ['answer', name];
      }
      default:
        return [];
    }
  }

  /** Whether a folder on disk is open. Unlike `hasOtherFolders`, this needs no look at the disk. */
  private get hasOpenFolders(): boolean {
    return (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.scheme === 'file');
  }

  private get hasOtherFolders(): boolean {
    return this.servers.all.some(({ access }) =>
      access.folders.some(({ folder }) => folder.path !== undefined),
    );
  }
}
