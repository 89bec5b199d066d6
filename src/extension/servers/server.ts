import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Limiter } from '../../base/limiter.ts';
import type { Logger } from '../../base/logger.ts';
import { type Access, startRoots } from '../../domain/consent/folderAccess.ts';
import { everyServer } from '../../domain/consent/revocations.ts';
import { startsByItself } from '../../domain/consent/startStep.ts';
import type { Exposure } from '../../domain/exposure.ts';
import type { Root } from '../../domain/roots.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import { Deaths, type RestartPlan } from '../../domain/servers/restarts.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import { notStarted } from '../../domain/servers/serverFailure.ts';
import {
  type IdentityFields,
  identityOf,
  programIdentity,
} from '../../domain/servers/serverIdentity.ts';
import type { CallToolResult, ServerConnection, Tool, ToolCall } from '../../mcp/connection.ts';
import type { ConnectionState } from '../../mcp/link.ts';
import type { ManagedServer, StartMode, StartRequest } from '../../mcp/managedServer.ts';
import type { Target } from '../../mcp/openWire.ts';
import type { ProcessRecord } from '../../mcp/processRecord.ts';
import type { RelayLink } from '../../mcp/relayLink.ts';
import type { ProcessStart } from '../../mcp/stdio/serverProcess.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';
import * as vscode from '../vscode.ts';
import type { AccessSource } from './accessSource.ts';
import { bundledServerId, isWritingBundledServer } from './bundledServer.ts';
import type { Elicitations } from './elicitations.ts';
import { type ClientBundle, loadClient, type OwnerIn } from './loadClient.ts';
import type { ServerIdentities } from './serverIdentities.ts';
import type { ServerLog } from './serverLog.ts';
import type { ServerRecords } from './serverRecords.ts';
import { assertComplete, sandboxNeeds, serverTarget, type TargetContext } from './serverTarget.ts';

/** The parts of a window that all its servers share. */
export interface ServerContext {
  readonly accesses: AccessSource;
  readonly identities: ServerIdentities;
  readonly records: ServerRecords;
  readonly secrets: ServerSecrets;
  readonly target: TargetContext;
  /** Ask the person what servers ask. */
  readonly elicitations: Elicitations;
  readonly starts: Limiter;
  readonly logger: Logger;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly owner: OwnerIn;
  readonly logFor: (definition: ServerDefinition) => ServerLog;
  /** Is told of each occasion on which roots were handed to a server. */
  readonly onExposure: (exposure: Exposure) => void;
}

/** The requests that a person can make of a server. */
type ServerRequests = Pick<
  ServerConnection,
  'listResources' | 'listResourceTemplates' | 'listPrompts' | 'request' | 'serverCapabilities'
>;

/** Changes of the folders that come together cost one restart. */
const burst = { quiet: 300, longest: 2000 };

/** One server of this window: who it is, what it may see, and its life, once it was started. */
export class Server implements IDisposable {
  readonly definition: ServerDefinition;
  /** The identity's fields, to which consent is bound. */
  readonly fields: IdentityFields;
  readonly identity: string;
  /** The key of its installation. */
  readonly programIdentity: string;
  /** Those of its process here, and of those of its clients. */
  readonly deaths = new Deaths();
  private readonly context: ServerContext;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly log: ServerLog;
  /** Kept until something that it depends on changes. */
  private knownAccess: Access | undefined;
  /** `undefined` until the first start has loaded the client bundle. */
  private life: ManagedServer | undefined;
  /** The state while `life` does not run: the client bundle is being loaded, or something it lacks was found. */
  private loading: ConnectionState | undefined;
  private _wasStartedByHand = false;
  /** It ran when the page of the window went. */
  private wasInterrupted = false;
  /** The record of the process that a client started last: its sandbox is the same as the window's. */
  private clientRecord: ProcessRecord | undefined;

  readonly onDidChange = this.didChange.event;

  constructor(definition: ServerDefinition, fields: IdentityFields, context: ServerContext) {
    this.definition = definition;
    this.fields = fields;
    this.identity = identityOf(fields);
    this.programIdentity = programIdentity(fields);
    this.context = context;
    this.log = context.logFor(definition);
    this.store.add(context.accesses.onDidChange(() => this.update()));
    this.store.add(context.records.onDidChange(kind => kind === 'offer' && this.didChange.fire()));
    this.store.add(
      context.records.onDidRevoke(id => {
        const isThis = id === everyServer || id === definition.id;
        // One that had a folder is stopping by now. Without any, only its start was agreed to.
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

  /** True if there is a process, or about to be one. */
  get isLive(): boolean {
    return this.state.kind === 'starting' || this.state.kind === 'running';
  }

  /** True if it was replaced or removed. It never starts again. */
  get isRetired(): boolean {
    return this.store.isDisposed;
  }

  /** The next start of a server that died, or the reason why there is none. */
  get plan(): RestartPlan {
    return this.life?.plan ?? { kind: 'none' };
  }

  /** The cause of its last start; before the first, `by-itself`. */
  get startMode(): StartMode {
    return this.life?.startMode ?? 'by-itself';
  }

  /** The folders that the server may see now. */
  get access(): Access {
    this.knownAccess ??= this.context.accesses.of(this.definition, this.identity);
    return this.knownAccess;
  }

  /** True if the user agreed to start it as it is, having been shown how. */
  get isLaunchAllowed(): boolean {
    return this.context.accesses.isLaunchAllowed(this.definition, this.identity);
  }

  /** True if a person started it in this window, or tried to. */
  get wasStartedByHand(): boolean {
    return this._wasStartedByHand;
  }

  /** True if the user offers it to the editor's agents, as it is. */
  get isOffered(): boolean {
    return this.context.records.answer('offer', this) === true;
  }

  /** What its process did; `undefined`: it was never started. */
  get record(): Pick<ProcessRecord, 'tools' | 'exposureCount' | 'isSilent'> | undefined {
    return this.life?.record;
  }

  /** The roots that this process was last told; `undefined` when it has not asked yet. */
  get lastExposure(): Exposure | undefined {
    return this.life?.record.lastExposure;
  }

  /** The roots that the process knows of, and whose folders are not even candidates any more. */
  get formerRoots(): readonly Root[] {
    const candidates = new Set(this.access.folders.map(({ folder }) => folder.uri));
    const known = (this.isLive && this.life?.record.knownRoots) || [];
    return known.filter(({ uri }) => !candidates.has(uri));
  }

  /** True if it was told that its roots changed, had asked before, and has not asked again. */
  get isNeglecting(): boolean {
    return this.life?.record.isNeglecting ?? false;
  }

  /** Its last start; `undefined`: there was none, or it runs elsewhere. */
  get lastStart(): ProcessStart | undefined {
    const target = this.life?.target;
    return target && 'env' in target ? target : undefined;
  }

  /** The variables of the editor that its last start was not given. */
  get otherVariables(): ReadonlySet<string> {
    const given = this.lastStart?.env ?? {};
    return new Set(Object.keys(process.env).filter(name => !Object.hasOwn(given, name)));
  }

  /**
   * A path that it asked for in vain because of its sandbox. Not one that is never exposed, and none of our
   * own server's, which refuses paths outside its roots by itself.
   */
  get missedPath(): string | undefined {
    const found = this.life?.record.missed.last ?? this.clientRecord?.missed.last;
    const missed = this.definition.sandbox && found;
    const isForbidden = (path: string) => this.context.accesses.isForbidden(path);
    return missed && !isForbidden(missed.path) && !isForbidden(missed.realPath)
      ? missed.path
      : undefined;
  }

  /** True if it said that it could not start a browser in its sandbox. */
  get lacksBrowser(): boolean {
    return [this.life?.record, this.clientRecord].some(record => record?.missed.lacksBrowser);
  }

  /** True if the server stands still, or is about to, because no folder was left that it may see. */
  get isStoppedForLackOfRoots(): boolean {
    const isStopped = this.state.kind === 'stopped' || this.state.kind === 'stopping';
    const hasLost = isStopped && this.life?.hasLostItsRoots === true;
    const { roots, rule } = this.access;
    return hasLost && roots.length === 0 && !rule;
  }

  /**
   * Starts the server with what it may see now, or waits for a start that is under way; settles in
   * the state that this leads to and never rejects. A stop that comes meanwhile calls it off, and so
   * does the loss of the last root. A retired server stays as it is.
   */
  async start(mode: StartMode): Promise<ConnectionState> {
    this._wasStartedByHand ||= mode === 'by-hand';
    const life = this.life ?? (await this.firstLife());
    await life?.start(mode);
    return this.state;
  }

  /**
   * Looks for what keeps it from a start whatever the user answers: there is no point in asking then.
   *
   * @returns whether it has failed for that reason.
   */
  async failsAhead(): Promise<boolean> {
    const error: unknown = await assertComplete(this.definition).then(
      () => undefined,
      problem => problem,
    );
    if (this.isLive || this.isRetired) {
      return false; // A start that came meanwhile is the last word.
    }
    if (error !== undefined) {
      this.enterFailure(error);
    } else if (this.loading) {
      this.enter(undefined);
    }
    return error !== undefined;
  }

  /** Ends the process and all that it started, and calls off a start or restart that is planned. */
  async stop(): Promise<void> {
    this.enter(undefined);
    await this.life?.stop();
  }

  /** Kills the process at once. For the last moment of the extension host. */
  kill(): void {
    this.life?.kill();
  }

  /**
   * The launch of the server if it were to see these folders.
   *
   * @throws {HumanError} when something that its definition names is not there.
   */
  target(roots: readonly StartRoot[], mode: StartMode, signal: AbortSignal): Promise<Target> {
    const { definition, fields, identity, context } = this;
    const secrets = context.secrets.of({ definition, identity });
    const isEnvFileBound = (text: string) => context.identities.binds(fields, text);
    const hidden = context.accesses.forbidden;
    const request = { definition, secrets, mode, signal, roots, hidden, isEnvFileBound };
    return serverTarget({ ...request, identity: this.programIdentity }, context.target);
  }

  /**
   * Writes down what a client of the gateway and a process of this server say, each line with a mark,
   * takes what the process asks for in vain for what the server lacks, and its running for the end of a
   * failure that nothing else would end.
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

  /** The paths that its program needs in its sandbox, besides its definition and the user's answers. */
  async sandboxNeeds(): Promise<readonly string[]> {
    const folders = this.access.folders.flatMap(({ folder }) => folder.path ?? []);
    // A missing program is told when it is started.
    return sandboxNeeds(this.definition, folders).catch(() => []);
  }

  /** @throws {HumanError} when the server is not running. */
  async listTools(): Promise<readonly Tool[]> {
    const { record, link } = this.running();
    return record.keepTools(link.listTools());
  }

  /** @throws {HumanError} when the server is not running or asks for what it was not offered. */
  async callTool(call: ToolCall): Promise<CallToolResult> {
    return this.running().link.callTool(call);
  }

  /**
   * The requests of a person besides calls of its tools.
   *
   * @throws {HumanError} when the server was never started.
   */
  get requests(): ServerRequests {
    return this.running().link;
  }

  /** Stops the server and forgets it. Settles when nothing of it is left. */
  async retire(): Promise<void> {
    this.dispose();
    await this.stop();
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Loads the client bundle and makes the `life`; `undefined`: that was called off, or failed. */
  private async firstLife(): Promise<ManagedServer | undefined> {
    if (this.isRetired) {
      return undefined;
    }
    const hadRoots = this.access.roots.length > 0;
    this.enter({ kind: 'starting' });
    try {
      const bundle = await loadClient();
      if (hadRoots && this.access.roots.length === 0) {
        this.enter(undefined); // The loss of the last root calls a start off.
      }
      // A stop has cleared `loading` meanwhile, and another start may have made the life already.
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
    const { clientInfo, accesses, identities, starts, elicitations } = context;
    const lookAgain = () => accesses.lookAgain();
    const owner = context.owner(bundle);
    const relay = elicitations.relayOf(definition);
    const connection = new bundle.ServerConnection({ clientInfo, owner, relay, lookAgain });
    const host = {
      burst,
      deaths: this.deaths,
      // If an environment file has changed, another server replaces this one, which is not started.
      ready: () => identities.refresh([definition]),
      target: ({ roots, mode, signal }: StartRequest) => this.target(roots, mode, signal),
      admit: (start: () => Promise<void>) => starts.run(start),
      lookAgain,
      logger: context.logger,
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
   * The roots for its next start; `undefined`: refused. Those of the bundled server have each folder's inode,
   * which it verifies, and are read only unless writing is on.
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

  /** Brings a change of what the server may see to its process. */
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
