import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { WorkspaceFolders } from '../folders/workspaceFolders.ts';
import type { Servers } from '../servers/servers.ts';
import type { Consent } from './consent.ts';

/** Folders that are added together are asked about together. */
const burst = { quiet: 300, longest: 2000 };

/** What asking about added folders needs. */
export interface AddedFoldersContext {
  readonly folders: WorkspaceFolders;
  readonly servers: Servers;
  readonly consent: Consent;
  readonly logger: Logger;
}

/** Asks about folders that were added to the window, once for each server that runs then. */
export class AddedFolders implements IDisposable {
  private readonly context: AddedFoldersContext;
  private readonly store = new DisposableStore();
  private readonly question = this.store.add(new Debounce(() => this.ask(), burst));
  private readonly added = new Set<string>();
  private known: ReadonlySet<string>;

  constructor(context: AddedFoldersContext) {
    this.context = context;
    this.known = this.current();
    this.store.add(context.folders.onDidChange(() => this.note()));
  }

  dispose(): void {
    this.store.dispose();
  }

  private note(): void {
    const current = this.current();
    for (const uri of current) {
      if (!this.known.has(uri)) {
        this.added.add(uri);
        this.question.request();
      }
    }
    this.known = current;
  }

  private ask(): void {
    const { servers, consent, logger } = this.context;
    for (const server of servers.all.filter(({ isLive }) => isLive)) {
      const waiting = server.access.waiting.filter(({ uri }) => this.added.has(uri));
      if (waiting.length > 0) {
        consent.askAboutAdded(server, waiting).catch(error => logger.error(error));
      }
    }
    this.added.clear();
  }

  private current(): ReadonlySet<string> {
    return new Set(this.context.folders.value.map(({ uri }) => uri));
  }
}
