import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import type { Logger } from '../../../base/logger.ts';
import {
  type ConnectorPlace,
  type ConnectorStart,
  connectorStart,
  type PublishedServers,
} from './publishedServers.ts';

/** The part that we use of Cursor's own API for servers (https://cursor.com/docs/extension-api). */
interface CursorMcp {
  registerServer(entry: { readonly name: string; readonly server: ConnectorStart }): void;
  unregisterServer(name: string): void;
}

/** Returns Cursor's API, or `undefined` in another editor. */
export function cursorMcp(editor: object): CursorMcp | undefined {
  const { cursor } = editor as { readonly cursor?: { readonly mcp?: Partial<CursorMcp> } };
  const mcp = cursor?.mcp;
  return mcp?.registerServer && mcp.unregisterServer ? (mcp as CursorMcp) : undefined;
}

/** Offers the published servers to the agents of Cursor. */
export class CursorServers implements IDisposable {
  private readonly cursor: CursorMcp;
  private readonly published: PublishedServers;
  private readonly place: ConnectorPlace;
  private readonly logger: Logger;
  private readonly store = new DisposableStore();
  /** The identities of the registered servers, by their names in Cursor. */
  private readonly entries = new Map<string, string>();

  constructor(
    cursor: CursorMcp,
    published: PublishedServers,
    place: ConnectorPlace,
    logger: Logger,
  ) {
    this.cursor = cursor;
    this.published = published;
    this.place = place;
    this.logger = logger;
    this.store.add(published.onDidChange(() => void this.update()));
    void this.update();
  }

  dispose(): void {
    this.store.dispose();
    this.forget([...this.entries.keys()]);
  }

  private async update(): Promise<void> {
    try {
      const file = await this.place.file();
      if (!this.store.isDisposed) {
        this.replace(file);
      }
    } catch (error) {
      this.logger.error(error instanceof Error ? error : String(error));
    }
  }

  private replace(file: string): void {
    // Cursor ignores servers whose names begin with "filesystem"
    // (https://github.com/cursor/cursor/issues/3606). The prefix avoids names in Cursor's files.
    const wanted = new Map(this.published.all.map(one => [`roots-${one.name}`, one]));
    const isGone = ([entry, identity]: [string, string]) =>
      wanted.get(entry)?.server.identity !== identity;
    this.forget([...this.entries].filter(isGone).map(([entry]) => entry));
    for (const [entry, { name, server }] of wanted) {
      if (!this.entries.has(entry)) {
        const start = connectorStart(file, name, this.place.windowId);
        this.cursor.registerServer({ name: entry, server: start });
        this.entries.set(entry, server.identity);
      }
    }
  }

  private forget(entries: readonly string[]): void {
    for (const entry of entries) {
      this.cursor.unregisterServer(entry);
      this.entries.delete(entry);
    }
  }
}
