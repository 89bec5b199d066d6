import * as vscode from 'vscode';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import { LatestWork } from '../../base/latestWork.ts';
import type { Logger } from '../../base/logger.ts';
import type { Turnstile } from '../../base/turnstile.ts';
import { type Access, accessEffect, identifiedRoots } from '../../domain/consent/access.ts';
import { configurationRoutes } from '../../domain/consent/configuredRoots.ts';
import { HumanError, isHumanError } from '../../domain/errors.ts';
import type { Exposure } from '../../domain/exposure.ts';
import { type Root, sameRoots } from '../../domain/roots.ts';
import { isInFirstRoot } from '../../domain/servers/launch.ts';
import type { RestartPlan } from '../../domain/servers/restarts.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { ServerFaults } from '../../domain/servers/serverFaults.ts';
import { type IdentityFields, identityOf } from '../../domain/servers/serverIdentity.ts';
import type { ConnectionState, ServerConnection, Tool, ToolCall } from '../../mcp/connection.ts';
import type { Failure } from '../../mcp/failure.ts';
import type { Target } from '../../mcp/openWire.ts';
import type { Answer } from '../../mcp/rootsAnswerer.ts';
import type { Supervisor } from '../../mcp/supervisor.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';
import { localized } from '../text.ts';
import type { AccessSource } from './accessSource.ts';
import { bundledServerId } from './bundledServer.ts';
import { loadClient, type OwnerIn } from './clientBundle.ts';
import { ProcessRecord } from './processRecord.ts';
import type { ServerIdentities } from './serverIdentities.ts';
import type { ServerLog } from './serverLog.ts';
import { serverTarget, type TargetContext } from './serverTarget.ts';
import type { StartMode } from './startMode.ts';

/** What all servers of a window share. */
export interface ServerContext {
  readonly accesses: AccessSource;
  readonly identities: ServerIdentities;
  readonly secrets: ServerSecrets;
  readonly target: TargetContext;
  /** Where the servers line up to start. */
  readonly starts: Turnstile;
  readonly logger: Logger;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly owner: OwnerIn;
  /** Where a server's traffic and errors are written. */
  readonly logFor: (definition: ServerDefinition) => ServerLog;
}

/** Folders that go together cost one restart. */
const burst = { quiet: 300, longest: 2000 };

/** One server of this window: what it may see, and the process it runs in, if it runs. */
export class Server implements IDisposable {
  readonly definition: ServerDefinition;
  /** What consent to it is bound to. */
  readonly fields: IdentityFields;
  readonly identity: string;
  private readonly context: ServerContext;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly didExpose = this.store.add(new vscode.EventEmitter<Exposure>());
  private readonly log: ServerLog;
  private connection: ServerConnection | undefined;
  private supervisor: Supervisor | undefined;
  /** Set until something changes what it follows from. */
  private knownAccess: Access | undefined;
  /** What the process was last set to see; `undefined` when it is refused altogether. */
  private offered: readonly Root[] | undefined;
  private hasLostItsRoots = false;
  private withheld: readonly string[] = [];
  private readonly record = this.store.add(new ProcessRecord(() => this.didChange.fire()));
  private readonly restartSoon = this.store.add(new Debounce(() => this.restartIfLost(), burst));
  /** Whether it is stopped only to start again. */
  private isRestarting = false;
  /** Counts the starts and stops that were asked for, so that a start knows if it is still wanted. */
  private wish = 0;
  /** Starts and restarts. */
  private readonly underWay = new LatestWork();
  /** Tells the start under way that it is not wanted any more. */
  private calledOff = new AbortController();
  /** The state before there is a process: its start is prepared, or came no further. */
  private ahead: ConnectionState | undefined;

  readonly onDidChange = this.didChange.event;
  readonly onDidExpose = this.didExpose.event;

  constructor(definition: ServerDefinition, fields: IdentityFields, context: ServerContext) {
    this.definition = definition;
    this.fields = fields;
    this.identity = identityOf(fields);
    this.context = context;
    this.log = context.logFor(definition);
    this.store.add(context.accesses.onDidChange(() => this.update()));
  }

  get state(): ConnectionState {
    return this.ahead ?? this.connection?.state ?? { kind: 'stopped' };
  }

  /** Whether there is a process, or about to be one. */
  get isLive(): boolean {
    return this.isRestarting || this.state.kind === 'starting' || this.state.kind === 'running';
  }

  /** Whether another one has taken its place, or none. It never starts again. */
  get isRetired(): boolean {
    return this.store.isDisposed;
  }

  /** Whether a server that died is to start again, when, or why it is not. */
  get plan(): RestartPlan {
    return this.supervisor?.plan ?? { kind: 'none' };
  }

  /** What the server may see now. */
  get access(): Access {
    this.knownAccess ??= this.context.accesses.of(this.definition, this.identity);
    return this.knownAccess;
  }

  /** Whether the user agreed to start it as it is, having been shown how. */
  get isLaunchAllowed(): boolean {
    return this.context.accesses.isLaunchAllowed(this.definition, this.identity);
  }

  /** What this process of the server was last told; `undefined` when it has not asked yet. */
  get lastExposure(): Exposure | undefined {
    return this.record.told.last;
  }

  /** How many times this process of the server asked for its roots. */
  get exposureCount(): number {
    return this.record.told.count;
  }

  /** What the process knows of that is no candidate for a root any more. */
  get formerRoots(): readonly Root[] {
    return this.isLive ? this.record.told.former(this.access) : [];
  }

  /** Whether it was told that its roots changed, had asked before, and has not asked again. */
  get isNeglecting(): boolean {
    return this.isLive && this.record.isNeglecting;
  }

  /**
   * Whether only a restart brings it what it may see now: it gets its roots as arguments or
   * environment and they are others than at its start, or it works in a folder that was taken away.
   */
  get needsRestart(): boolean {
    return this.isLive && this.record.told.changeFor(this.access.roots) !== 'none';
  }

  /** Whether it could have asked for its roots since its start, had time enough, and did not. */
  get isSilent(): boolean {
    return this.record.isSilent;
  }

  /** The variables that name a proxy with a password, which its last start was not given. */
  get withheldProxies(): readonly string[] {
    return this.withheld;
  }

  /** What this process of the server did that a well-behaved one does not. */
  get faults(): ServerFaults {
    return this.record.faults;
  }

  /** What it offered when it was last asked; `undefined` when it was not since it has these tools. */
  get tools(): readonly Tool[] | undefined {
    return this.record.tools;
  }

  /** Whether the server stands still because no folder was left that it may see. */
  get isStoppedForLackOfRoots(): boolean {
    return this.state.kind === 'stopped' && this.hasLostItsRoots && this.access.roots.length === 0;
  }

  /**
   * Starts the server with what it may see now, or waits for a start that is under way; settles in
   * the state that this leads to and never rejects. A stop that comes meanwhile calls it off, and so
   * does the loss of the last root. A retired server stays as it is.
   */
  async start(mode: StartMode): Promise<ConnectionState> {
    if (!this.isLive && !this.isRetired) {
      await this.underWay.begin(this.bringUp(mode));
    } else {
      await this.underWay.settled();
    }
    return this.state;
  }

  /** Ends the process and all that it started, and calls off a start or restart that is planned. */
  async stop(): Promise<void> {
    this.isRestarting = false;
    await this.end();
  }

  /** Stops and starts it. A stop that comes meanwhile is the last word, as is the loss of the last root. */
  async restart(mode: StartMode): Promise<ConnectionState> {
    await this.underWay.begin(this.startAnew(mode));
    return this.state;
  }

  /** Kills the process at once. For the last moment of the extension host. */
  kill(): void {
    this.connection?.kill();
  }

  /**
   * How the server would be started or reached if it were to see the folders with these paths.
   *
   * @throws {HumanError} when something that its definition names is not there.
   */
  target(
    roots: readonly string[],
    mode: StartMode,
    signal = new AbortController().signal,
  ): Promise<Target> {
    const { definition, fields, context } = this;
    const secrets = context.secrets.of({ serverId: definition.id, identity: this.identity });
    const isEnvFileBound = (text: string) => context.identities.binds(fields, text);
    const request = { definition, secrets, mode, signal, roots, isEnvFileBound };
    return serverTarget(request, context.target);
  }

  /** @throws {HumanError} when the server is not running. */
  async listTools(): Promise<readonly Tool[]> {
    return this.record.keepTools(this.running().listTools());
  }

  /** @throws {HumanError} when the server is not running or asks for what it was not offered. */
  callTool(call: ToolCall) {
    return this.record.during(call.name, this.running().callTool(call));
  }

  /** Stops the server and forgets it. Settles when nothing of it is left. */
  async retire(): Promise<void> {
    this.dispose();
    await this.stop();
  }

  dispose(): void {
    this.store.dispose();
  }

  private async startAnew(mode: StartMode): Promise<void> {
    const ended = this.end();
    const { wish } = this;
    this.isRestarting = true;
    await ended;
    if (wish === this.wish && !this.isRetired) {
      this.isRestarting = false;
      await this.bringUp(mode);
    }
  }

  private async bringUp(mode: StartMode): Promise<void> {
    if (mode === 'by-hand') {
      this.supervisor?.forget();
    }
    this.begin();
    const { wish } = this;
    // What an environment file holds may be new: then this is another server, and not started.
    await this.context.identities.refresh([this.definition]);
    if (wish !== this.wish) {
      return;
    }
    try {
      const connection = await this.connect();
      if (connection.state.kind === 'stopping') {
        // Prepared before, its start could tell it of what is taken away meanwhile.
        await connection.stop();
      }
      await this.context.starts.pass(async () => {
        // It may have been stopped while it waited for the others.
        const target = wish === this.wish && (await this.prepare(mode));
        if (target && wish === this.wish) {
          this.ahead = undefined;
          await this.launch(connection, target);
        }
      });
    } catch (error) {
      if (wish === this.wish) {
        this.prepared({ kind: 'failed', failure: this.obstacle(error) });
      }
    }
  }

  private async end(): Promise<void> {
    this.wish += 1;
    this.calledOff.abort();
    this.supervisor?.forget();
    this.prepared(undefined);
    await this.connection?.stop();
  }

  private begin(): void {
    this.wish += 1;
    this.calledOff = new AbortController();
    this.offered = this.access.isRefused ? undefined : this.roots;
    this.record.begin();
    this.hasLostItsRoots = false;
    this.prepared({ kind: 'starting' });
  }

  private running(): ServerConnection {
    if (!this.connection) {
      throw new HumanError('"{0}" is not running. Start it first.', this.definition.label);
    }
    return this.connection;
  }

  private prepared(state: ConnectionState | undefined): void {
    this.ahead = state;
    this.didChange.fire();
  }

  /**
   * What the server is told that it may see. The bundled one looks for itself whether a folder still
   * is the one that was allowed; to others nothing is said that the protocol does not know.
   */
  private get roots(): readonly Root[] {
    const { access, definition } = this;
    return definition.id === bundledServerId ? identifiedRoots(access) : access.roots;
  }

  /** Working directory and arguments follow from the roots, which may change while it is prepared. */
  private async prepare(mode: StartMode): Promise<Target> {
    for (;;) {
      const { roots } = this;
      const { folders } = this.access;
      const paths = folders.flatMap(({ root, folder }) => (root && folder.path) || []);
      const target = await this.target(paths, mode, this.calledOff.signal);
      await this.context.accesses.lookAgain();
      if (sameRoots(roots, this.roots)) {
        return target;
      }
    }
  }

  private async launch(connection: ServerConnection, target: Target): Promise<void> {
    const { rootsAs, protocol } = this.definition;
    this.withheld = ('env' in target && target.withheldProxies) || [];
    const started = connection.start(
      target,
      rootsAs.includes('roots') ? this.offered : undefined,
      protocol,
    );
    const at = Date.now();
    const as = configurationRoutes(rootsAs);
    const roots = this.offered ?? [];
    this.record.told.launchedWith(
      as.length > 0 ? roots : [],
      isInFirstRoot(this.definition.launch) ? roots[0] : undefined,
    );
    const state = await started;
    const isSpawned = state.kind !== 'failed' || state.failure.kind !== 'not-started';
    if (as.length > 0 && roots.length > 0 && isSpawned) {
      this.expose({ trigger: { kind: 'launch', as }, count: 1, roots }, at);
    }
  }

  private obstacle(error: unknown): Failure {
    if (isHumanError(error)) {
      return { kind: 'not-started', message: localized(error.sentence) };
    }
    this.context.logger.error(error instanceof Error ? error : String(error));
    return { kind: 'not-started', message: String(error) };
  }

  private async connect(): Promise<ServerConnection> {
    const bundle = await loadClient();
    if (!this.connection) {
      const { ServerConnection, Supervisor } = bundle;
      const { clientInfo, owner, accesses } = this.context;
      const look = () => accesses.lookAgain();
      const connection = new ServerConnection(
        clientInfo,
        owner(bundle),
        undefined,
        undefined,
        look,
      );
      this.connection = connection;
      this.store.add(this.record.follow(connection));
      this.store.add(connection.onDidChangeState(() => this.didChange.fire()));
      this.store.add(connection.onDidServeRoots(answer => this.expose(answer)));
      this.store.add(this.log.follow(connection));
      const supervisor = new Supervisor(connection, () => void this.start('by-itself'));
      this.supervisor = this.store.add(supervisor);
      this.store.add(supervisor.onDidChange(() => this.didChange.fire()));
    }
    return this.connection;
  }

  private expose(
    answer: Omit<Answer, 'era'> & Partial<Pick<Answer, 'era'>>,
    at = Date.now(),
  ): void {
    const { id, label } = this.definition;
    const exposure: Exposure = { at, serverId: id, serverLabel: label, ...answer };
    this.record.noteExposure(exposure);
    this.didExpose.fire(exposure);
  }

  /** Brings a change of what the server may see to its process. */
  private update(): void {
    this.knownAccess = undefined;
    const { roots } = this;
    const isWanted = this.isLive || this.plan.kind === 'waiting';
    const effect = isWanted ? accessEffect(this.offered, roots) : 'none';
    if (this.offered) {
      this.offered = roots;
      this.connection?.setRoots(roots);
    }
    if (effect === 'stop') {
      this.hasLostItsRoots = true;
      void this.stop();
    } else if (effect === 'restart') {
      void this.restart('by-itself');
    } else if (this.isLive && this.record.told.changeFor(roots) === 'lost') {
      this.restartWithout();
    }
    this.didChange.fire();
  }

  /** What was taken from a server that got it as configuration, it keeps until it ends. */
  private restartWithout(): void {
    if (this.state.kind === 'starting') {
      // Its start may need a second process, which must not be told any more.
      void this.restart('by-itself');
    } else {
      this.restartSoon.request();
    }
  }

  private restartIfLost(): void {
    if (this.isLive && this.record.told.changeFor(this.access.roots) === 'lost') {
      void this.restart('by-itself');
    }
  }
}
