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
import type { ServerWords } from '../../mcp/relay.ts';
import { makePrivateFolder, removeFile, replacePrivate } from '../privateFolder.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';

/** Changes of servers that come together cost one look. */
const burst = { quiet: 50, longest: 500 };

/** In characters. Cursors are mostly some hundred. */
const longestKey = 2000;
/** The most of one server, in characters. Lists too long to be kept fit into the context of no model. */
const most = { kept: 2 * 1024 ** 2, known: 8 * 1024 ** 2 };

/** The age at which the file of an unused workspace goes, in milliseconds: 30 days. */
const longestUnused = 30 * 24 * 3600 * 1000;

/** The revisions that begin with `initialize`: no later one does. */
const revisions: readonly unknown[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** Whether the request or result of a handshake names a revision that there is. */
export function namesRevision({ protocolVersion }: Readonly<Record<string, unknown>>): boolean {
  return revisions.includes(protocolVersion);
}

/** A server, as far as what it said is kept. */
type SayingServer = Pick<Server, 'identity'> & {
  readonly definition: Pick<Server['definition'], 'from'>;
};

/**
 * The last answers of a window's servers, kept in one file for when the window is away. A changed server
 * has none.
 */
export class Snapshots {
  private readonly folder: string;
  private readonly file: string;
  private readonly logger: Logger;
  private window: Pick<WindowSnapshots, 'name' | 'folders'> = { name: '', folders: [] };
  private known: ReadonlyMap<string, Snapshot>;

  /** @param windowId the id of the window, which it has again when it is opened anew. */
  constructor(home: string, windowId: string, logger: Logger) {
    this.folder = snapshotsFolder(home);
    this.file = join(this.folder, `${windowId}.json`);
    this.logger = logger;
    this.known = new Map(Object.entries(readSnapshots(this.file)?.servers ?? {}));
    removeUnused(this.folder);
  }

  /** By what clients find the window from now on. */
  describe({ name, folders }: Pick<WindowDescription, 'name' | 'folders'>): void {
    this.window = { name, folders };
    this.write(this.known);
  }

  /** What a server said, if it is still the same one. @param name by which clients know the server. */
  of(name: string, { identity }: Pick<SayingServer, 'identity'>): Snapshot | undefined {
    const known = this.known.get(name);
    return known?.identity === identity ? known : undefined;
  }

  /** @param name by which clients know the server. */
  note(name: string, server: SayingServer, { method, params, result }: ServerWords): void {
    const { identity, definition } = server;
    const before = this.of(name, server)?.answers ?? {};
    const isHandshake = method === 'initialize';
    // A client may make a revision up: then that of the answer counts.
    const asked = isHandshake && !namesRevision(params) ? result : params;
    const key = answerKey(method, asked);
    const { cursor } = asked;
    const isOfPage = Object.values(before).some(one => one['nextCursor'] === cursor);
    const isKnown = isHandshake ? namesRevision(asked) : cursor === undefined || isOfPage;
    // Many servers answer any cursor and any revision.
    if (!isKnown || key.length > longestKey) {
      return;
    }
    const isOfUser = definition.from !== 'workspace';
    const isSame = isSameJson(before[key], result);
    // The further pages of a list that begins in another way are those of an earlier one.
    const kept = Object.entries(before).filter(([one]) => isSame || !one.startsWith(`${key} `));
    const answers = { ...Object.fromEntries(kept), [key]: result };
    const next: Snapshot = { identity, isOfUser, answers };
    if (!isSameJson(next, this.known.get(name)) && JSON.stringify(next).length <= most.known) {
      this.write(new Map([...this.known, [name, next]]));
    }
  }

  /** Drops what a server said when it becomes another one, is gone, or may not be used any more. */
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
 * Forgets what a server of the user settings last said, in the files of all windows, closed ones too, which
 * go as early as before.
 *
 * @param name by which clients of this window know it; those of others may know it by another.
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

/** Workspaces come and go, and nobody else tidies up after those that are not opened again. */
function removeUnused(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).mtimeMs < Date.now() - longestUnused) {
        removeFile(path);
      }
    }
  } catch {
    // There is none yet, or another window is at it.
  }
}
