import { afterReal, steadyNow } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { clientNames, type ServerOfClients } from '../../domain/gateway/clientNames.ts';
import { whyFailed, whyUnusable } from '../../domain/gateway/usable.ts';
import { HumanError, isHumanError, type Sentence } from '../../domain/sentence.ts';
import type { DiscoveryClient } from '../../mcp/discoveryClient.ts';
import type { FolderLooks } from '../../mcp/rootsOfClient.ts';
import { loadClient } from '../servers/loadClient.ts';
import type { Server, ServerContext } from '../servers/server.ts';
import { isAnswer } from '../servers/serverRecords.ts';
import type { Servers } from '../servers/servers.ts';
import { type AskingClient, ClientConsent, type ConsentHost } from './clientConsent.ts';
import { ClientSession, type ClientSessionHost } from './clientSession.ts';
import { ClientSocket } from './clientSocket.ts';
import type { GatewayConnection } from './gatewaySocket.ts';
import { KnownServer, type KnownServerHost } from './knownServer.ts';
import type { Snapshots } from './snapshots.ts';

/** The window, as far as it decides who may use its servers. */
export interface ClientsHost extends Omit<ConsentHost, 'records'> {
  readonly servers: Pick<Servers, 'all' | 'onDidChange'>;
  readonly context: ServerContext;
}

/** The way by which clients reach the servers of a window. */
export interface Gateway extends IDisposable {
  /** Lets no further client find it. */
  hide(): void;
}

/** A client of a server: one that uses it now, or that the user has answered about. */
export interface ClientOfServer {
  readonly server: Server;
  /** The name it gives itself; empty until its handshake. */
  readonly name: string;
  /** The user's answer about it. */
  readonly isAllowed: boolean | undefined;
  /** `undefined`: it is not there. */
  readonly session: ClientSession | undefined;
}

/** The most time that a connector waits for a server that died; longer waits are told. */
const longestHold = 2000;

/**
 * The clients of the servers of this window, which come from when its gateway is open. Whether one has a
 * session, and what it may do, is decided here.
 */
export class Clients {
  readonly consent: ClientConsent;
  private readonly host: ClientsHost;
  private readonly sessions = new Map<ClientSession, Server>();
  private readonly known = new WeakMap<Server, KnownServer>();
  private readonly didChange = new Emitter<Server | undefined>();
  private readonly didWant = new Emitter<Server>();
  private gateway: Gateway | undefined;
  private looks: FolderLooks | undefined;
  private isOver = false;

  /** Something about the clients of a server changed; `undefined`: of any. */
  readonly onDidChange: Event<Server | undefined> = this.didChange.event;

  /** A client wants this server, which can't be used as things are. */
  readonly onDidWant: Event<Server> = this.didWant.event;

  constructor(host: ClientsHost) {
    this.host = host;
    const { records } = host.context;
    this.consent = new ClientConsent({ ...host, records }, () => this.sessions);
    records.onDidChange(kind => isAnswer(kind) && this.followAnswers());
    host.servers.onDidChange(() => this.endRetired());
  }

  begin(gateway: Gateway): void {
    this.gateway = gateway;
  }

  /** Whether any client can come. */
  get isOpen(): boolean {
    return this.gateway !== undefined;
  }

  /** The clients of a server, those that are there first, in the order in which they came. */
  of(server: Server): readonly ClientOfServer[] {
    const sessions = [...this.sessions].flatMap(([session, its]) =>
      its === server && !session.isDiscovery ? session : [],
    );
    const present = new Set(sessions.map(({ client }) => client.name));
    const answers = this.host.context.records.answers('client', server);
    const absent = new Set(answers.map(({ about }) => about).filter(name => !present.has(name)));
    const clientOf = (name: string, session: ClientSession | undefined): ClientOfServer => {
      return { server, name, isAllowed: this.consent.verdictOn(name, server), session };
    };
    return [
      ...sessions.map(session => clientOf(session.client.name, session)),
      ...[...absent].map(name => clientOf(name, undefined)),
    ];
  }

  /** The clients that wait for the user's answer. */
  get waiting(): readonly AskingClient[] {
    return this.consent.waitingFor();
  }

  /** The waiting clients that have called this server. */
  waitingFor(server: Server): readonly AskingClient[] {
    return this.consent.waitingFor(server);
  }

  /** Takes a connector in, and begins a session for its client or tells it why not. Never rejects. */
  async accept(connection: GatewayConnection, snapshots: Snapshots): Promise<void> {
    const socket = new ClientSocket(connection);
    try {
      const message = await socket.first;
      // For a client that is refused nothing is loaded; what was found is out of date after that.
      await this.usable(socket.hello.server);
      const bundle = await loadClient();
      const { name, server } = await this.usable(socket.hello.server);
      if (!message || this.isOver) {
        // The connector looks for the next window, with all that it has passed on.
        socket.bye([]);
        return;
      }
      // Nothing is started for a client that the user does not allow; nearly each names itself at once.
      const first = bundle.clientIn(message);
      const verdict = this.consent.verdictOn(first.name, server);
      if (verdict === false) {
        throw new HumanError(this.consent.refusalOf(first.name, server));
      }
      this.looks ??= new bundle.FolderLooks();
      const host: ClientSessionHost = {
        ...this.host,
        bundle,
        looks: this.looks,
        server,
        name,
        onSaid: said => {
          snapshots.note(name, server, said);
          this.known.get(server)?.noteNews();
        },
      };
      const known = verdict ? undefined : this.knownFor(host, snapshots);
      const session = new ClientSession(socket, first, { ...host, consent: this.consent, known });
      await this.run(session, server);
    } catch (error) {
      socket.bye([], this.reasonOf(error));
    }
  }

  /** Ends all in order, and begins none any more. Settles when no process is left. */
  async endAll(): Promise<void> {
    this.isOver = true;
    this.gateway?.hide();
    await Promise.all([...this.sessions.keys()].map(session => session.leave()));
    this.gateway?.dispose();
  }

  killAll(): void {
    for (const session of this.sessions.keys()) {
      session.kill();
    }
  }

  private run(session: ClientSession, server: Server): Promise<void> {
    this.sessions.set(session, server);
    session.onDidChange(() => this.didChange.fire(server));
    session.onDidEnd(() => {
      this.sessions.delete(session);
      this.didChange.fire(server);
    });
    this.didChange.fire(server);
    return session.begin();
  }

  private knownFor(host: ClientSessionHost, snapshots: Snapshots): KnownServer {
    const { name, server } = host;
    const snapshot = () => snapshots.of(name, server);
    const discover: KnownServerHost['discover'] = (...era) => this.discover(host, ...era);
    const known = this.known.get(server) ?? new KnownServer({ snapshot, discover });
    this.known.set(server, known);
    return known;
  }

  /** Has the window itself use a server, again where a process ended that is started again. */
  private async discover(
    host: ClientSessionHost,
    ...era: Parameters<KnownServerHost['discover']>
  ): ReturnType<KnownServerHost['discover']> {
    let client: DiscoveryClient;
    do {
      const { server } = await this.usable(host.name);
      if (server !== host.server || this.isOver) {
        throw new HumanError('"{0}" has changed. Try again.', host.name);
      }
      client = new host.bundle.DiscoveryClient(...era);
      const session = new ClientSession(client, host.bundle.clientIn(undefined), host);
      const ended = new Promise<Sentence | undefined>(resolve => session.onDidEnd(resolve));
      await this.run(session, server);
      const why = await ended;
      if (why) {
        throw new HumanError(why);
      }
    } while (!client.isDone);
    return client.problems;
  }

  /**
   * The server of that name, when it can be started.
   *
   * @throws HumanError why there is none.
   */
  private async usable(name: string): Promise<ServerOfClients<Server>> {
    const { definition } = this.named(name).server;
    // When its environment file has changed, another server takes its place.
    await this.host.context.identities.refresh([definition]);
    await this.holdBack(this.named(name).server);
    await this.host.context.accesses.page.answered();
    // Looked at last, since the user may have taken something away meanwhile.
    const found = this.named(name);
    const { server } = found;
    const failure = server.deaths.failureAt(steadyNow());
    const problem = whyUnusable(server) ?? (failure && whyFailed(server, failure));
    if (problem) {
      this.didWant.fire(server);
      throw new HumanError(problem);
    }
    return found;
  }

  private named(name: string): ServerOfClients<Server> {
    const all = clientNames(this.host.servers.all);
    const found = all.find(one => one.name === name);
    if (!found) {
      throw new HumanError(
        'There is no server "{0}" in this window. It has: {1}.',
        name,
        all.map(one => one.name).join(', '),
      );
    }
    return found;
  }

  private async holdBack({ deaths }: Server): Promise<void> {
    let wait = deaths.pauseAt(steadyNow());
    // A timer may be early by a moment.
    while (wait > 0 && wait <= longestHold) {
      await new Promise<void>(resolve => afterReal(wait, resolve));
      wait = deaths.pauseAt(steadyNow());
    }
  }

  private followAnswers(): void {
    for (const session of this.sessions.keys()) {
      session.leaveIfUnfit();
    }
    this.didChange.fire(undefined);
  }

  /** Another server took the place of one: who used it comes again, and is judged anew. */
  private endRetired(): void {
    for (const [session, server] of this.sessions) {
      if (server.isRetired) {
        void session.leave();
      }
    }
  }

  private reasonOf(error: unknown): string {
    if (isHumanError(error)) {
      return this.host.text(error.sentence);
    }
    this.host.context.logger.error(error instanceof Error ? error : String(error));
    return String(error);
  }
}
