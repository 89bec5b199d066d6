import type { IDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Server } from '../servers/server.ts';
import type * as vscode from '../vscode.ts';

/** A server as it is: another one is asked about anew. */
type Asked = Pick<Server, 'identity'> & {
  readonly definition: Pick<Server['definition'], 'id'>;
};

/** The user's answer whether a client may use a server. */
export interface ClientAnswer {
  /** The name that the client gives itself. */
  readonly client: string;
  readonly serverId: string;
  /** The server's identity then. A permission holds for no other; a refusal does. */
  readonly identity: string;
  readonly isAllowed: boolean;
}

/** How long an answer holds: until the window closes, or in this workspace. */
export type ClientScope = 'session' | 'workspace';

const key = 'clientAnswers';

/** The user's answers on clients, kept in the editor's state. What can't be read there allows nothing. */
export class ClientAnswers implements IDisposable {
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly didChange = new Emitter<void>();
  private session: readonly ClientAnswer[] = [];

  readonly onDidChange = this.didChange.event;

  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.memory = memory;
  }

  /** The clients that were allowed something. */
  get names(): readonly string[] {
    const allowed = this.all.filter(({ isAllowed }) => isAllowed);
    return [...new Set(allowed.map(({ client }) => client))];
  }

  /** The answers on a server as it is. */
  on({ definition, identity }: Asked): readonly ClientAnswer[] {
    return this.all.filter(
      answer =>
        answer.serverId === definition.id && (!answer.isAllowed || answer.identity === identity),
    );
  }

  /** Whether a client may use a server; `undefined` when that was not answered. */
  of(client: string, server: Asked): boolean | undefined {
    const own = this.on(server).filter(answer => answer.client === client);
    return own.length === 0 ? undefined : own.every(({ isAllowed }) => isAllowed);
  }

  /** Keeps an answer in the place of earlier ones; `undefined`: there is to be none. */
  async set(
    client: string,
    { definition: { id: serverId }, identity }: Asked,
    isAllowed: boolean | undefined,
    scope: ClientScope,
  ): Promise<void> {
    const isOther = (answer: ClientAnswer) =>
      answer.client !== client || answer.serverId !== serverId;
    const answer = isAllowed === undefined ? [] : [{ client, serverId, identity, isAllowed }];
    const kept = this.stored.filter(isOther);
    this.session = [...this.session.filter(isOther), ...(scope === 'session' ? answer : [])];
    const written = this.memory.update(key, [...kept, ...(scope === 'workspace' ? answer : [])]);
    this.didChange.fire();
    await written;
  }

  /** The ids of the servers that a client was allowed to use, as they are or were. */
  get allowedServers(): readonly string[] {
    return this.all.flatMap(({ serverId, isAllowed }) => (isAllowed ? [serverId] : []));
  }

  /** Withdraws all that clients were allowed on these servers. Refusals stay. */
  async revoke(serverIds: readonly string[]): Promise<void> {
    await this.change(answer =>
      answer.isAllowed && serverIds.includes(answer.serverId) ? [] : [answer],
    );
  }

  dispose(): void {
    this.didChange.dispose();
  }

  /** Keeps these answers in the place of each. */
  async change(change: (answer: ClientAnswer) => readonly ClientAnswer[]): Promise<void> {
    this.session = this.session.flatMap(change);
    const written = this.memory.update(key, this.stored.flatMap(change));
    this.didChange.fire();
    await written;
  }

  private get all(): readonly ClientAnswer[] {
    return [...this.session, ...this.stored];
  }

  private get stored(): readonly ClientAnswer[] {
    const stored: unknown = this.memory.get(key);
    return Array.isArray(stored) ? stored.filter(isAnswer) : [];
  }
}

function isAnswer(value: unknown): value is ClientAnswer {
  const { client, serverId, identity, isAllowed } = Object(value);
  const texts = [client, serverId, identity];
  return texts.every(text => typeof text === 'string') && typeof isAllowed === 'boolean';
}
