import { afterReal, steadyNow } from '../../base/clock.ts';
import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ClientFacts } from '../../domain/gate/asked.ts';
import { whyRefused } from '../../domain/gate/gate.ts';
import { whyFailed } from '../../domain/gate/serverUsable.ts';
import { clientNames, type ServerOfClients } from '../../domain/gateway/clientNames.ts';
import { HumanError, isHumanError, type Sentence } from '../../domain/sentence.ts';
import type { DiscoveryClient } from '../../mcp/link/discoveryClient.ts';
import type { FolderLooks } from '../../mcp/link/rootsOfClient.ts';
import { isAnswer } from '../records/serverRecords.ts';
import { loadClient } from '../servers/loadClient.ts';
import type { Server, ServerContext } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';
import { type AskingClient, ClientConsent, type ConsentHost } from './clientConsent.ts';
import { ClientSession, type ClientSessionHost } from './clientSession.ts';
import { ClientSocket } from './clientSocket.ts';
import type { GatewayConnection } from './gatewaySocket.ts';
import { KnownServer, type KnownServerHost } from './knownServer.ts';
import type { Snapshots } from './snapshots.ts';

/** The parts of a window that decide which clients may use its servers. */
export interface ClientsHost extends Omit<ConsentHost, 'records'>, Pick<ClientSessionHost, 'text'> {
  readonly servers: Pick<Servers, 'all' | 'onDidChange'>;
  readonly context: ServerContext;
}

/** The place where clients connect to the servers of a window. */
export interface Gateway extends IDisposable {
  /** Hides the gateway from new clients. */
  hide(): void;
}

/** A client of a server. It has a session now, or the user has answered about it. */
export interface ClientOfServer extends Pick<Required<ClientFacts>, 'isAllowed' | 'hiddenTools'> {
  readonly server: Server;
  /** The name that the client gives itself. Empty until its handshake. */
  readonly name: string;
  /** The session; `undefined` while the client is away. */
  readonly session: ClientSession | undefined;
}

/** The longest wait for the next start of a server that died, in ms. A longer pause is an error. */
const longestHold = 2000;

/**
 * The clients of this window's servers, from the moment its gateway opens. This class decides
 * whether a client has a session, and what the client may do.
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

  /** Fires with the server whose clients have changed; `undefined`: those of any server. */
  readonly onDidChange: Event<Server | undefined> = this.didChange.event;

  /** Fires with a server that a client wants, but that no client can use now. */
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

  /** Whether clients can connect. */
  get isOpen(): boolean {
    return this.gateway !== undefined;
  }

  /** The clients of a server. Clients with a session come first, in the order of arrival. */
  of(server: Server): readonly ClientOfServer[] {
    const sessions = [...this.sessions].flatMap(([session, its]) =>
      its === server && !session.isDiscovery ? session : [],
    );
    const present = new Set(sessions.map(({ client }) => client.name));
    const answers = this.host.context.records.answers('client', server);
    const absent = new Set(answers.map(({ about }) => about).filter(name => !present.has(name)));
    const clientOf = (name: string, session: ClientSession | undefined): ClientOfServer => {
      return { ...this.consent.factsOn(name, server), server, session };
    };
    return [
      ...sessions.map(session => clientOf(session.client.name, session)),
      ...[...absent].map(name => clientOf(name, undefined)),
    ];
  }

  /** The clients that wait for the user's answer: all, or the clients that wait for `server`. */
  waitingFor(server?: Server): readonly AskingClient[] {
    return this.consent.waitingFor(server);
  }

  /** Accepts a connector, and begins a session for its client or says why not. Never rejects. */
  async accept(connection: GatewayConnection, snapshots: Snapshots): Promise<void> {
    const socket = new ClientSocket(connection);
    try {
      const message = await socket.first;
      // If the server can't be used, loads no bundle. Looks the server up again after the load.
      await this.usable(socket.hello.server);
      const bundle = await loadClient();
      const { name, server } = await this.usable(socket.hello.server);
      if (!message || this.isOver) {
        // Without a reason, the connector looks for another window, and repeats its requests there.
        socket.bye([]);
        return;
      }
      // A refused client gets no session. Most clients give their names in the first message.
      const first = bundle.withoutServer(bundle.clientIn(message), name);
      const client = this.consent.factsOn(first.name, server);
      const refusal = whyRefused({ server, client });
      if (refusal) {
        throw new HumanError(refusal);
      }
      this.looks ??= new bundle.FolderLooks();
      const host: ClientSessionHost = {
        ...this.host,
        bundle,
        looks: this.looks,
        server,
        name,
        listed: snapshots.toolsOf(name, server),
        onSaid: said => {
          const isNew = snapshots.note(name, server, said);
          this.known.get(server)?.noteNews();
          return isNew;
        },
      };
      const stored = this.knownFor(host, snapshots);
      // A process that the client does not use yet would cost memory, and the client would wait.
      const isWanted = socket.hello.isUsed !== false || !stored.isEnoughFor(message);
      const known = client.isAllowed && isWanted ? undefined : stored;
      const session = new ClientSession(socket, first, { ...host, consent: this.consent, known });
      await this.run(session, server);
    } catch (error) {
      socket.bye([], this.reasonOf(error));
    }
  }

  /** Ends all sessions, and accepts no more clients. Settles when no process is left. */
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
    const { name, server, bundle, onSaid } = host;
    const snapshot = () => {
      // If the window itself runs the server, its answers also serve clients without a process.
      for (const said of server.record?.takeWords() ?? []) {
        onSaid({ ...said, result: bundle.namedAs(name, said.method, said.result) });
      }
      return snapshots.of(name, server);
    };
    const discover: KnownServerHost['discover'] = (...era) => this.discover(host, ...era);
    const known = this.known.get(server) ?? new KnownServer({ snapshot, discover });
    this.known.set(server, known);
    return known;
  }

  /** Asks a process for its handshake and lists, again if it restarts. Returns errors by method. */
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
   * The server with this name for clients, if it can start.
   *
   * @throws HumanError that says why the server can't start.
   */
  private async usable(name: string): Promise<ServerOfClients<Server>> {
    const { definition } = this.named(name).server;
    // If the server's environment file has changed, `refresh` replaces the server object.
    await this.host.context.identities.refresh([definition]);
    await this.holdBack(this.named(name).server);
    await this.host.context.accesses.page.answered();
    // Looked up again after the waits, because the user may have revoked a permission meanwhile.
    const found = this.named(name);
    const { server } = found;
    const failure = server.deaths.failureAt(steadyNow());
    const problem = whyRefused({ server }) ?? (failure && whyFailed(server, failure));
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
        'This window has no server "{0}". Its servers are: {1}.',
        name,
        all.map(one => one.name).join(', '),
      );
    }
    return found;
  }

  private async holdBack({ deaths }: Server): Promise<void> {
    let wait = deaths.pauseAt(steadyNow());
    // A timer may fire a moment early.
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

  /** Ends the sessions of replaced servers. Their clients connect again and are judged again. */
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
