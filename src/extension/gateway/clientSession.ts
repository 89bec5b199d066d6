import { Debounce } from '../../base/debounce.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { LeftOut } from '../../domain/gateway/commonRoots.ts';
import { whyFailed, whyUnusable } from '../../domain/gateway/usable.ts';
import { isHumanError, type Sentence, sentence } from '../../domain/sentence.ts';
import type { ManagedServer } from '../../mcp/managedServer.ts';
import type { ServerWords } from '../../mcp/relay.ts';
import type { RelayLink } from '../../mcp/relayLink.ts';
import type { RelayedClient } from '../../mcp/relayRules.ts';
import type { FolderLooks } from '../../mcp/rootsOfClient.ts';
import type { ClientBundle } from '../servers/loadClient.ts';
import type { Server, ServerContext } from '../servers/server.ts';
import type { AskingSession, ClientConsent, ConsentHost } from './clientConsent.ts';
import type { ClientSocket } from './clientSocket.ts';
import type { KnownServer } from './knownServer.ts';

/** The window, as far as it decides for a session. */
export interface ClientSessionHost extends Pick<ConsentHost, 'activity' | 'editor' | 'text'> {
  readonly bundle: ClientBundle;
  readonly looks: FolderLooks;
  readonly context: ServerContext;
  /** Decides what the client may do; left out: the client is the window itself. */
  readonly consent?: ClientConsent;
  /** Answers a client that the user has not allowed, in the place of a process. */
  readonly known?: KnownServer | undefined;
  readonly server: Server;
  /** The name by which clients know the server. */
  readonly name: string;
  /** The server said what is worth knowing when it is away. */
  readonly onSaid: (said: ServerWords) => void;
}

/** Uses that come together are shown together. */
const counting = { quiet: 1000, longest: 1000 };
/** Changes of the folders that come together cost one restart. */
const burst = { quiet: 300, longest: 2000 };

/**
 * One client with a managed server that is its own, whose link is a relay. It lives as long as its
 * process: where that ends, or only a start brings it a change, the client's connector comes again for
 * another. A client that the user has not allowed has no process: once it is allowed, it comes again.
 */
export class ClientSession implements AskingSession {
  /** When it began, in milliseconds since 1970. */
  readonly since = Date.now();
  private readonly link: RelayLink;
  private readonly socket: Omit<ClientSocket, 'first'>;
  private readonly host: ClientSessionHost;
  private readonly managed: ManagedServer<RelayLink>;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private readonly didEnd = this.store.add(new Emitter<Sentence | undefined>());
  /** An agent at work calls many times a second; rows that are drawn as often can't be clicked. */
  private readonly countSoon = this.store.add(new Debounce(() => this.didChange.fire(), counting));
  private uses = 0;
  private hasMet = false;
  private _isWaiting = false;
  private why: Sentence | undefined;
  private isOver = false;
  private ending: Promise<void> | undefined;

  readonly onDidChange: Event<void> = this.didChange.event;

  /** No process is left. Told is why its client need not come again. */
  readonly onDidEnd: Event<Sentence | undefined> = this.didEnd.event;

  /** @param first the client by its first message. */
  constructor(socket: Omit<ClientSocket, 'first'>, first: RelayedClient, host: ClientSessionHost) {
    this.socket = socket;
    this.host = host;
    const { server, bundle, context, known } = host;
    const lookAgain = () => context.accesses.lookAgain();
    this.link = new bundle.RelayLink(context.owner(bundle), first, {
      label: host.name,
      isOfWindow: ({ name }) => name === host.editor,
      looks: host.looks,
      write: line => socket.write(line),
      lookAgain,
      admit: signal => this.admit(signal),
    });
    const { definition, startRoots } = server;
    this.managed = this.store.add(
      new bundle.ManagedServer(
        definition,
        startRoots,
        {
          burst,
          ...(!known && { deaths: server.deaths }),
          ready: async () => {},
          target: ({ roots, mode, signal }) => server.target(roots, mode, signal),
          admit: start => context.starts.run(start),
          lookAgain,
          logger: context.logger,
        },
        this.link,
      ),
    );
    if (!known) {
      server.followClient(this.managed);
    }
    this.link.onDidBegin(() => this.join());
    this.link.onDidSay(said => this.note(said));
    this.managed.onDidExpose(context.onExposure);
    this.managed.onDidChange(() => this.follow());
    this.store.add(server.onDidChange(() => this.managed.setRoots(server.startRoots)));
  }

  /** The client, as it describes itself; nameless until its handshake. */
  get client(): RelayedClient {
    return this.link.client;
  }

  get cwd(): string {
    return this.socket.hello.cwd;
  }

  get state(): 'starting' | 'running' | 'ended' {
    if (this.isOver) {
      return 'ended';
    }
    return this.managed.state.kind === 'running' ? 'running' : 'starting';
  }

  /** The last occasion on which its process was told of its roots. */
  get lastExposure(): Exposure | undefined {
    return this.managed.record.lastExposure;
  }

  get isWaiting(): boolean {
    return this._isWaiting;
  }

  set isWaiting(isWaiting: boolean) {
    if (isWaiting !== this._isWaiting) {
      this._isWaiting = isWaiting;
      this.didChange.fire();
    }
  }

  /** Whether its process was told that its roots changed, had asked before, and has not asked again. */
  get isNeglecting(): boolean {
    return this.managed.record.isNeglecting;
  }

  /** The roots of the client that its process is not told of, and why. */
  get leftOutRoots(): readonly LeftOut[] {
    return this.link.relay?.leftOutRoots ?? [];
  }

  /** The count of the client's uses of the server, refused ones too. */
  get useCount(): number {
    return this.uses;
  }

  /** Whether the window itself asks the server what it is, for clients without a process. */
  get isDiscovery(): boolean {
    return this.host.consent === undefined;
  }

  get hasProcess(): boolean {
    return this.host.known === undefined;
  }

  /** Joins the client to a process that it starts, or to what is known. Never rejects. */
  async begin(): Promise<void> {
    const { known } = this.host;
    void this.socket.closed.then(() => this.close());
    const wire = known?.wire(error =>
      this.leave(isHumanError(error) ? error.sentence : sentence('{0}', String(error))),
    );
    await (wire ? this.link.start(wire, undefined) : this.managed.start('by-itself'));
  }

  /** Ends a session that does not fit the user's answer any more. */
  leaveIfUnfit(): void {
    const { consent, server } = this.host;
    const { name } = this.client;
    const verdict = consent?.verdictOn(name, server);
    if (consent && verdict === false) {
      void this.leave(consent.refusalOf(name, server));
    } else if (consent && (verdict ?? false) !== this.hasProcess) {
      void this.leave();
    }
  }

  /**
   * Ends it in order: the connector comes again, unless it is told why there is no use in that. Settles
   * when no process is left.
   */
  leave(why?: Sentence): Promise<void> {
    this.why ??= why;
    this.socket.bye(this.link.relay?.passedOn ?? [], why && this.host.text(why));
    return this.close();
  }

  kill(): void {
    this.managed.kill();
  }

  private join(): void {
    const { link, socket } = this;
    socket.listen(
      (message, line) => {
        const isNamed = this.client.name !== '';
        link.relay?.takeFromClient(message, line);
        if (!isNamed) {
          this.leaveIfUnfit();
        }
      },
      () => link.drained(),
    );
  }

  /** The server has answered: the client has said who it is. */
  private note(said: ServerWords): void {
    if (this.hasProcess) {
      if (!this.hasMet && this.client.name && !this.isDiscovery) {
        this.hasMet = true;
        this.host.activity.add({ kind: 'session-began', ...this.happening() });
      }
      this.host.onSaid(said);
    }
    this.didChange.fire();
  }

  private happening() {
    const { id: serverId, label: serverLabel } = this.host.server.definition;
    const { name: client } = this.client;
    return { at: Date.now(), serverId, serverLabel, ...(client && { client }) };
  }

  private admit(signal: AbortSignal): Promise<string | undefined> | undefined {
    const { server, consent, text, context } = this.host;
    this.uses += 1;
    this.countSoon.request();
    const judge = () => {
      const problem = whyUnusable(server);
      return problem ? Promise.resolve(text(problem)) : consent?.admit(this, server, signal);
    };
    const answered = context.accesses.page.answered();
    // Of what was cancelled meanwhile nobody is asked, and no response to it is sent.
    const admission =
      answered === undefined ? judge() : answered.then(() => (signal.aborted ? '' : judge()));
    return this.hasProcess ? admission : this.goOnElsewhere(admission);
  }

  /** What is admitted goes on in the session with a process. The connector comes again: `''` is not sent. */
  private async goOnElsewhere(admission: Promise<string | undefined> | undefined): Promise<string> {
    const refusal = await admission;
    if (refusal === undefined) {
      void this.leave();
    }
    return refusal ?? '';
  }

  /** The session ends with its process, and instead of a start of another one. */
  private follow(): void {
    const { managed, link, host } = this;
    const { state } = managed;
    if (!this.isOver) {
      if (state.kind === 'failed') {
        const isTriedAgain = managed.plan.kind === 'waiting';
        void this.leave(isTriedAgain ? undefined : whyFailed(host.server, state.failure));
      } else if (state.kind === 'stopped' || link.state.kind === 'stopping') {
        void this.leave(whyUnusable(host.server));
      }
    }
    this.didChange.fire();
  }

  private close(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    this.isOver = true;
    this.socket.close();
    await this.managed.stop();
    if (this.hasMet) {
      const { why } = this;
      this.host.activity.add({
        kind: 'session-ended',
        ...this.happening(),
        ...(why && { reason: why }),
      });
    }
    this.didEnd.fire(this.why);
    this.store.dispose();
  }
}
