import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Debounce } from '../../base/debounce.ts';
import { type IDisposable, toDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import {
  answerKey,
  readSnapshots,
  type Snapshot,
  snapshotsFolder,
  type WindowSnapshots,
} from '../../connect/snapshot.ts';
import type { WindowDescription } from '../../connect/windowFiles.ts';
import { clientNames } from '../../domain/gateway/clientNames.ts';
import { isSameJson } from '../../domain/json.ts';
import type { ServerWords } from '../../mcp/link/clientRequests.ts';
import { makePrivateFolder, removeFile, replacePrivate } from '../privateFolder.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';

/** Changes of servers that come together cost one look. */
const burst = { quiet: 50, longest: 500 };

/** The most of one server, in characters. A longer list would fit no model's context. */
const most = { kept: 2 * 1024 ** 2, known: 8 * 1024 ** 2 };

/** The file of an unused workspace is removed at this age, in milliseconds: 30 days. */
const longestUnused = 30 * 24 * 3600 * 1000;

/** The revisions that begin with `initialize`. Later revisions do not. */
const revisions: readonly unknown[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** Whether the request or result of a handshake names an existing revision. */
export function namesRevision({ protocolVersion }: Readonly<Record<string, unknown>>): boolean {
  return revisions.includes(protocolVersion);
}

/** The parts of a server that its kept answers depend on. */
type SayingServer = Pick<Server, 'identity'> & {
  readonly definition: Pick<Server['definition'], 'from'>;
};

/**
 * The last answers of a window's servers, kept in one file for when the window is away. A changed server
 * loses its answers.
 */
export class Snapshots {
  private readonly folder: string;
  private readonly file: string;
  private readonly logger: Logger;
  private window: Pick<WindowSnapshots, 'name' | 'folders'> = { name: '', folders: [] };
  private known: ReadonlyMap<string, Snapshot>;

  /** @param windowId the id of the window, which stays the same when the window is opened again. */
  constructor(home: string, windowId: string, logger: Logger) {
    this.folder = snapshotsFolder(home);
    this.file = join(this.folder, `${windowId}.json`);
    this.logger = logger;
    this.known = new Map(Object.entries(readSnapshots(this.file)?.servers ?? {}));
    removeUnused(this.folder);
  }

  /** Sets the name and folders that lead clients to the window from now on. */
  describe({ name, folders }: Pick<WindowDescription, 'name' | 'folders'>): void {
    this.window = { name, folders };
    this.write(this.known);
  }

  /** A server's answers, unless it has changed. @param name the server's name for clients. */
  of(name: string, { identity }: Pick<SayingServer, 'identity'>): Snapshot | undefined {
    const known = this.known.get(name);
    return known?.identity === identity ? known : undefined;
  }

  /** @param name the server's name for clients. */
  note(name: string, server: SayingServer, { method, params, result }: ServerWords): void {
    const { identity, definition } = server;
    const before = this.of(name, server)?.answers ?? {};
    const isHandshake = method === 'initialize';
    // A client may make up a revision. Then the revision of the answer counts.
    const asked = isHandshake && !namesRevision(params) ? result : params;
    const key = answerKey(method, asked);
    const { cursor } = asked;
    const isOfPage = Object.values(before).some(one => one['nextCursor'] === cursor);
    const isKnown = isHandshake ? namesRevision(asked) : cursor === undefined || isOfPage;
    // Many servers answer any cursor and any revision.
    if (!isKnown) {
      return;
    }
    const isOfUser = definition.from !== 'workspace';
    const isSame = isSameJson(before[key], result);
    // If the first page of a list differs, its further pages are outdated.
    const kept = Object.entries(before).filter(([one]) => isSame || !one.startsWith(`${key} `));
    const answers = { ...Object.fromEntries(kept), [key]: result };
    const next: Snapshot = { identity, isOfUser, answers };
    if (!isSameJson(next, this.known.get(name)) && JSON.stringify(next).length <= most.known) {
      this.write(new Map([...this.known, [name, next]]));
    }
  }

  /** Drops a server's answers when it changes, is gone, or may not be used any more. */
  follow(
    servers: Pick<Servers, 'all' | 'onDidChange'>,
    isUsable: (server: Server) => boolean,
  ): IDisposable {
    const update = () => {
      const usable = clientNames(servers.all).filter(({ server }) => isUsable(server));
      const now = new Map(usable.map(({ name, server }) => [name, server.identity]));
      const kept = [...this.known].filter(([name, { identity }]) => now.get(name) === identity);
      if (kept.length < this.known.size) {
        this.write(new Map(kept));
      }
    };
    const updateSoon = new Debounce(update, burst);
    const listening = servers.onDidChange(() => updateSoon.request());
    update();
    return toDisposable(() => {
      listening.dispose();
      updateSoon.dispose();
    });
  }

  private write(known: ReadonlyMap<string, Snapshot>): void {
    this.known = known;
    try {
      const kept = [...known].filter(([, one]) => JSON.stringify(one).length <= most.kept);
      if (kept.length === 0) {
        removeFile(this.file);
        return;
      }
      const servers = Object.fromEntries(kept);
      const all: WindowSnapshots = { ...this.window, writtenAt: Date.now(), servers };
      makePrivateFolder(this.folder);
      replacePrivate(this.file, JSON.stringify(all));
    } catch (error) {
      this.logger.warn(String(error));
    }
  }
}

/**
 * Forgets the last answers of a server of the user settings, in the files of all windows, closed ones too.
 * The files keep their age, and so the date of their removal.
 *
 * @param name the server's name for clients of this window. In other windows the name may differ.
 */
export function forgetLastSaid(home: string, name: string, identity: string): void {
  const folder = snapshotsFolder(home);
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, file);
    const all = readSnapshots(path);
    const said = Object.entries(all?.servers ?? {});
    const others = said.filter(
      ([known, one]) => !(one?.isOfUser && (known === name || one.identity === identity)),
    );
    if (others.length === 0 && all) {
      removeFile(path);
    } else if (others.length < said.length) {
      const { atime, mtime } = statSync(path);
      replacePrivate(path, JSON.stringify({ ...all, servers: Object.fromEntries(others) }));
      utimesSync(path, atime, mtime);
    }
  }
}

/** Workspaces come and go. Nobody else removes the file of a workspace that is not opened again. */
function removeUnused(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).mtimeMs < Date.now() - longestUnused) {
        removeFile(path);
      }
    }
  } catch {
    // The folder does not exist yet, or another window removes the files.
  }
}
