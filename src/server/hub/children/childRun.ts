import { DisposableStore, type IDisposable } from '../../../base/disposable.ts';
import { Emitter, type Event } from '../../../base/emitter.ts';
import type { Logger } from '../../../base/logger.ts';
import { isHumanError } from '../../../domain/errors.ts';
import type { HubServer } from '../../../domain/hub/hubServer.ts';
import type { RestartPlan } from '../../../domain/servers/restarts.ts';
import type { ClientRelay } from '../../../mcp/clientRelay.ts';
import type { ConnectionState, ServerConnection } from '../../../mcp/connection.ts';
import type { Failure } from '../../../mcp/failure.ts';
import type { Target } from '../../../mcp/openWire.ts';
import type { ProcessOwner } from '../../../mcp/stdio/processOwner.ts';
import type { ProcessStart } from '../../../mcp/stdio/serverProcess.ts';
import type { Supervisor } from '../../../mcp/supervisor.ts';
import type { ConnectionTimes } from '../../../mcp/times.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import { rootsEffect, toldRoots } from './childRoots.ts';
import { childTarget, type TargetParts } from './childTarget.ts';
import type { ClientBundle } from './clientBundle.ts';
import type { ProcessPlaces } from './processPlaces.ts';
import { RunProcesses } from './runProcesses.ts';

/** What all runs of a hub share. */
export interface RunParts extends Pick<TargetParts, 'emptyFolder'> {
  readonly loadClient: () => Promise<ClientBundle>;
  /** The owner of all processes, which is part of the client bundle. */
  readonly owner: (bundle: ClientBundle) => ProcessOwner;
  readonly places: ProcessPlaces;
  readonly clientInfo: { readonly name: string; readonly title?: string; readonly version: string };
  /** `undefined`: those for a server that a person waits for. */
  readonly times?: ConnectionTimes | undefined;
  readonly logger: Pick<Logger, 'error'>;
}

/** What one run is of. */
export interface RunSubject {
  readonly server: HubServer;
  readonly roots: readonly RootFolder[];
  /** What the server's own requests go to. */
  readonly relay: ClientRelay;
  /** Looks at once whether the roots are still in place, and sets others if they are not. */
  readonly lookAgain: () => void;
  /** Settles when that is gone which has to be gone before the first start. */
  readonly predecessor?: Promise<unknown> | undefined;
}

/**
 * One server that runs for one list of roots: started when it is asked for, again after each death,
 * and anew where only that brings it other roots.
 */
export class ChildRun implements IDisposable {
  private readonly subject: RunSubject;
  private readonly parts: RunParts;
  private readonly processes: RunProcesses;
  private readonly store = new DisposableStore();
  private readonly didChange = this.store.add(new Emitter<void>());
  private readonly didConnect = this.store.add(new Emitter<ServerConnection>());
  private roots: readonly RootFolder[];
  private rootsAtStart: readonly RootFolder[] = [];
  private supervisor: Supervisor | undefined;
  /** Set during a start or restart; aborted when another one, or a stop, takes its place. */
  private attempt: AbortController | undefined;
  /** Why the last start came to no connection. */
  private obstacle: Failure | undefined;
  private known: Known = {};
  private attempts = 0;

  /** State or plan may be another. */
  readonly onDidChange: Event<void> = this.didChange.event;
  /** The connection is made, once, and not started yet. */
  readonly onDidConnect: Event<ServerConnection> = this.didConnect.event;

  constructor(subject: RunSubject, parts: RunParts) {
    this.subject = subject;
    this.parts = parts;
    this.processes = new RunProcesses(parts.places);
    this.roots = subject.roots;
  }

  /** `undefined` before the first start. */
  get connection(): ServerConnection | undefined {
    return this.known.connection;
  }

  /** The folder in which its process was started last. */
  get cwd(): string | undefined {
    return this.known.process?.cwd;
  }

  /** The variables of ours that name a proxy with a password, which it was not given last. */
  get withheldProxies(): readonly string[] {
    return this.known.process?.withheldProxies ?? [];
  }

  get state(): ConnectionState {
    if (this.attempt) {
      return { kind: 'starting' };
    }
    const { obstacle, connection } = this;
    return obstacle
      ? { kind: 'failed', failure: obstacle }
      : (connection?.state ?? { kind: 'stopped' });
  }

  get plan(): RestartPlan {
    return this.supervisor?.plan ?? { kind: 'none' };
  }

  /** Whether it can be called. */
  get isUp(): boolean {
    return !this.attempt && this.connection?.state.kind === 'running';
  }

  /** Starts it, or stops it and starts it again; a start that is under way is begun anew. */
  begin(): void {
    const attempt = new AbortController();
    this.attempt?.abort();
    this.attempt = attempt;
    this.obstacle = undefined;
    this.didChange.fire();
    void this.bringUp(attempt.signal);
  }

  /** Ends it, and calls off what was planned. Settles when nothing of it is left; never rejects. */
  async stop(): Promise<void> {
    this.attempt?.abort();
    this.attempt = undefined;
    this.obstacle = undefined;
    this.attempts += 1;
    this.supervisor?.forget();
    this.didChange.fire();
    await this.connection?.stop();
  }

  /** Brings it other roots: it is told of them, and started anew or ended if it has to be. */
  setRoots(roots: readonly RootFolder[]): void {
    this.roots = roots;
    this.connection?.setRoots(toldRoots(roots));
    if (this.obstacle) {
      void this.stop(); // What kept it from starting may be gone with the roots of then.
      return;
    }
    if (!this.attempt && this.connection?.state.kind !== 'running') {
      return; // What starts it the next time looks at the roots.
    }
    const effect = rootsEffect(this.subject.server.launch, this.rootsAtStart, roots);
    if (effect === 'restart') {
      this.begin();
    } else if (effect === 'stop') {
      void this.stop();
    }
  }

  /**
   * Settles when the start that is under way or planned has come to an end, whichever that is;
   * `false` when the signal was aborted before.
   */
  async settled(signal: AbortSignal): Promise<boolean> {
    const { attempts } = this;
    const isOver = () => this.attempts !== attempts || signal.aborted;
    if (!isOver()) {
      await new Promise<void>(resolve => {
        const look = () => {
          if (isOver()) {
            listening.dispose();
            signal.removeEventListener('abort', look);
            resolve();
          }
        };
        const listening = this.onDidChange(look);
        signal.addEventListener('abort', look);
      });
    }
    return this.attempts !== attempts;
  }

  /** Nothing is started and nothing is told of any more. */
  dispose(): void {
    this.store.dispose();
  }

  private async bringUp(calledOff: AbortSignal): Promise<void> {
    const obstacle = await this.tryToStart(calledOff);
    if (!calledOff.aborted) {
      this.attempt = undefined;
      this.obstacle = obstacle;
      this.attempts += 1;
      this.didChange.fire();
    }
  }

  private async tryToStart(calledOff: AbortSignal): Promise<Failure | undefined> {
    try {
      const { loadClient } = this.parts;
      const [bundle] = await Promise.all([loadClient(), this.subject.predecessor]);
      if (calledOff.aborted) {
        return undefined;
      }
      const connection = this.connect(bundle);
      if (connection.state.kind !== 'failed') {
        await connection.stop();
      }
      const launch = () => this.launchCurrent(connection, bundle, calledOff);
      const isProcess = this.subject.server.launch.type === 'stdio';
      await (isProcess ? this.processes.starting(launch) : launch());
      return undefined;
    } catch (error) {
      return this.failureOf(error);
    }
  }

  /** Working directory and arguments follow from the roots, which may change while they are read. */
  private async launchCurrent(
    connection: ServerConnection,
    { processStart }: ClientBundle,
    calledOff: AbortSignal,
  ): Promise<void> {
    const { emptyFolder } = this.parts;
    for (;;) {
      const { roots } = this;
      const parts = { processStart, emptyFolder };
      const target = await childTarget(this.subject.server.launch, roots, parts);
      this.subject.lookAgain();
      if (calledOff.aborted) {
        return;
      }
      if (roots === this.roots) {
        await this.launch(connection, target);
        return;
      }
    }
  }

  private async launch(connection: ServerConnection, target: Target): Promise<void> {
    const { rootsAs, protocol } = this.subject.server;
    this.rootsAtStart = this.roots;
    this.known = { connection, process: 'cwd' in target ? target : undefined };
    const told = rootsAs.includes('roots') ? toldRoots(this.roots) : undefined;
    await connection.start(target, told, protocol);
  }

  private connect(bundle: ClientBundle): ServerConnection {
    if (!this.connection) {
      const { ServerConnection, Supervisor } = bundle;
      const { clientInfo, owner, times } = this.parts;
      const { relay, lookAgain } = this.subject;
      const look = () => void lookAgain();
      const connection = new ServerConnection(clientInfo, owner(bundle), times, relay, look);
      this.known = { connection };
      connection.onDidStartProcess(started => this.processes.note(started));
      const supervisor = new Supervisor(connection, () => this.begin());
      this.supervisor = this.store.add(supervisor);
      this.store.add(supervisor.onDidChange(() => this.didChange.fire()));
      this.store.add(connection.onDidChangeState(() => this.didChange.fire()));
      this.didConnect.fire(connection);
      return connection;
    }
    return this.connection;
  }

  private failureOf(error: unknown): Failure {
    if (!isHumanError(error)) {
      this.parts.logger.error(error instanceof Error ? error : String(error));
    }
    return { kind: 'not-started', message: error instanceof Error ? error.message : String(error) };
  }
}

/** What the last start was made with. */
interface Known {
  readonly connection?: ServerConnection;
  readonly process?: Pick<ProcessStart, 'cwd' | 'withheldProxies'> | undefined;
}
