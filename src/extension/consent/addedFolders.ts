import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { CandidateFolders } from '../folders/candidateFolders.ts';
import type { Servers } from '../servers/servers.ts';
import type { Consent } from './consent.ts';
import { type Waiting, waitingFolders } from './openQuestions.ts';

/** In ms. The question waits until `quiet` passes without a new folder, `longest` at most. */
const burst = { quiet: 300, longest: 2000 };

/**
 * Asks about folders that were added to the window, or took the place of another folder on disk.
 * One question covers all running servers.
 */
export class AddedFolders implements IDisposable {
  private readonly folders: CandidateFolders;
  private readonly servers: Servers;
  private readonly consent: Consent;
  private readonly logger: Logger;
  private readonly store = new DisposableStore();
  private readonly question = this.store.add(new Debounce(() => this.ask(), burst));
  private readonly added = new Set<string>();
  /** By URI: the device and inode of the folder when last seen. `undefined`: no folder there. */
  private known: ReadonlyMap<string, string | undefined>;

  constructor(folders: CandidateFolders, servers: Servers, consent: Consent, logger: Logger) {
    this.folders = folders;
    this.servers = servers;
    this.consent = consent;
    this.logger = logger;
    this.known = this.current();
    this.store.add(folders.onDidChange(() => this.note()));
  }

  dispose(): void {
    this.store.dispose();
  }

  private note(): void {
    const current = this.current();
    // `offerFolders` asks about a folder that is offered to one server only.
    const shared = new Set(this.folders.value.map(({ uri }) => uri));
    for (const [uri, place] of current) {
      const isAdded = !this.known.has(uri) && shared.has(uri);
      const isReplaced = this.known.has(uri) && this.known.get(uri) !== place;
      if (isAdded || isReplaced) {
        this.added.add(uri);
      }
    }
    this.known = current;
    if (this.added.size > 0) {
      this.question.request();
    }
  }

  private ask(): void {
    this.consent.askAboutAdded(() => this.find()).catch(error => this.logger.error(error));
  }

  /** Returns running servers with the added folders that need an answer, and empties `added`. */
  private find(): Waiting[] {
    const waiting = waitingFolders(this.servers.all).map(({ server, folders }) => ({
      server,
      folders: folders.filter(({ uri }) => this.added.has(uri)),
    }));
    this.added.clear();
    return waiting;
  }

  private current(): ReadonlyMap<string, string | undefined> {
    const { folders, servers } = this;
    const own = servers.all.flatMap(({ access }) => access.folders.map(({ folder }) => folder));
    return new Map([...folders.value, ...own].map(({ uri, place }) => [uri, place]));
  }
}
