import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import type { Servers } from '../servers/servers.ts';
import type { Consent } from './consent.ts';

/** Folders that are added together are asked about together. */
const burst = { quiet: 300, longest: 2000 };

/** What asking about added folders needs. */
export interface AddedFoldersContext {
  readonly folders: CandidateFolders;
  readonly servers: Servers;
  readonly consent: Consent;
  readonly logger: Logger;
}

/**
 * Asks about folders that were added to the window, or that took the place of others, once for each
 * server that runs then.
 */
export class AddedFolders implements IDisposable {
  private readonly context: AddedFoldersContext;
  private readonly store = new DisposableStore();
  private readonly question = this.store.add(new Debounce(() => this.ask(), burst));
  private readonly added = new Set<string>();
  /** Which folder was last found at each URI; `undefined` when the disk did not tell. */
  private known: ReadonlyMap<string, string | undefined>;

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
    // About what was offered to one server it is asked then and there.
    const shared = new Set(this.context.folders.value.map(({ uri }) => uri));
    for (const [uri, place] of current) {
      const isAdded = !this.known.has(uri) && shared.has(uri);
      const isReplaced = this.known.has(uri) && this.known.get(uri) !== place;
      if (isAdded || isReplaced) {
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

  private current(): ReadonlyMap<string, string | undefined> {
    const { folders, servers } = this.context;
    const own = servers.all.flatMap(({ access }) => access.folders.map(({ folder }) => folder));
    return new Map([...folders.value, ...own].map(({ uri, place }) => [uri, place]));
  }
}
