import { afterReal } from '../../base/clock.ts';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ServerEvent } from '../../domain/activity.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { LeftOut } from '../../domain/gateway/commonRoots.ts';
import type { Sentence } from '../../domain/sentence.ts';
import {
  isSameStart,
  type RootsAtStart,
  rootsEffect,
  type StartRoot,
  seenRoots,
  startAge,
} from '../../domain/servers/rootsChange.ts';
import { configurationRoutes } from '../../domain/servers/serverDefinition.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import type { Target } from '../../mcp/openWire.ts';
import type { Relay, RelayedClient, ServerWords } from '../../mcp/relay.ts';
import type { ProcessOwner } from '../../mcp/stdio/processOwner.ts';
import type { Wire } from '../../mcp/wire.ts';
import type { ClientBundle } from '../servers/loadClient.ts';
import type { Server } from '../servers/server.ts';
import type { ClientSocket } from './clientSocket.ts';

/** The part of a server that a session needs. */
export type SessionServer = Pick<
  Server,
  'definition' | 'startRoots' | 'target' | 'onDidChange' | 'logClient' | 'noteMissed'
>;

/** A session has begun, or is over. */
export type SessionEvent = Extract<
  ServerEvent,
  { readonly kind: 'session-began' | 'session-ended' }
>;

/** The window, as far as it decides for a session. */
export interface ClientSessionHost {
  readonly bundle: ClientBundle;
  readonly owner: ProcessOwner;
  readonly server: SessionServer;
  /** The name by which clients know the server. */
  readonly name: string;
  /** Why no client can use the server now. */
  readonly problem: () => Sentence | undefined;
  readonly text: (sentence: Sentence) => string;
  /** Runs the start of a process when there is room for it; settles as that does. */
  readonly start: (start: () => Promise<void>) => Promise<unknown>;
  readonly lookAgain: () => Promise<void>;
  /** The user's answer on the client of this name; `undefined`: none yet. */
  readonly verdictOn: (name: string) => boolean | undefined;
  /** The refusal for a client that the user does not allow to use the server. */
  readonly refusalOf: (name: string) => Sentence;
  /** The name under which the window's own agents come. */
  readonly editor: string;
  /** Whether a client may use the server in this way: why not, in finished sentences. */
  readonly admit: (
    session: ClientSession,
    signal: AbortSignal,
  ) => Promise<string | undefined> | undefined;
  readonly reasonOf: (error: unknown) => string;
  readonly onExposure: (exposure: Exposure) => void;
  readonly onEvent: (event: SessionEvent) => void;
  /** The server said what is worth knowing when it is away. */
  readonly onSaid: (said: ServerWords) => void;
  /**
   * The server could not be started, or ended by itself.
   *
   * @returns what the client is told; `undefined`: nothing, since another start is worth a try.
   */
  readonly onFailure: (failure: Failure, upSince: number | undefined) => Sentence | undefined;
}

/** Uses that come together are shown together. */
const counting = { quiet: 1000, longest: 1000 };
/** Changes of the folders that come together cost one restart. */
const burst = { quiet: 300, longest: 2000 };
/** How long a process in a sandbox has to end that lost a root, in milliseconds. */
const mostAfterLoss = 400;

/**
 * One client with a process of one server that is its own. It lives as long as that: where the server
 * ends, or only a start brings it a change, the client's connector comes again for another.
 */
export class ClientSession {
  /** When it began, in milliseconds since 1970. */
  readonly since = Date.now();
  /** The names under which it was let through: a client can change its own. */
  readonly usedAs = new Set<string>();
  private readonly socket: ClientSocket;
  private readonly host: ClientSessionHost;
  private readonly store = new DisposableStore();
  private readonly attempt = new AbortController();
  private readonly didChange = this.store.add(new Emitter<void>());
  private readonly didEnd = this.store.add(new Emitter<void>());
  /** An agent at work calls many times a second; rows that are drawn as often can't be clicked. */
  private readonly countSoon = this.store.add(new Debounce(() => this.didChange.fire(), counting));
  private readonly restartSoon = this.store.add(new Debounce(() => void this.leave(), burst));
  private roots: readonly StartRoot[] | undefined;
  private launched: RootsAtStart | undefined;
  private wire: Wire | undefined;
  private relay: Relay | undefined;
  /** The client's name in its first message. */
  private firstName = '';
  private upSince: number | undefined;
  private exposure: Exposure | undefined;
  private uses = 0;
  private hasMet = false;
  private _isWaiting = false;
  private neglects = false;
  private why: Sentence | undefined;
  private ending: Promise<void> | undefined;

  /** Anything that can be read here. */
  readonly onDidChange: Event<void> = this.didChange.event;

  /** No process is left. */
  readonly onDidEnd: Event<void> = this.didEnd.event;

  constructor(socket: ClientSocket, host: ClientSessionHost) {
    this.socket = socket;
    this.host = host;
    this.roots = host.server.startRoots;
  }

  get server(): SessionServer {
    return this.host.server;
  }

  /** The client, as it describes itself; nameless until its handshake. */
  get client(): RelayedClient {
    return this.relay?.client ?? { name: this.firstName, version: '' };
  }

  /** Where the client was started. */
  get cwd(): string {
    return this.socket.hello.cwd;
  }

  get state(): 'starting' | 'running' | 'ended' {
    if (this.ending !== undefined) {
      return 'ended';
    }
    return this.upSince === undefined ? 'starting' : 'running';
  }

  /** The last occasion on which its process was told of its roots. */
  get lastExposure(): Exposure | undefined {
    return this.exposure;
  }

  /** Whether the client wants to use the server and the user has not said yet whether it may. */
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
    return this.neglects;
  }

  /** The roots of the client that its process is not told of, and why. */
  get leftOutRoots(): readonly LeftOut[] {
    return this.relay?.leftOutRoots ?? [];
  }

  /** How often the client has used the server, or wanted to. */
  get useCount(): number {
    return this.uses;
  }

  /** Starts the process, and joins the client to it. Never rejects. */
  async begin(): Promise<void> {
    const { host, socket } = this;
    this.store.add(host.server.onDidChange(() => this.follow()));
    socket.welcome(() => void this.close());
    try {
      const name = host.bundle.clientNameIn(await socket.first());
      this.firstName = name;
      if (this.ending !== undefined) {
        return;
      }
      // Nothing is started for a client that the user does not allow; each names itself at once.
      if (host.verdictOn(name) === false) {
        await this.leave(host.refusalOf(name));
        return;
      }
      await host.start(() => this.launch());
    } catch (error) {
      if (this.ending === undefined) {
        this.fail({ kind: 'not-started', message: host.reasonOf(error) });
      }
    }
  }

  /**
   * Ends it in order: the connector comes again, unless it is told why there is no use in that. Settles
   * when no process is left.
   */
  leave(why?: Sentence): Promise<void> {
    this.why ??= why;
    this.socket.bye(this.relay?.passedOn ?? [], why && this.host.text(why));
    return this.close();
  }

  /** Kills the process at once. For the last moment of our own process. */
  kill(): void {
    this.wire?.kill();
  }

  private async launch(): Promise<void> {
    const { host, socket } = this;
    const { server, bundle, owner } = host;
    const { signal } = this.attempt;
    const preparation = {
      roots: () => this.roots,
      target: (roots: readonly StartRoot[]) => server.target(roots, 'by-itself', signal),
    };
    const target = await bundle.preparedTarget(preparation, host.lookAgain, signal);
    if (target && this.ending === undefined && socket.isOpen) {
      const secrets = new bundle.KnownSecrets(target.secrets);
      const wire = bundle.openWire(target, owner, secrets, bundle.defaultTimes);
      const who = () => this.client.name || this.cwd;
      this.store.add(server.logClient(wire, who, text => secrets.redacted(text)));
      const missed = new bundle.MissedPaths(() => server.noteMissed(missed));
      missed.begin('sandbox' in target ? target.sandbox : undefined);
      missed.follow(wire);
      server.noteMissed(missed);
      this.join(wire, target);
      await wire.start();
      if (wire.pid !== null) {
        this.expose(target);
      }
    } else {
      await this.close();
    }
  }

  private join(wire: Wire, target: Target): void {
    const { host, socket, roots } = this;
    const { definition } = host.server;
    const isSandboxed = 'sandbox' in target && target.sandbox !== undefined;
    this.launched = { launch: definition.launch, roots, isSandboxed };
    const offered = definition.rootsAs.includes('roots') ? roots : undefined;
    const relay = new host.bundle.Relay(wire, offered, {
      label: host.name,
      mayUse: ({ name }) => host.verdictOn(name) === true,
      isOfWindow: ({ name }) => name === host.editor,
      write: line => socket.write(line),
      lookAgain: host.lookAgain,
      admit: (_client, _wanted, signal) => this.admit(signal),
      after: afterReal,
    });
    this.wire = wire;
    this.relay = this.store.add(relay);
    relay.onDidSay(said => {
      this.meet();
      host.onSaid(said);
    });
    relay.onDidServeRoots(answer => this.tell(answer));
    relay.onDidNeglect(neglects => {
      this.neglects = neglects;
      this.didChange.fire();
    });
    // Of what both have, nothing is left: by the client, or by what the user took away.
    relay.onDidLoseRoots(() => this.endNow());
    void wire.ended.then(failure => this.ending ?? this.fail(failure));
    socket.listen(
      (message, line) => relay.takeFromClient(message, line),
      () => wire.drained?.(),
    );
  }

  /** The server has answered: it runs, and the client has said who it is. */
  private meet(): void {
    this.upSince ??= Date.now();
    if (!this.hasMet && this.client.name) {
      this.hasMet = true;
      this.host.onEvent({ kind: 'session-began', ...this.happening() });
    }
    this.didChange.fire();
  }

  private happening() {
    const { id: serverId, label: serverLabel } = this.host.server.definition;
    const { name: client } = this.client;
    return { at: Date.now(), serverId, serverLabel, ...(client && { client }) };
  }

  private admit(signal: AbortSignal): Promise<string | undefined> | undefined {
    this.uses += 1;
    this.countSoon.request();
    return this.host.admit(this, signal);
  }

  /** The roots that it was started with. */
  private expose(target: Target): void {
    const { rootsAs } = this.host.server.definition;
    const isSandboxed = 'sandbox' in target && target.sandbox !== undefined;
    const as = [...configurationRoutes(rootsAs), ...(isSandboxed ? ['mount' as const] : [])];
    const roots = (this.launched?.roots ?? []).map(({ uri, name }) => ({ uri, name }));
    if (as.length > 0 && roots.length > 0) {
      this.tell({ trigger: { kind: 'launch', as }, count: 1, roots });
    }
  }

  private tell(told: Pick<Exposure, 'trigger' | 'count' | 'roots' | 'era'>): void {
    this.exposure = { ...this.happening(), ...told };
    this.host.onExposure(this.exposure);
    this.didChange.fire();
  }

  /** Brings what has changed about the server to its process. */
  private follow(): void {
    const { host } = this;
    const { server } = host;
    const { launched } = this;
    const before = launched && !launched.roots ? [] : (this.roots ?? []);
    const now = server.startRoots ?? [];
    if (isSameStart(before, now)) {
      return;
    }
    this.roots = server.startRoots;
    this.relay?.setRoots(launched ? seenRoots(launched, now) : now);
    const effect = rootsEffect(launched, before, now);
    const isLost = launched !== undefined && startAge(launched, now) === 'lost';
    if (effect === 'stop' || isLost) {
      this.endNow();
    } else if (effect === 'restart') {
      this.restartSoon.request();
    }
    this.didChange.fire();
  }

  /** Ends a process that would go on with what it was told before. */
  private endNow(): void {
    void this.leave(this.host.problem());
    this.hurry();
  }

  /** A process in a sandbox can read its open files until it ends. */
  private hurry(): void {
    if (this.launched?.isSandboxed) {
      const killing = afterReal(mostAfterLoss, () => this.kill());
      void this.close().then(() => killing.dispose());
    }
  }

  private fail(failure: Failure): void {
    void this.leave(this.host.onFailure(failure, this.upSince));
  }

  private close(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async end(): Promise<void> {
    this.attempt.abort();
    this.relay?.dispose();
    this.socket.close();
    await this.wire?.close();
    if (this.hasMet) {
      const { why } = this;
      this.host.onEvent({
        kind: 'session-ended',
        ...this.happening(),
        ...(why && { reason: why }),
      });
    }
    this.didEnd.fire();
    this.store.dispose();
  }
}
