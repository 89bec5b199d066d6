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
import { type Asking, withoutRefused } from '../../domain/gate/gate.ts';
import { clientNames } from '../../domain/gateway/clientNames.ts';
import { isSameJson, type JsonObject } from '../../domain/json.ts';
import type { ServerWords } from '../../mcp/link/clientRequests.ts';
import { makePrivateFolder, removeFile, replacePrivate } from '../privateFolder.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';

/** In ms: changes of servers within this time cause one update. */
const burst = { quiet: 50, longest: 500 };

/** The most characters per server: `kept` in the file, `known` in memory. No model reads more. */
const most = { kept: 2 * 1024 ** 2, known: 8 * 1024 ** 2 };

/** How many milliseconds the file of a workspace stays after its last use: 30 days. */
const longestUnused = 30 * 24 * 3600 * 1000;

/** All revisions that have a handshake with `initialize`. */
const revisions: readonly unknown[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** Whether the request or the result of a handshake names a revision that exists. */
export function namesRevision({ protocolVersion }: Readonly<Record<string, unknown>>): boolean {
  return revisions.includes(protocolVersion);
}

/**
 * The last answers of a window's servers, in one file for times when the window is away. If a
 * server changes, its answers are dropped.
 */
export class Snapshots {
  private readonly folder: string;
  private readonly file: string;
  private readonly logger: Logger;
  private readonly askings: (server: Server) => readonly Asking[];
  private window: Pick<WindowSnapshots, 'name' | 'folders'> = { name: '', folders: [] };
  private known: ReadonlyMap<string, Snapshot>;

  /**
   * @param windowId the id of the window. It stays when the window is opened again.
   * @param askings the clients of a server, as the gate sees them.
   */
  constructor(
    home: string,
    windowId: string,
    logger: Logger,
    askings: (server: Server) => readonly Asking[],
  ) {
    this.askings = askings;
    this.folder = snapshotsFolder(home);
    this.file = join(this.folder, `${windowId}.json`);
    this.logger = logger;
    this.known = new Map(Object.entries(readSnapshots(this.file)?.servers ?? {}));
    removeUnused(this.folder);
  }

  /** Sets the name and the folders by which clients find the window from now on. */
  describe({ name, folders }: Pick<WindowDescription, 'name' | 'folders'>): void {
    this.window = { name, folders };
    this.write(this.known);
  }

  /** The stored answers of a server, unless it has changed. `name` is its name for clients. */
  of(name: string, { identity }: Pick<Server, 'identity'>): Snapshot | undefined {
    const known = this.known.get(name);
    return known?.identity === identity ? known : undefined;
  }

  /** The tools that a server listed, unless it has changed. @param name its name for clients. */
  toolsOf(name: string, server: Pick<Server, 'identity'>): readonly JsonObject[] {
    const answers = Object.entries(this.of(name, server)?.answers ?? {});
    return answers.flatMap(([key, result]) => toolsIn({ method: methodIn(key), result }));
  }

  /**
   * Stores an answer of a server. `name` is the server's name for clients. Returns whether
   * another answer was stored.
   */
  note(name: string, server: Server, { method, params, result }: ServerWords): boolean {
    const { identity, definition } = server;
    const before = this.of(name, server)?.answers ?? {};
    const isHandshake = method === 'initialize';
    // If a client invented the revision, the revision in the answer counts.
    const asked = isHandshake && !namesRevision(params) ? result : params;
    const key = answerKey(method, asked);
    const { cursor } = asked;
    const isOfPage = Object.values(before).some(one => one['nextCursor'] === cursor);
    const isKnown = isHandshake ? namesRevision(asked) : cursor === undefined || isOfPage;
    // Many servers accept any cursor and any revision, so only answers to known ones are stored.
    if (!isKnown) {
      return false;
    }
    const isOfUser = definition.from !== 'workspace';
    const isSame = isSameJson(before[key], result);
    // If the first page of a list changed, its other pages are outdated.
    const kept = Object.entries(before).filter(([one]) => isSame || !one.startsWith(`${key} `));
    const answers = { ...Object.fromEntries(kept), [key]: result };
    const next: Snapshot = { identity, isOfUser, answers, shown: this.shownOf(server, answers) };
    if (!isSameJson(next, this.known.get(name)) && JSON.stringify(next).length <= most.known) {
      this.write(new Map([...this.known, [name, next]]));
    }
    return before[key] !== undefined && !isSame;
  }

  /** After each change of servers, updates what clients see. Drops answers of unusable servers. */
  follow(
    servers: Pick<Servers, 'all' | 'onDidChange'>,
    isUsable: (server: Server) => boolean,
  ): IDisposable {
    const update = () => {
      const usable = clientNames(servers.all).filter(({ server }) => isUsable(server));
      const now = new Map(usable.map(({ name, server }) => [name, server]));
      const kept = [...this.known].flatMap(([name, one]): [string, Snapshot][] => {
        const server = now.get(name);
        return server?.identity === one.identity
          ? [[name, { ...one, shown: this.shownOf(server, one.answers) }]]
          : [];
      });
      if (!isSameJson(kept, [...this.known])) {
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

  private shownOf(server: Server, answers: Snapshot['answers']): Snapshot['shown'] {
    const replaced = (asking: Asking) =>
      Object.entries(answers).flatMap(([key, result]) => {
        const shown = withoutRefused(methodIn(key), result, asking);
        return shown === result ? [] : [[key, shown] as const];
      });
    const views = this.askings(server).map(asking => [
      asking.client?.name ?? '',
      Object.fromEntries(replaced(asking)),
    ]);
    return Object.fromEntries(views);
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

/** The tools in a server's answer; empty if the answer is no list of tools. */
export function toolsIn({ method, result }: Omit<ServerWords, 'params'>): readonly JsonObject[] {
  const { tools } = result;
  return method === 'tools/list' && Array.isArray(tools) ? tools.map(Object) : [];
}

/** The method in the key of an answer. */
function methodIn(key: string): string {
  return key.split(' ', 1).join();
}

/**
 * Removes the last answers of a server of the user settings from the files of all windows, closed
 * windows too. The files keep their age, so that unused files are still removed in time.
 *
 * @param name the server's name for clients of this window. Other windows may have another name.
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

/** Removes the files that no window used for {@link longestUnused}. No other code removes them. */
function removeUnused(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).mtimeMs < Date.now() - longestUnused) {
        removeFile(path);
      }
    }
  } catch {
    // The folder does not exist yet, or another window removes files.
  }
}
