import type { IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { HumanError } from '../../domain/sentence.ts';
import type { Server } from '../servers/server.ts';
import type { ServerRecords } from '../servers/serverRecords.ts';
import { type AskingClient, verdictOn } from './clientConsent.ts';
import type { ClientSession } from './clientSession.ts';
import type { ClientSessions } from './clientSessions.ts';

/** The way by which clients reach the servers of a window. */
export interface Gateway {
  readonly sessions: ClientSessions;
  /** Ends all sessions. Settles when no process of theirs is left. */
  end(): Promise<void>;
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

/** The clients of the servers of this window, from when its gateway is open. */
export class Clients implements IDisposable {
  private readonly records: ServerRecords;
  private readonly editor: string;
  private readonly didChange = new Emitter<Server | undefined>();
  private gateway: Gateway | undefined;

  /** Something about the clients of a server changed; `undefined`: of any. */
  readonly onDidChange: Event<Server | undefined> = this.didChange.event;

  /** @param editor the name under which the editor's own agents come. */
  constructor(records: ServerRecords, editor: string) {
    this.editor = editor;
    this.records = records;
    records.onDidChange(kind => kind === 'client' && this.didChange.fire(undefined));
  }

  begin(gateway: Gateway): void {
    this.gateway = gateway;
    gateway.sessions.onDidChange(server => this.didChange.fire(server));
  }

  /** Whether any client can come. */
  get isOpen(): boolean {
    return this.gateway !== undefined;
  }

  of(server: Server): readonly ClientOfServer[] {
    const sessions = this.gateway?.sessions.of(server) ?? [];
    const present = new Set(sessions.map(({ client }) => client.name));
    const answered = new Set(this.records.answers('client', server).map(({ about }) => about));
    const clientOf = (name: string, session: ClientSession | undefined): ClientOfServer => {
      const isAllowed = verdictOn(this.records, this.editor, name, server);
      return { server, name, isAllowed, session };
    };
    return [
      ...sessions.map(session => clientOf(session.client.name, session)),
      ...[...answered].filter(name => !present.has(name)).map(name => clientOf(name, undefined)),
    ];
  }

  /**
   * Keeps what the user answers about a client; `undefined`: to be asked again.
   *
   * @throws {HumanError} when the gateway is not open.
   */
  async answer({ name, server }: ClientOfServer, isAllowed: boolean | undefined): Promise<void> {
    if (!this.gateway) {
      throw new HumanError("Clients can't be answered: the gateway of this window is not open.");
    }
    await this.gateway.sessions.consent.answer(name, server, isAllowed);
  }

  /** The clients that wait for the user's answer. */
  get waiting(): readonly AskingClient[] {
    return this.gateway?.sessions.consent.waiting ?? [];
  }

  /** The waiting clients that have called this server. */
  waitingFor(server: Server): readonly AskingClient[] {
    const sessions = this.gateway?.sessions.of(server) ?? [];
    const names = sessions.flatMap(({ isWaiting, client }) => (isWaiting ? [client.name] : []));
    return this.waiting.filter(({ name }) => names.includes(name));
  }

  async end(): Promise<void> {
    await this.gateway?.end();
  }

  killAll(): void {
    this.gateway?.sessions.killAll();
  }

  dispose(): void {
    this.didChange.dispose();
  }
}
