import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import type { Shown } from '../../domain/shown.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';

/** A question that waits for the user's answer. A message may have shown it already. */
export interface OpenQuestion {
  /** The server or the client that waits for the answer. */
  readonly subject: object;
  /** One sentence, for the list of all waiting questions. */
  readonly text: Shown;
  /** One line without the server's name, for the tooltip of the server's row. */
  readonly detail: Shown;
  /**
   * Asks the question in a dialog, before all messages. Settles when the user has answered or left.
   * Asks nothing if the question no longer waits.
   */
  readonly ask: () => Promise<void>;
}

/** A feature with questions that a server or a client waits for. */
export interface QuestionSource {
  /** The questions about this server, and about the clients that wait for it. */
  of(server: Server): readonly OpenQuestion[];
  /** The questions about clients, each once, even if a client waits for several servers. */
  readonly others?: readonly OpenQuestion[];
  /** Fires when the questions at this server may have changed; `undefined`: at any server. */
  readonly onDidChange: Event<Server | undefined>;
}

/** All questions of a window that wait for the user's answer. */
export class OpenQuestions implements IDisposable {
  private readonly servers: Pick<Servers, 'all'>;
  private readonly sources: readonly QuestionSource[];
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<Server | undefined>());

  /** Fires when the questions at this server may have changed; `undefined`: at any server. */
  readonly onDidChange: Event<Server | undefined> = this.didChange.event;

  /** @param sources in the order in which a server shows their questions. */
  constructor(servers: Pick<Servers, 'all'>, sources: readonly QuestionSource[]) {
    this.servers = servers;
    this.sources = sources;
    for (const { onDidChange } of sources) {
      this.store.add(onDidChange(which => this.didChange.fire(which)));
    }
  }

  /** The questions about servers, in the order of the servers, and then the other questions. */
  get all(): readonly OpenQuestion[] {
    return [
      ...this.servers.all.flatMap(server =>
        this.of(server).filter(({ subject }) => subject === server),
      ),
      ...this.sources.flatMap(({ others = [] }) => others),
    ];
  }

  /** The questions about one server, and about the clients that wait for it. */
  of(server: Server): readonly OpenQuestion[] {
    return this.sources.flatMap(source => source.of(server));
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** A server, and its folders that wait for the user's answer. */
export interface Waiting {
  readonly server: Server;
  readonly folders: readonly Folder[];
}

/** The folders of running servers that need an answer. For a stopped server, its start asks. */
export function waitingFolders(servers: readonly Server[]): Waiting[] {
  return servers
    .filter(({ isLive, access }) => isLive && access.waiting.length > 0)
    .map(server => ({ server, folders: server.access.waiting }));
}
