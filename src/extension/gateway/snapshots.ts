import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Debounce } from '../../base/debounce.ts';
import { type IDisposable, toDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Snapshot, snapshotFile } from '../../connect/snapshot.ts';
import { clientNames } from '../../domain/gateway/clientNames.ts';
import type { Said } from '../../mcp/relay.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { makePrivateFolder } from './privateFolder.ts';

/** Changes of servers that come together cost one look. */
const burst = { quiet: 50, longest: 500 };

/** Clients can ask for revisions that there are not. */
const mostRevisions = 16;

type Json = Readonly<Record<string, unknown>>;

/**
 * What servers said when they ran last, kept in files for when their window is away. A file is of one
 * server as it is.
 */
export class Snapshots {
  private readonly home: string;
  private readonly logger: Logger;
  /** The pages of lists that have come so far, by the list and the cursor of the next page. */
  private readonly begun = new Map<string, Json>();

  constructor(home: string, logger: Logger) {
    this.home = home;
    this.logger = logger;
  }

  /** @param name by which clients know the server. */
  note(name: string, identity: string, said: Said): void {
    const whole = this.whole(name, said);
    if (!whole) {
      return;
    }
    const file = snapshotFile(this.home, name);
    const known = read(file);
    const before: Snapshot = known?.identity === identity ? known : { identity };
    const next = withSaid(before, whole);
    if (JSON.stringify(next) !== JSON.stringify(known)) {
      this.write(file, next);
    }
  }

  /**
   * Removes the file of what a server was, when it becomes another one or may not be used any more. What
   * another window may use stays, though it was not agreed to in this one.
   */
  follow(
    servers: Pick<Servers, 'all' | 'onDidChange'>,
    isUsable: (server: Server) => boolean,
  ): IDisposable {
    let before: readonly Known[] = [];
    const update = () => {
      const now = knownIn(servers.all, isUsable);
      const isGone = (one: Known) => !now.some(other => isSame(one, other));
      for (const { name, identity } of before.filter(isGone)) {
        this.removeIf(name, found => found === identity);
      }
      for (const { name, identity } of now) {
        this.removeIf(name, found => found !== identity);
      }
      before = now;
    };
    const updateSoon = new Debounce(update, burst);
    const listening = servers.onDidChange(() => updateSoon.request());
    update();
    return toDisposable(() => {
      listening.dispose();
      updateSoon.dispose();
    });
  }

  private removeIf(name: string, isOutdated: (identity: string) => boolean): void {
    const file = snapshotFile(this.home, name);
    const known = read(file);
    if (known && isOutdated(known.identity)) {
      rmSync(file, { force: true });
    }
  }

  /** All pages of a list in one; `undefined`: there are more to come, or some were not seen. */
  private whole(name: string, said: Said): Said | undefined {
    const { method, params, result } = said;
    const list = JSON.stringify([name, method, isModern(said)]);
    const page = (cursor: unknown) => JSON.stringify([list, cursor]);
    const earlier = this.begun.get(page(params['cursor']));
    this.begun.delete(page(params['cursor']));
    if (params['cursor'] !== undefined && !earlier) {
      return undefined;
    }
    const { nextCursor, ...all } = joined(earlier, result);
    if (nextCursor === undefined) {
      return { ...said, result: all };
    }
    this.begun.set(page(nextCursor), all);
    return undefined;
  }

  private write(file: string, snapshot: Snapshot): void {
    const draft = `${file}.${randomUUID()}`;
    try {
      makePrivateFolder(dirname(file));
      writeFileSync(draft, JSON.stringify(snapshot), { flag: 'wx', mode: 0o600 });
      renameSync(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      this.logger.warn(String(error));
    }
  }
}

/** A server that may be used, by one of the names that clients may have for it. */
interface Known {
  readonly name: string;
  readonly identity: string;
}

function knownIn(servers: readonly Server[], isUsable: (server: Server) => boolean): Known[] {
  const names = clientNames(servers.map(({ definition }) => definition));
  return servers.filter(isUsable).flatMap(({ definition: { id, label }, identity }) => {
    const name = names.get(id) ?? label;
    return [...new Set([name, label])].map(name => ({ name, identity }));
  });
}

function isSame(one: Known, other: Known): boolean {
  return one.name === other.name && one.identity === other.identity;
}

function joined(earlier: Json | undefined, later: Json): Json {
  const lists = Object.entries(later).filter(([key]) => Array.isArray(earlier?.[key]));
  const both = lists.map(([key, list]) => [key, [earlier?.[key], list].flat()]);
  return { ...later, ...Object.fromEntries(both) };
}

function withSaid(snapshot: Snapshot, said: Said): Snapshot {
  const { method, params, result } = said;
  const { legacy = { initialize: {}, lists: {} }, modern } = snapshot;
  if (method === 'initialize') {
    const asked = Object.entries(legacy.initialize).slice(1 - mostRevisions);
    const initialize = {
      ...Object.fromEntries(asked),
      [String(params['protocolVersion'])]: result,
    };
    return { ...snapshot, legacy: { ...legacy, initialize } };
  }
  if (method === 'server/discover') {
    return { ...snapshot, modern: { lists: modern?.lists ?? {}, discover: result } };
  }
  if (isModern(said)) {
    return modern
      ? { ...snapshot, modern: { ...modern, lists: { ...modern.lists, [method]: result } } }
      : snapshot;
  }
  return { ...snapshot, legacy: { ...legacy, lists: { ...legacy.lists, [method]: result } } };
}

function isModern({ params }: Said): boolean {
  return Object.hasOwn(Object(params['_meta']), 'io.modelcontextprotocol/clientCapabilities');
}

function read(file: string): Snapshot | undefined {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')) as Json);
  } catch {
    return undefined;
  }
}
