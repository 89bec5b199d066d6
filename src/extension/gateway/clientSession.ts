import { Debounce } from '../../base/debounce.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { Verdict } from '../../domain/gate/asked.ts';
import { type Asking, judge, whyRefused, withoutRefused } from '../../domain/gate/gate.ts';
import { whyFailed } from '../../domain/gate/serverUsable.ts';
import type { LeftOut } from '../../domain/gateway/commonRoots.ts';
import type { JsonObject } from '../../domain/json.ts';
import { isHumanError, type Sentence, sentence } from '../../domain/sentence.ts';
import type { ManagedServer } from '../../mcp/life/managedServer.ts';
import type { ServerWords } from '../../mcp/link/clientRequests.ts';
import type { RelayHost } from '../../mcp/link/relay.ts';
import type { RelayLink } from '../../mcp/link/relayLink.ts';
import type { RelayedClient } from '../../mcp/link/relayRules.ts';
import type { FolderLooks } from '../../mcp/link/rootsOfClient.ts';
import type { ClientBundle } from '../servers/loadClient.ts';
import type { Server, ServerContext } from '../servers/server.ts';
import type { AskingSession, ClientConsent, ConsentHost } from './clientConsent.ts';
import type { ClientSocket } from './clientSocket.ts';
import type { KnownServer } from './knownServer.ts';
import { toolsIn } from './snapshots.ts';

/** The parts of a window that a client's session uses, and the session's server. */
export interface ClientSessionHost extends Pick<ConsentHost, 'activity' | 'editor'> {
  readonly text: (sentence: Sentence) => string;
  readonly bundle: ClientBundle;
  readonly looks: FolderLooks;
  readonly context: ServerContext;
  /** Decides what the client may do. `undefined`: the window itself is the client. */
  readonly consent?: ClientConsent;
  /** Answers in place of a process, until the client uses the server. */
  readonly known?: KnownServer | undefined;
  readonly server: Server;
  /** The server's name for clients. */
  readonly name: string;
  /** The tools that the server listed before this session. Empty if the server has changed since. */
  readonly listed: readonly JsonObject[];
  /**
   * Receives those answers of the server that clients may need while the server is away. Returns
   * whether clients were told something else until now.
   */
  readonly onSaid: (said: ServerWords) => boolean;
}

/** A tool as its server lists it, with a name. */
type ListedTool = JsonObject & { readonly name: string };

/** In ms: uses of the server within this time are announced as one change. */
const counting = { quiet: 1000, longest: 1000 };

/**
 * One client's connection to a server. A relay connects the client to a process of its own. The
 * session ends with the process, or when the process must restart. The connector then connects
 * again, for a new session. A session without a process ends with the first admitted use: the
 * connector repeats the use in a session with a process.
 */
export class ClientSession implements AskingSession {
  /** When the session began, in milliseconds since 1970. */
  readonly since = Date.now();
  private readonly link: RelayLink;
  private readonly socket: Omit<ClientSocket, 'first'>;
  private readonly host: ClientSessionHost;
  private readonly managed: ManagedServer<RelayLink>;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private readonly didEnd = this.store.add(new Emitter<Sentence | undefined>());
  /** An agent calls many times a second. If a row is redrawn as often, nobody can click it. */
  private readonly countSoon = this.store.add(new Debounce(() => this.didChange.fire(), counting));
  private uses = 0;
  /** The tools in the server's list for this client, by name. */
  private readonly tools = new Map<unknown, JsonObject>();
  /** The names of the tools that the client could see at the last `showsOthers`, one per line. */
  private shownTools = '';
  private hasMet = false;
  /** Whether the process has listed its tools, or was asked for them. */
  private hasListed = false;
  private _isWaiting = false;
  private why: Sentence | undefined;
  private isOver = false;
  private ending: Promise<void> | undefined;

  readonly onDidChange: Event<void> = this.didChange.event;

  /** Fires when no process is left. A value says why the client can't connect again. */
  readonly onDidEnd: Event<Sentence | undefined> = this.didEnd.event;

  /** @param first the client, as described in its first message. */
  constructor(socket: Omit<ClientSocket, 'first'>, first: RelayedClient, host: ClientSessionHost) {
    this.socket = socket;
    this.host = host;
    const { server, bundle, context, known } = host;
    this.link = new bundle.RelayLink(context.owner(bundle), first, {
      label: host.name,
      isOfWindow: ({ name }) => name === host.editor,
      looks: host.looks,
      write: line => socket.write(line),
      lookAgain: server.host.lookAgain,
      admit: (request, signal) => this.admit(request, signal),
      shown: (method, result) => withoutRefused(method, result, this.asking()),
    });
    const { definition, deaths } = server;
    const ofProcess = known ? { idle: undefined } : { deaths };
    const own = { ...server.host, ...ofProcess, ready: async () => {} };
    this.managed = this.store.add(new bundle.ManagedServer(definition, this.roots, own, this.link));
    // Without a process, the connector repeats each admitted request in the client's next session.
    if (!known) {
      this.managed.onDidUse(use => context.calls.note(use));
      server.followClient(this.managed);
    }
    this.noteTools(host.listed);
    this.link.onDidBegin(() => this.join());
    this.link.onDidSay(said => this.note(said));
    this.managed.onDidExpose(context.onExposure);
    this.managed.onDidUse(({ params, ended }) => {
      this.uses += 1;
      this.countSoon.request();
      void ended.then(() => this.lookAtTools(params));
    });
    this.managed.onDidChange(() => this.follow());
    this.store.add(
      server.onDidChange(() => {
        this.managed.setRoots(this.roots);
        if (this.showsOthers()) {
          this.link.relay?.announceTools();
        }
      }),
    );
  }

  /** The client's description of itself. Without a name until its handshake. */
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

  /** The last time the process got roots. */
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

  /** Whether the process asked for roots before, but not since its roots changed. */
  get isNeglecting(): boolean {
    return this.managed.record.isNeglecting;
  }

  /** The client's roots that the process does not get, with the reasons. */
  get leftOutRoots(): readonly LeftOut[] {
    return this.link.relay?.leftOutRoots ?? [];
  }

  /** The tools that the server has listed, also those that the client does not get. */
  get listedTools(): readonly ListedTool[] {
    return [...this.tools.values()].filter((tool): tool is ListedTool => {
      return typeof tool['name'] === 'string';
    });
  }

  /** How often the client used the server. Refused uses count, too. */
  get useCount(): number {
    return this.uses;
  }

  /** Whether the window itself asks the server, on behalf of clients without a process. */
  get isDiscovery(): boolean {
    return this.host.consent === undefined;
  }

  get hasProcess(): boolean {
    return this.host.known === undefined;
  }

  /** Connects the client to a new process, or to the stored answers. Never rejects. */
  async begin(): Promise<void> {
    const { known } = this.host;
    void this.socket.closed.then(() => this.close());
    const wire = known?.wire(error =>
      this.leave(isHumanError(error) ? error.sentence : sentence('{0}', String(error))),
    );
    await (wire ? this.link.start(wire, undefined) : this.managed.start('by-itself'));
  }

  /** Ends the session if the client is refused now, or has a process without permission. */
  leaveIfUnfit(): void {
    const { consent, server } = this.host;
    const client = consent?.factsOn(this.client.name, server);
    const isAllowed = client?.isAllowed;
    if (isAllowed === false) {
      void this.leave(whyRefused({ server, client }));
    } else if (consent && this.hasProcess && !isAllowed) {
      void this.leave();
    }
  }

  /**
   * Ends the session, and tells the connector so. The connector connects again, unless `why` says
   * why a new connection would be useless. Settles when no process is left.
   *
   * @param isUsed whether the client's next session needs a process at once.
   */
  leave(why?: Sentence, isUsed = false): Promise<void> {
    this.why ??= why;
    this.socket.bye(this.link.relay?.passedOn ?? [], why && this.host.text(why), isUsed);
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

  /** Stores an answer of the server. The client has given its name before this. */
  private note(said: ServerWords): void {
    this.noteTools(toolsIn(said));
    this.hasListed ||= said.method === 'tools/list';
    if (this.hasProcess) {
      if (!this.hasMet && this.client.name && !this.isDiscovery) {
        this.hasMet = true;
        this.host.activity.add({ kind: 'session-began', ...this.happening() });
      }
      this.host.onSaid(said);
    }
    this.didChange.fire();
  }

  /**
   * Asks a process for its tools, once, if the client has not. Stores them for the next start. If
   * other tools were stored, tells the client.
   *
   * @param params the parameters of the client's first use.
   */
  private async lookAtTools(params: JsonObject): Promise<void> {
    const { relay } = this.link;
    const canWait = this.socket.hello.isUsed !== undefined;
    const isDue = canWait && this.hasProcess && !this.hasListed && !this.isOver;
    this.hasListed = true;
    const said = isDue ? await relay?.toolsNow(params) : undefined;
    if (said && this.host.onSaid(said)) {
      this.noteTools(toolsIn(said));
      relay?.announceTools();
    }
  }

  private noteTools(tools: readonly JsonObject[]): void {
    for (const tool of tools) {
      this.tools.set(tool['name'], tool);
    }
    this.showsOthers();
  }

  /** Whether the gate shows the client other tools than at the last call of this function. */
  private showsOthers(): boolean {
    const before = this.shownTools;
    const listed = { tools: [...this.tools.values()] };
    const { tools } = withoutRefused('tools/list', listed, this.asking());
    this.shownTools = (tools as typeof listed.tools).map(({ name }) => name).join('\n');
    return this.shownTools !== before;
  }

  private happening() {
    const { id: serverId, label: serverLabel } = this.host.server.definition;
    const { name: client } = this.client;
    return { at: Date.now(), serverId, serverLabel, ...(client && { client }) };
  }

  /** The roots of this client's process, at its start and after each change. */
  private get roots() {
    return this.host.server.startRoots;
  }

  /** The server and the client, for the gate. */
  private asking(): Asking {
    const { server, consent } = this.host;
    return { server, client: consent?.factsOn(this.client.name, server) };
  }

  /** Returns why a request is refused, now or after a wait. `undefined`: the request passes. */
  private admit(
    { method, params = {} }: Parameters<RelayHost['admit']>[0],
    signal: AbortSignal,
  ): Promise<string | undefined> | undefined {
    const tool = this.tools.get(params['name']);
    const judged = () => judge({ method, params, tool, ...this.asking() });
    const { kind } = judged();
    if (kind === 'free') {
      return undefined;
    }
    const pageAnswered = this.host.context.accesses.page.answered();
    const admission =
      kind === 'passes' && !pageAnswered ? undefined : this.decide(judged, signal, pageAnswered);
    return this.hasProcess ? admission : this.goOnElsewhere(admission);
  }

  /** Judges a request after a wait for the window's page, and again after the user's answer. */
  private async decide(
    judged: () => Verdict,
    signal: AbortSignal,
    pageAnswered: Promise<unknown> | undefined,
  ): Promise<string | undefined> {
    const { server, consent, text } = this.host;
    await pageAnswered;
    // A cancelled request needs no question and gets no response.
    if (signal.aborted) {
      return '';
    }
    if (judged().kind === 'asks') {
      await consent?.ask(this, server, signal);
    }
    const verdict = judged();
    switch (verdict.kind) {
      case 'asks':
        return text(unanswered(this.client.name, server));
      case 'refused':
        return text(verdict.why);
      default:
        return undefined;
    }
  }

  /** If a request is admitted, ends this session. The next session gets the request again. */
  private async goOnElsewhere(admission: Promise<string | undefined> | undefined): Promise<string> {
    const refusal = await admission;
    if (refusal === undefined) {
      void this.leave(undefined, true);
    }
    return refusal ?? '';
  }

  /** Ends the session when its process ends, or would be started again. */
  private follow(): void {
    const { managed, link, host } = this;
    const { state } = managed;
    if (!this.isOver) {
      if (state.kind === 'failed') {
        const isTriedAgain = managed.plan.kind === 'waiting';
        void this.leave(isTriedAgain ? undefined : whyFailed(host.server, state.failure));
      } else if (state.kind === 'stopped' || link.state.kind === 'stopping') {
        void this.leave(whyRefused({ server: host.server }));
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

function unanswered(client: string, { definition }: Server): Sentence {
  return sentence(
    'The user has not answered yet whether "{0}" may use "{1}". Ask the user to answer in the view of MCP Roots, then try again.',
    client,
    definition.label,
  );
}
