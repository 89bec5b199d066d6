import { afterReal } from '../../base/clock.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Limiter } from '../../base/limiter.ts';
import type { Logger } from '../../base/logger.ts';
import type { ToolCalls } from '../../domain/activity.ts';
import { type Access, startRoots } from '../../domain/consent/folderAccess.ts';
import { everyServer } from '../../domain/consent/revocations.ts';
import { startsByItself } from '../../domain/consent/startStep.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { Root } from '../../domain/roots.ts';
import type { SandboxLack } from '../../domain/sandbox/lacks.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import { Deaths, type RestartPlan } from '../../domain/servers/restarts.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { notStarted } from '../../domain/servers/serverFailure.ts';
import {
  type IdentityFields,
  identityOf,
  programIdentity,
  storageKey,
} from '../../domain/servers/serverIdentity.ts';
import type {
  ManagedServer,
  ServerHost,
  StartMode,
  StartRequest,
  Use,
} from '../../mcp/life/managedServer.ts';
import type { ProcessRecord } from '../../mcp/life/processRecord.ts';
import type { ServerConnection, Tool } from '../../mcp/link/connection.ts';
import type { ConnectionState } from '../../mcp/link/link.ts';
import type { RelayLink } from '../../mcp/link/relayLink.ts';
import type { Target } from '../../mcp/process/openWire.ts';
import type { ProcessStart } from '../../mcp/process/stdio/serverProcess.ts';
import { isAnswer, type ServerRecords, type ToolChoice } from '../records/serverRecords.ts';
import type { ServerSecrets } from '../records/serverSecrets.ts';
import { settings } from '../settings.ts';
import * as vscode from '../vscode.ts';
import type { AccessSource } from './accessSource.ts';
import { bundledServerId, isWritingBundledServer } from './bundledServer.ts';
import type { Elicitations } from './elicitations.ts';
import { type ClientBundle, loadClient, type OwnerIn } from './loadClient.ts';
import type { ServerIdentities } from './serverIdentities.ts';
import type { ServerLog } from './serverLog.ts';
import { assertComplete, sandboxNeeds, serverTarget, type TargetContext } from './serverTarget.ts';

/** The parts of a window that all its servers use. */
export interface ServerContext {
  readonly accesses: AccessSource;
  readonly identities: ServerIdentities;
  readonly records: ServerRecords;
  readonly secrets: ServerSecrets;
  readonly target: TargetContext;
  /** Asks the person the questions of servers. */
  readonly elicitations: Elicitations;
  readonly starts: Limiter;
  readonly logger: Logger;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly owner: OwnerIn;
  readonly logFor: (definition: ServerDefinition) => ServerLog;
  /** Called each time a server gets roots. */
  readonly onExposure: (exposure: Exposure) => void;
  /** Gets each use of a server, by a client or by the window itself, and counts calls of tools. */
  readonly calls: {
    readonly note: (use: Use) => void;
    readonly of: (serverId: string, tool: string) => ToolCalls | undefined;
  };
}

/** The requests to a server that a person can make. */
type ServerRequests = Pick<
  ServerConnection,
  'callTool' | 'list' | 'request' | 'serverCapabilities'
>;

/** In ms: changes of folders within this time cause one restart. */
const burst = { quiet: 300, longest: 2000 };

/** One server of this window: its identity, the folders it may see, and its process. */
export class Server implements IDisposable {
  readonly definition: ServerDefinition;
  /** The fields of the identity, which consent covers. */
  readonly fields: IdentityFields;
  readonly identity: string;
  /** The key of the server's stored data and installation. Name and origin make up the key. */
  readonly storageKey: string;
  /** The deaths of the server's processes, for this window and for clients. */
  readonly deaths = new Deaths();
  private readonly context: ServerContext;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly log: ServerLog;
  /** The cached {@link access}. `undefined`: something has changed that the access depends on. */
  private knownAccess: Access | undefined;
  /** The window's process; `undefined` until the first start has loaded the client bundle. */
  private life: ManagedServer | undefined;
  /** The state while `life` is missing or not live: the bundle loads, or a start would fail. */
  private loading: ConnectionState | undefined;
  /** True if a person started the server in this window, or tried to. */
  wasStartedByHand = false;
  /** Whether the server was running when the window's page went away. */
  private wasInterrupted = false;
  /** The record of the latest client's process, which has the same sandbox as the window's. */
  private clientRecord: ProcessRecord | undefined;

  readonly onDidChange = this.didChange.event;

  constructor(definition: ServerDefinition, fields: IdentityFields, context: ServerContext) {
    this.definition = definition;
    this.fields = fields;
    this.identity = identityOf(fields);
    this.storageKey = storageKey(fields, definition.id);
    this.context = context;
    this.log = context.logFor(definition);
    this.store.add(context.accesses.onDidChange(() => this.update()));
    this.store.add(context.records.onDidChange(kind => isAnswer(kind) && this.didChange.fire()));
    this.store.add(
      context.records.onDidRevoke(id => {
        const isThis = id === everyServer || id === definition.id;
        // A server that loses its folders stops anyway. This also stops a server that had none.
        if (isThis && (this.isLive || this.plan.kind === 'waiting')) {
          void this.stop();
        }
      }),
    );
  }

  get state(): ConnectionState {
    const { life } = this;
    return (life?.isLive ? undefined : this.loading) ?? life?.state ?? { kind: 'stopped' };
  }

  /** True if the server has a process or is starting. */
  get isLive(): boolean {
    return this.state.kind === 'starting' || this.state.kind === 'running';
  }

  /** True if the server was replaced or removed. Such a server never starts again. */
  get isRetired(): boolean {
    return this.store.isDisposed;
  }

  /** The next start of a server that died, or why it does not restart. */
  get plan(): RestartPlan {
    return this.life?.plan ?? { kind: 'none' };
  }

  /** True if the server was stopped because nobody used it. Then its next use starts it. */
  get isIdle(): boolean {
    return !this.isLive && this.life?.isIdle === true;
  }

  /** Why the last start happened. Before the first start, `by-itself`. */
  get startMode(): StartMode {
    return this.life?.startMode ?? 'by-itself';
  }

  /** The folders that the server may see now. */
  get access(): Access {
    this.knownAccess ??= this.context.accesses.of(this.definition, this.identity);
    return this.knownAccess;
  }

  /** True if the user saw how this server starts, and agreed. */
  get isLaunchAllowed(): boolean {
    return this.context.accesses.isLaunchAllowed(this.definition, this.identity);
  }

  /** True if the user offers the server in its present form to the editor's agents. */
  get isOffered(): boolean {
    return this.context.records.answer('offer', this) === true;
  }

  /** The calls of a tool in this window; `undefined` if nobody called the tool. */
  callsOf(tool: string): ToolCalls | undefined {
    return this.context.calls.of(this.definition.id, tool);
  }

  /** The tools that the user turned off for all clients, by `foldedName`. */
  get hiddenTools(): ReadonlySet<string> {
    return this.context.records.hiddenTools(this).get('') ?? new Set();
  }

  /** Turns tools on or off, for a client or with an empty name for all clients. */
  chooseTools(choice: ToolChoice, client?: string): Promise<void> {
    return this.context.records.chooseTools(this, choice, client);
  }

  /** What happened to the process. `undefined`: it was never started. */
  get record(): ProcessRecord | undefined {
    return this.life?.record;
  }

  /** The roots that the process got last. `undefined`: it got none yet. */
  get lastExposure(): Exposure | undefined {
    return this.record?.lastExposure;
  }

  /** Roots that the process knows, although their folders are no longer candidates. */
  get formerRoots(): readonly Root[] {
    const candidates = new Set(this.access.folders.map(({ folder }) => folder.uri));
    const known = (this.isLive && this.record?.knownRoots) || [];
    return known.filter(({ uri }) => !candidates.has(uri));
  }

  /** True if the process asked for roots before, but not since its roots changed. */
  get isNeglecting(): boolean {
    return this.record?.isNeglecting ?? false;
  }

  /** The last start of the process. `undefined`: no start yet, or the server runs elsewhere. */
  get lastStart(): ProcessStart | undefined {
    const target = this.life?.target;
    return target && 'env' in target ? target : undefined;
  }

  /**
   * The last path that the sandbox hid from the server. `undefined`: none, or the settings forbid
   * it, or the user refused it. The bundled server has none, because it refuses paths itself.
   */
  get missedPath(): string | undefined {
    const { accesses, records } = this.context;
    const found = this.record?.missed.last ?? this.clientRecord?.missed.last;
    const missed = this.definition.sandbox && found;
    return missed &&
      !accesses.isForbidden(missed.path) &&
      !accesses.isForbidden(missed.realPath) &&
      records.answer('read', this, missed.path) !== false
      ? missed.path
      : undefined;
  }

  /** What else the server lacks in its sandbox, besides paths, judged by its messages. */
  get sandboxLack(): SandboxLack | undefined {
    return this.record?.missed.lack ?? this.clientRecord?.missed.lack;
  }

  /** True if the server was stopped, or is stopping, because it lost its last folder. */
  get isStoppedForLackOfRoots(): boolean {
    const isStopped = this.state.kind === 'stopped' || this.state.kind === 'stopping';
    const hasLost = isStopped && this.life?.hasLostItsRoots === true;
    const { roots, rule } = this.access;
    return hasLost && roots.length === 0 && !rule;
  }

  /**
   * Starts the server with the folders it may see. If it is starting already, waits for that start.
   * Settles with the resulting state, and never rejects. A stop, or the loss of the last root,
   * cancels the start. A retired server does not start.
   */
  async start(mode: StartMode): Promise<ConnectionState> {
    this.wasStartedByHand ||= mode === 'by-hand';
    const life = this.life ?? (await this.firstLife());
    await life?.start(mode);
    return this.state;
  }

  /**
   * Looks for a fault that makes a start fail whatever the user answers. Then no question is
   * needed.
   *
   * @returns whether the server failed because of such a fault.
   */
  async failsAhead(): Promise<boolean> {
    const error: unknown = await assertComplete(this.definition).then(
      () => undefined,
      problem => problem,
    );
    if (this.isLive || this.isRetired) {
      return false; // Another start began meanwhile, and its result counts.
    }
    if (error !== undefined) {
      this.enterFailure(error);
    } else if (this.loading) {
      this.enter(undefined);
    }
    return error !== undefined;
  }

  /** Ends the process and everything it started. Also cancels a start or a planned restart. */
  async stop(): Promise<void> {
    this.enter(undefined);
    await this.life?.stop();
  }

  /** Kills the process, for the last moment of the extension host. */
  kill(): void {
    this.life?.kill();
  }

  /** What the window decides for each process of the server: the window's own, and the clients'. */
  get host(): Omit<ServerHost, 'ready'> {
    const { accesses, starts, logger } = this.context;
    return {
      burst,
      idle: this.definition.keepAlive
        ? undefined
        : { after: afterReal, time: () => settings.idleTime },
      target: request => this.target(request),
      admit: start => starts.run(start),
      lookAgain: () => accesses.lookAgain(),
      logger,
    };
  }

  private target({ mode, roots, signal }: StartRequest): Promise<Target> {
    const { definition, fields, identity, context } = this;
    const secrets = context.secrets.of({ definition, identity });
    const isEnvFileBound = (text: string) => context.identities.binds(fields, text);
    const hidden = context.accesses.forbidden;
    const request = { definition, secrets, mode, signal, roots, hidden, isEnvFileBound };
    const key = definition.sandbox && { key: this.storageKey };
    const installed = { ...key, identity: programIdentity(fields) };
    return serverTarget({ ...request, ...installed }, context.target);
  }

  /**
   * Logs the messages of a gateway client's process, and notes the paths that its sandbox hid. Once
   * this process runs, the server can evidently start, so the server's failed state ends.
   */
  followClient({ link, record }: ManagedServer<RelayLink>): void {
    this.log.followClient(link);
    this.clientRecord = record;
    link.onDidChangeState(({ kind }) => {
      if (kind === 'running' && this.state.kind === 'failed' && this.plan.kind !== 'waiting') {
        void this.stop();
      }
    });
  }

  /** The paths that the program needs in its sandbox, besides the paths in its definition. */
  async sandboxNeeds(): Promise<readonly string[]> {
    const folders = this.access.folders.flatMap(({ folder }) => folder.path ?? []);
    // If the program is missing, the start says so.
    return sandboxNeeds(this.definition, folders).catch(() => []);
  }

  /** Starts the server again if it is idle. Asks nothing. */
  async wake(): Promise<void> {
    if (this.isIdle && startsByItself(this.access, this.isLaunchAllowed)) {
      await this.start('by-itself');
    }
  }

  /** @throws {HumanError} when the server is not running. */
  async listTools(): Promise<readonly Tool[]> {
    const { record, link } = this.running();
    return record.keepTools(link.listTools());
  }

  /**
   * A person's requests to the server. They fail while the server is not running.
   *
   * @throws {HumanError} when the server was never started.
   */
  get requests(): ServerRequests {
    return this.running().link;
  }

  /** Stops the server for good. Settles when its processes are gone. */
  async retire(): Promise<void> {
    this.dispose();
    await this.stop();
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Loads the client bundle and makes `life`. `undefined`: the start was cancelled, or failed. */
  private async firstLife(): Promise<ManagedServer | undefined> {
    if (this.isRetired) {
      return undefined;
    }
    const hadRoots = this.access.roots.length > 0;
    this.enter({ kind: 'starting' });
    try {
      const bundle = await loadClient();
      if (hadRoots && this.access.roots.length === 0) {
        this.enter(undefined); // The loss of the last root cancels a start.
      }
      // A stop may have cleared `loading` meanwhile, or another start may have made `life`.
      if (this.loading && !this.isRetired) {
        this.life ??= this.newLife(bundle);
      }
    } catch (error) {
      this.enterFailure(error);
    }
    return this.life;
  }

  private newLife(bundle: ClientBundle): ManagedServer {
    const { definition, context } = this;
    const { clientInfo, identities, elicitations } = context;
    const owner = context.owner(bundle);
    const relay = elicitations.relayOf(definition);
    const { lookAgain } = this.host;
    const connection = new bundle.ServerConnection({ clientInfo, owner, relay, lookAgain });
    const host = {
      ...this.host,
      deaths: this.deaths,
      // If an environment file has changed, a new server object replaces this server.
      ready: () => identities.refresh([definition]),
    };
    const life = new bundle.ManagedServer(definition, this.startRoots, host, connection);
    this.store.add(life);
    this.store.add(
      life.onDidChange(() => {
        this.loading = life.isLive ? undefined : this.loading;
        this.didChange.fire();
      }),
    );
    this.store.add(life.onDidExpose(context.onExposure));
    this.store.add(life.onDidUse(use => context.calls.note(use)));
    this.store.add(this.log.follow(life.link));
    return life;
  }

  private running(): ManagedServer {
    if (!this.life) {
      throw new HumanError('"{0}" is not running. Start it first.', this.definition.label);
    }
    return this.life;
  }

  /**
   * The roots for the next start. `undefined`: the user refused. For the bundled server, each root
   * has its folder's inode, which the server checks. Without `allowWrite`, its roots are read-only.
   */
  get startRoots(): readonly StartRoot[] | undefined {
    const { access, definition } = this;
    if (access.isRefused) {
      return undefined;
    }
    const roots = startRoots(access);
    if (definition.id !== bundledServerId) {
      return roots.map(({ folder: _, ...root }) => root);
    }
    return isWritingBundledServer(definition)
      ? roots
      : roots.map(root => ({ ...root, isReadOnly: true }));
  }

  private enterFailure(error: unknown): void {
    if (!isHumanError(error)) {
      this.context.logger.error(error instanceof Error ? error : String(error));
    }
    this.enter({ kind: 'failed', failure: notStarted(error) });
  }

  private enter(loading: ConnectionState | undefined): void {
    this.loading = loading;
    this.didChange.fire();
  }

  /** Follows a change of access: gives the process new roots, stops it, or starts it again. */
  private update(): void {
    const { isLive, wasInterrupted } = this;
    this.knownAccess = undefined;
    this.life?.setRoots(this.startRoots);
    this.wasInterrupted = (isLive || wasInterrupted) && this.access.rule === 'no-page';
    if (this.isLive && this.access.rule) {
      void this.stop();
    } else if (wasInterrupted && startsByItself(this.access, this.isLaunchAllowed)) {
      void this.start('by-itself');
    }
    this.didChange.fire();
  }
}
