import { Emitter, type Event } from '../../base/emitter.ts';
import type { VisibleRoot } from '../../domain/gateway/commonRoots.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import { notStarted } from '../../domain/servers/serverFailure.ts';
import { KnownSecrets, withoutSecrets } from '../process/knownSecrets.ts';
import { openWire, type Target } from '../process/openWire.ts';
import type { ProcessOwner } from '../process/stdio/processOwner.ts';
import { defaultTimes } from '../process/times.ts';
import type { Wire } from '../process/wire.ts';
import type { ServerWords } from './clientRequests.ts';
import type { ConnectionState, Link, LinkEvents } from './link.ts';
import { Relay, type RelayHost } from './relay.ts';
import { type RelayedClient, withoutServer } from './relayRules.ts';

/** Relays the messages between one client and a server's process, unchanged. Start it only once. */
export class RelayLink implements Link {
  private readonly owner: ProcessOwner;
  private readonly host: RelayHost;
  private readonly didChangeState = new Emitter<ConnectionState>();
  private readonly didBegin = new Emitter<LinkEvents>();
  private readonly didLoseRoots = new Emitter<void>();
  private readonly didSay = new Emitter<ServerWords>();
  private current: ConnectionState = { kind: 'stopped' };
  private readonly first: RelayedClient;
  private secrets = new KnownSecrets([]);
  private wire: Wire | undefined;
  private relaying: Relay | undefined;

  readonly onDidChangeState: Event<ConnectionState> = this.didChangeState.event;
  readonly onDidBegin: Event<LinkEvents> = this.didBegin.event;
  readonly onDidLoseRoots: Event<void> = this.didLoseRoots.event;
  readonly onDidSay: Event<ServerWords> = this.didSay.event;

  /** @param first the client as its first message describes it, perhaps without a name. */
  constructor(owner: ProcessOwner, first: RelayedClient, host: RelayHost) {
    this.owner = owner;
    this.first = first;
    this.host = host;
  }

  get state(): ConnectionState {
    return this.current;
  }

  /** The client, as it describes itself in the handshake, or before that in its first message. */
  get client(): RelayedClient {
    const client = this.relay?.client;
    return withoutServer(client?.name ? client : this.first, this.host.label);
  }

  get clientName(): string {
    return this.client.name;
  }

  /** The relay of the messages. `undefined` until the link is started. */
  get relay(): Relay | undefined {
    return this.relaying;
  }

  /** Resolves when there is room to send more; `undefined`: there is room now. */
  drained(): Promise<unknown> | undefined {
    return this.wire?.drained?.();
  }

  /** The text without the secrets that the server was given. */
  redacted(text: string): string {
    return this.secrets.redacted(text);
  }

  /** @param target what to start or reach, or a wire that exists already and has no secrets. */
  async start(
    target: Target | Wire,
    roots: readonly VisibleRoot[] | undefined,
  ): Promise<ConnectionState> {
    this.enter({ kind: 'starting' });
    try {
      const isWire = 'kind' in target;
      this.secrets = new KnownSecrets(isWire ? [] : target.secrets);
      const wire = isWire ? target : openWire(target, this.owner, this.secrets, defaultTimes);
      const relay = new Relay(wire, roots, this.host);
      this.wire = wire;
      this.relaying = relay;
      relay.onDidSay(said => this.note(said));
      relay.roots.onDidLose(() => this.didLoseRoots.fire());
      const { pid, ended, onDidPass, onDidWriteStderr } = wire;
      const { onDidServe: onDidServeRoots, onDidNeglect } = relay.roots;
      const process = pid ? { pid, ended } : undefined;
      const said = { onDidPass, onDidWriteStderr, onDidAsk: relay.onDidAsk };
      this.didBegin.fire({ process, ...said, onDidServeRoots, onDidNeglect });
      void ended.then(failure => this.fail(failure));
      await wire.start();
    } catch (error) {
      this.fail(notStarted(error));
    }
    return this.current;
  }

  async stop(): Promise<void> {
    const { wire, relay } = this;
    if (this.isUp) {
      this.enter({ kind: 'stopping' });
    }
    relay?.dispose();
    await wire?.close();
    if (this.current.kind === 'stopping') {
      this.enter({ kind: 'stopped' });
    }
  }

  kill(): void {
    this.wire?.kill();
  }

  setRoots(roots: readonly VisibleRoot[]): void {
    this.relay?.setRoots(roots);
  }

  private note(said: ServerWords): void {
    if (this.current.kind === 'starting') {
      const era = this.relay?.era ?? 'legacy';
      const protocolVersion = String(said.result['protocolVersion'] ?? '');
      this.enter({ kind: 'running', era, protocolVersion, pid: this.wire?.pid ?? undefined });
    }
    this.didSay.fire(said);
  }

  private fail(failure: Failure): void {
    if (this.isUp) {
      this.enter({ kind: 'failed', failure: withoutSecrets(failure, this.secrets) });
      this.relay?.dispose();
    }
  }

  private get isUp(): boolean {
    return this.current.kind === 'starting' || this.current.kind === 'running';
  }

  private enter(state: ConnectionState): void {
    this.current = state;
    this.didChangeState.fire(state);
  }
}
