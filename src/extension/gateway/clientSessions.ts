import { afterReal } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { clientNames, type ServerOfClients } from '../../domain/gateway/clientNames.ts';
import { whyFailed, whyUnusable } from '../../domain/gateway/usable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import type { FolderLooks } from '../../mcp/rootsOfClient.ts';
import { type ClientBundle, loadClient } from '../servers/loadClient.ts';
import type { Server, ServerContext } from '../servers/server.ts';
import { isAnswer } from '../servers/serverRecords.ts';
import type { Servers } from '../servers/servers.ts';
import { ClientConsent, type ConsentHost } from './clientConsent.ts';
import { ClientSession } from './clientSession.ts';
import { ClientSocket } from './clientSocket.ts';
import type { GatewayConnection } from './gatewaySocket.ts';
import type { Snapshots } from './snapshots.ts';

/** The window, as far as it decides who may use its servers. */
export interface SessionsHost extends Omit<ConsentHost, 'records'> {
  readonly servers: Pick<Servers, 'all' | 'onDidChange'>;
  readonly context: ServerContext;
  readonly snapshots: Snapshots;
}

/** The most time that a connector waits for a server that died; longer waits are told. */
const longestHold = 2000;

/** The sessions of all clients of a window. Whether there is one, and what it may do, is decided here. */
export class ClientSessions {
  readonly consent: ClientConsent;
  private readonly host: SessionsHost;
  private readonly sessions = new Map<ClientSession, Server>();
  private looks: FolderLooks | undefined;
  private readonly didChange = new Emitter<Server>();
  private isOver = false;

  /** Something about the clients of a server changed. */
  readonly onDidChange: Event<Server> = this.didChange.event;

  constructor(host: SessionsHost) {
    this.host = host;
    const { records } = host.context;
    this.consent = new ClientConsent({ ...host, records }, () => this.sessions);
    records.onDidChange(kind => isAnswer(kind) && this.followAnswers());
    host.servers.onDidChange(() => this.endRetired());
  }

  /** The clients of a server, in the order in which they came. */
  of(server: Server): readonly ClientSession[] {
    return [...this.sessions].flatMap(([session, its]) => (its === server ? session : []));
  }

  /** Takes a connector in, or tells it why not. Never rejects. */
  async accept(connection: GatewayConnection): Promise<void> {
    const socket = new ClientSocket(connection);
    try {
      const bundle = await loadClient();
      const usable = await this.usable(socket.hello.server);
      if (this.isOver) {
        // The connector looks for the next window.
        socket.close();
        return;
      }
      const { server } = usable;
      const session = this.newSession(socket, usable, bundle);
      this.sessions.set(session, server);
      session.onDidChange(() => this.didChange.fire(server));
      session.onDidEnd(() => {
        this.sessions.delete(session);
        this.didChange.fire(server);
      });
      this.didChange.fire(server);
      await session.begin();
    } catch (error) {
      socket.refuse(this.reasonOf(error));
    }
  }

  /** Ends all in order, and begins none any more. Settles when no process is left. */
  async endAll(): Promise<void> {
    this.isOver = true;
    await Promise.all([...this.sessions.keys()].map(session => session.leave()));
  }

  killAll(): void {
    for (const session of this.sessions.keys()) {
      session.kill();
    }
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
    // Looked at last, since the user may have taken something away meanwhile.
    const found = this.named(name);
    const { server } = found;
    const failure = server.deaths.failureAt(Date.now());
    const problem = whyUnusable(server) ?? (failure && whyFailed(server, failure));
    if (problem) {
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
    let wait = deaths.pauseAt(Date.now());
    // A timer may be early by a moment.
    while (wait > 0 && wait <= longestHold) {
      await new Promise<void>(resolve => afterReal(wait, resolve));
      wait = deaths.pauseAt(Date.now());
    }
  }

  private newSession(
    socket: ClientSocket,
    { name, server }: ServerOfClients<Server>,
    bundle: ClientBundle,
  ): ClientSession {
    this.looks ??= new bundle.FolderLooks();
    return new ClientSession(socket, {
      ...this.host,
      bundle,
      looks: this.looks,
      consent: this.consent,
      server,
      name,
      onSaid: said => this.host.snapshots.note(name, server, said),
    });
  }

  private followAnswers(): void {
    for (const [session, server] of this.sessions) {
      const { name } = session.client;
      const refused = [name, ...session.usedAs].find(
        one => this.consent.verdictOn(one, server) === false,
      );
      if (refused !== undefined) {
        void session.leave(this.consent.refusalOf(refused, server));
      } else if (this.consent.verdictOn(name, server)) {
        this.consent.settle(session);
      }
      this.didChange.fire(server);
    }
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
