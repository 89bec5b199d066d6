import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Shown } from '../../domain/shown.ts';
import type { AskingClient } from '../gateway/clientQuestion.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Elicitations, OpenElicitation } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import type { Waiting } from './folderQuestions.ts';

/** A question that waits for the user's answer, whether a message on it was shown or not. */
export interface Question {
  /** Who waits for the answer. */
  readonly subject: Server | AskingClient;
  /** In one sentence, for a list of all that waits. */
  readonly text: Shown;
  /** What the row of a server says of it. */
  readonly detail: Shown;
  /** The folders that it is about, which one list can ask about for several servers. */
  readonly waiting?: Waiting;
  /**
   * Asks it at once, past the messages that wait for their turn. Settles when it was answered or left;
   * one that no longer waits is not asked.
   */
  readonly ask: () => Promise<void>;
}

/** Makes a question of what waits. */
export interface QuestionMakers {
  readonly onFolders: (waiting: Waiting) => Question;
  readonly onStart: (server: Server) => Question;
  readonly onClient: (client: AskingClient) => Question;
  readonly onElicitation: (server: Server, elicitation: OpenElicitation) => Question;
}

/** The servers whose start waits for an answer. */
interface WaitingStarts {
  readonly waiting: readonly Server[];
  readonly onDidChange: Event<void>;
}

/** All questions of a window that wait for the user's answer. */
export class OpenQuestions implements IDisposable {
  private readonly servers: Pick<Servers, 'all' | 'withId'>;
  private readonly clients: Pick<Clients, 'of' | 'waiting'>;
  private readonly changed: WaitingStarts;
  private readonly elicitations: Pick<Elicitations, 'open'>;
  private readonly make: QuestionMakers;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<Server | undefined>());

  /** Fires when the questions on this server may have changed; `undefined`: on any. */
  readonly onDidChange: Event<Server | undefined> = this.didChange.event;

  constructor(
    servers: Pick<Servers, 'all' | 'withId' | 'onDidChange'>,
    clients: Pick<Clients, 'of' | 'waiting' | 'onDidChange'>,
    changed: WaitingStarts,
    elicitations: Pick<Elicitations, 'open' | 'onDidChange'>,
    make: QuestionMakers,
  ) {
    this.servers = servers;
    this.clients = clients;
    this.changed = changed;
    this.elicitations = elicitations;
    this.make = make;
    for (const { onDidChange } of [servers, clients]) {
      this.store.add(onDidChange(which => this.didChange.fire(which)));
    }
    for (const { onDidChange } of [changed, elicitations]) {
      this.store.add(onDidChange(() => this.didChange.fire(undefined)));
    }
  }

  /** Those about servers in the order of the servers, then those about clients. */
  get all(): readonly Question[] {
    return [
      ...this.servers.all.flatMap(server => this.ofOnly(server)),
      ...this.clients.waiting.map(this.make.onClient),
    ];
  }

  /** The questions about one server, and about the clients that wait for it. */
  of(server: Server): readonly Question[] {
    const waiting = this.clients
      .of(server)
      .flatMap(({ name, session }) => (session?.isWaiting ? [name] : []));
    const asking = this.clients.waiting.filter(({ name }) => waiting.includes(name));
    return [...this.ofOnly(server), ...asking.map(this.make.onClient)];
  }

  private ofOnly(server: Server): readonly Question[] {
    const { changed, elicitations, make } = this;
    const { definition, isLive, access } = server;
    const { waiting: folders } = access;
    return [
      ...(changed.waiting.includes(server) ? [make.onStart(server)] : []),
      ...(isLive && folders.length > 0 ? [make.onFolders({ server, folders })] : []),
      ...elicitations.open
        .filter(open => open.server.id === definition.id)
        .map(open => make.onElicitation(server, open)),
    ];
  }

  dispose(): void {
    this.store.dispose();
  }
}
