import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Folder } from '../../domain/folders/folders.ts';
import type { AskingClient } from '../gateway/clientQuestion.ts';
import type { Clients } from '../gateway/clients.ts';
import type { Elicitations, OpenElicitation } from '../servers/elicitations.ts';
import type { Server } from '../servers/server.ts';
import type { Servers } from '../servers/servers.ts';

/** A question that waits for the user's answer, whether a message on it was shown or not. */
export type OpenQuestion =
  /** A running server that is not told of these folders before. */
  | { readonly kind: 'folders'; readonly server: Server; readonly folders: readonly Folder[] }
  /** Which servers a client may use, of those that it wants. */
  | { readonly kind: 'client'; readonly client: AskingClient }
  /** The server is another one now, and is not started before. */
  | { readonly kind: 'start'; readonly server: Server }
  /** The server asks the user something. */
  | {
      readonly kind: 'elicitation';
      readonly server: Server;
      readonly elicitation: OpenElicitation;
    };

/** The servers whose start waits for an answer. */
interface WaitingStarts {
  readonly waiting: readonly Server[];
  readonly onDidChange: Event<void>;
}

/** All questions of a window that wait for the user's answer. They are asked by `askOpenQuestion`. */
export class OpenQuestions implements IDisposable {
  private readonly servers: Pick<Servers, 'all' | 'withId'>;
  private readonly clients: Pick<Clients, 'of' | 'waiting'>;
  private readonly changed: WaitingStarts;
  private readonly elicitations: Pick<Elicitations, 'open'>;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<Server | undefined>());

  /** Fires when the questions on this server may have changed; `undefined`: on any. */
  readonly onDidChange: Event<Server | undefined> = this.didChange.event;

  constructor(
    servers: Pick<Servers, 'all' | 'withId' | 'onDidChange'>,
    clients: Pick<Clients, 'of' | 'waiting' | 'onDidChange'>,
    changed: WaitingStarts,
    elicitations: Pick<Elicitations, 'open' | 'onDidChange'>,
  ) {
    this.servers = servers;
    this.clients = clients;
    this.changed = changed;
    this.elicitations = elicitations;
    for (const { onDidChange } of [servers, clients]) {
      this.store.add(onDidChange(which => this.didChange.fire(which)));
    }
    for (const { onDidChange } of [changed, elicitations]) {
      this.store.add(onDidChange(() => this.didChange.fire(undefined)));
    }
  }

  /** Those about servers in the order of the servers, then those about clients. */
  get all(): readonly OpenQuestion[] {
    return [
      ...this.servers.all.flatMap(server => this.ofOnly(server)),
      ...this.clients.waiting.map(onClient),
    ];
  }

  /** The questions about one server, and about the clients that wait for it. */
  of(server: Server): readonly OpenQuestion[] {
    const waiting = this.clients
      .of(server)
      .flatMap(({ name, session }) => (session?.isWaiting ? [name] : []));
    const asking = this.clients.waiting.filter(({ name }) => waiting.includes(name));
    return [...this.ofOnly(server), ...asking.map(onClient)];
  }

  private ofOnly(server: Server): readonly OpenQuestion[] {
    const { id } = server.definition;
    return [
      ...(this.changed.waiting.includes(server) ? [{ kind: 'start', server } as const] : []),
      ...(server.isLive ? onFolders(server) : []),
      ...this.elicitations.open
        .filter(open => open.server.id === id)
        .map(elicitation => ({ kind: 'elicitation', server, elicitation }) as const),
    ];
  }

  dispose(): void {
    this.store.dispose();
  }
}

function onClient(client: AskingClient): OpenQuestion {
  return { kind: 'client', client };
}

function onFolders(server: Server): OpenQuestion[] {
  const { waiting: folders } = server.access;
  return folders.length > 0 ? [{ kind: 'folders', server, folders }] : [];
}
