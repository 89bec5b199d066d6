import * as vscode from 'vscode';
import { Debounce } from '../../base/debounce.ts';
import { DisposableStore, type IDisposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { type Access, accessEffect, accessTo } from '../../domain/access.ts';
import { HumanError, isHumanError } from '../../domain/errors.ts';
import type { Exposure } from '../../domain/exposure.ts';
import { decide } from '../../domain/grants.ts';
import { type Root, sameRoots } from '../../domain/roots.ts';
import type { ServerDefinition } from '../../domain/serverDefinition.ts';
import { identityOf } from '../../domain/serverIdentity.ts';
import type { ConnectionState, ServerConnection, ToolCall } from '../../mcp/connection.ts';
import type { Answer } from '../../mcp/rootsAnswerer.ts';
import type { ProcessStart } from '../../mcp/serverProcess.ts';
import type { Failure } from '../../mcp/session.ts';
import type { Traffic } from '../../mcp/stdioTransport.ts';
import type { GrantStore } from '../consent/grantStore.ts';
import type { WorkspaceFolders } from '../folders/workspaceFolders.ts';
import { localized } from '../text.ts';
import { loadClient } from './clientBundle.ts';
import { processStart } from './processStart.ts';
import type { ServerLog } from './serverLog.ts';

/** What all servers of a window share. */
export interface ServerContext {
  readonly folders: WorkspaceFolders;
  readonly grants: GrantStore;
  readonly logger: Logger;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Where a server's traffic and errors are written. */
  readonly logFor: (definition: ServerDefinition) => ServerLog;
}

/** One server of this window: what it may see, and the process it runs in, if it runs. */
export class Server implements IDisposable {
  readonly definition: ServerDefinition;
  readonly identity: string;
  private readonly context: ServerContext;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new vscode.EventEmitter<void>());
  private readonly didExpose = this.store.add(new vscode.EventEmitter<Exposure>());
  private connection: ServerConnection | undefined;
  /** What the process was last set to see; `undefined` when it was refused the capability. */
  private offered: readonly Root[] | undefined;
  private told: Exposure | undefined;
  private hasLostItsRoots = false;
  private rubbish = 0;
  /** A server that floods its stdout must not make every view draw itself each time. */
  private readonly rubbishNews = this.store.add(
    new Debounce(() => this.didChange.fire(), { quiet: 200, longest: 1000 }),
  );
  /** Counts the starts and stops that were asked for, so that a start knows if it is still wanted. */
  private wish = 0;
  /** The state before there is a process: its start is prepared, or came no further. */
  private ahead: ConnectionState | undefined;

  readonly onDidChange = this.didChange.event;
  readonly onDidExpose = this.didExpose.event;

  constructor(definition: ServerDefinition, context: ServerContext) {
    this.definition = definition;
    this.identity = identityOf(definition.fields);
    this.context = context;
    this.store.add(context.folders.onDidChange(() => this.update()));
    this.store.add(context.grants.onDidChange(() => this.update()));
  }

  get state(): ConnectionState {
    return this.ahead ?? this.connection?.state ?? { kind: 'stopped' };
  }

  /** Whether there is a process, or about to be one. */
  get isLive(): boolean {
    return this.state.kind === 'starting' || this.state.kind === 'running';
  }

  /** Whether another one has taken its place, or none. It never starts again. */
  get isRetired(): boolean {
    return this.store.isDisposed;
  }

  /** What the server may see now. */
  get access(): Access {
    const { folders, grants } = this.context;
    const all = grants.all;
    return accessTo(folders.value, vscode.workspace.isTrusted, ({ uri }) =>
      decide(all, this.identity, uri),
    );
  }

  /** What this process of the server was last told; `undefined` when it has not asked yet. */
  get lastExposure(): Exposure | undefined {
    return this.told;
  }

  /** How many lines this process of the server printed that are no MCP messages. They were skipped. */
  get rubbishLines(): number {
    return this.rubbish;
  }

  /** Whether the server stands still because no folder was left that it may see. */
  get isStoppedForLackOfRoots(): boolean {
    return this.state.kind === 'stopped' && this.hasLostItsRoots && this.access.roots.length === 0;
  }

  /**
   * Starts the server with what it may see now; settles in the state that this leads to and never
   * rejects. A stop that comes meanwhile calls it off, and so does the loss of the last root.
   * A retired server stays as it is.
   */
  async start(): Promise<ConnectionState> {
    if (this.isLive || this.isRetired) {
      return this.state;
    }
    this.wish += 1;
    const { wish, access } = this;
    this.offered = access.isRefused ? undefined : access.roots;
    this.told = undefined;
    this.rubbish = 0;
    this.hasLostItsRoots = false;
    this.prepared({ kind: 'starting' });
    try {
      const connection = await this.connect();
      const process = await this.prepare();
      if (wish === this.wish) {
        this.ahead = undefined;
        await connection.start(process, this.offered);
      }
    } catch (error) {
      if (wish === this.wish) {
        this.prepared({ kind: 'failed', failure: this.obstacle(error) });
      }
    }
    return this.state;
  }

  async stop(): Promise<void> {
    this.wish += 1;
    this.prepared(undefined);
    await this.connection?.stop();
  }

  async restart(): Promise<ConnectionState> {
    await this.stop();
    return this.start();
  }

  /** Kills the process at once. For the last moment of the extension host. */
  kill(): void {
    this.connection?.kill();
  }

  /** @throws {HumanError} when the server is not running. */
  listTools() {
    return this.running().listTools();
  }

  /** @throws {HumanError} when the server is not running or asks for what it was not offered. */
  callTool(call: ToolCall) {
    return this.running().callTool(call);
  }

  /** Stops the server and forgets it. Settles when nothing of it is left. */
  async retire(): Promise<void> {
    this.dispose();
    await this.stop();
  }

  dispose(): void {
    this.store.dispose();
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

  /** The working directory follows from the roots, which may change while the disk is looked at. */
  private async prepare(): Promise<ProcessStart> {
    for (;;) {
      const { access } = this;
      const process = await processStart(this.definition, access);
      if (sameRoots(access.roots, this.access.roots)) {
        return process;
      }
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
    const { ServerConnection } = await loadClient();
    if (!this.connection) {
      const connection = new ServerConnection(this.context.clientInfo);
      this.connection = connection;
      this.store.add(connection.onDidChangeState(() => this.didChange.fire()));
      this.store.add(connection.onDidServeRoots(answer => this.expose(answer)));
      this.store.add(connection.onDidPass(({ kind }) => this.countRubbish(kind)));
      this.store.add(this.context.logFor(this.definition).follow(connection));
    }
    return this.connection;
  }

  private countRubbish(kind: Traffic['kind']): void {
    if (kind === 'rubbish') {
      this.rubbish += 1;
      this.rubbishNews.request();
    }
  }

  private expose(answer: Answer): void {
    const { id, label } = this.definition;
    this.told = { at: Date.now(), serverId: id, serverLabel: label, ...answer };
    this.didExpose.fire(this.told);
    this.didChange.fire();
  }

  /** Brings a change of what the server may see to its process. */
  private update(): void {
    const { roots } = this.access;
    const effect = this.isLive ? accessEffect(this.offered, roots) : 'none';
    if (this.offered) {
      this.offered = roots;
      this.connection?.setRoots(roots);
    }
    if (effect === 'stop') {
      this.hasLostItsRoots = true;
      void this.stop();
    } else if (effect === 'restart') {
      void this.restart();
    }
    this.didChange.fire();
  }
}
