import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Shown } from '../../domain/shown.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';

/** A question that waits for the user's answer, whether a message on it was shown or not. */
export interface OpenQuestion {
  /** The server that waits for the answer, or the client of some servers. */
  readonly subject: object;
  /** In one sentence, for a list of all that waits. */
  readonly text: Shown;
  /** The words for the row of a server. */
  readonly detail: Shown;
  /**
   * Asks it at once, past the messages that wait for their turn. Settles when it was answered or left;
   * one that no longer waits is not asked.
   */
  readonly ask: () => Promise<void>;
}

/** A feature that asks the user questions. An offer, for which nobody waits, is none. */
export interface QuestionSource {
  /** The questions that wait at this server. */
  of(server: Server): readonly OpenQuestion[];
  /** The questions whose subject is no server, each once, at however many servers it waits. */
  readonly others?: readonly OpenQuestion[];
  /** Fires when the questions at this server may have changed; `undefined`: at any. */
  readonly onDidChange: Event<Server | undefined>;
}

/** All questions of a window that wait for the user's answer. */
export class OpenQuestions implements IDisposable {
  private readonly servers: Pick<Servers, 'all'>;
  private readonly sources: readonly QuestionSource[];
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<Server | undefined>());

  /** Fires when the questions at this server may have changed; `undefined`: at any. */
  readonly onDidChange: Event<Server | undefined> = this.didChange.event;

  /** @param sources in the order in which a server shows their questions. */
  constructor(servers: Pick<Servers, 'all'>, sources: readonly QuestionSource[]) {
    this.servers = servers;
    this.sources = sources;
    for (const { onDidChange } of sources) {
      this.store.add(onDidChange(which => this.didChange.fire(which)));
    }
  }

  /** Questions about servers in the order of the servers, then those about others. */
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
