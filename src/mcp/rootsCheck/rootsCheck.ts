import type { Implementation } from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { Root } from '../../domain/roots.ts';
import { noFindings, type RootsFindings } from '../../domain/rootsCheck/rootsFindings.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';
import type { StartRoot } from '../../domain/servers/rootsChange.ts';
import type { ProtocolChoice } from '../../domain/servers/serverDefinition.ts';
import { type ConnectionState, ServerConnection } from '../connection.ts';
import type { Failure } from '../failure.ts';
import type { Target } from '../openWire.ts';
import { MissedPaths } from '../sandbox/missedPaths.ts';
import type { ProcessOwner } from '../stdio/processOwner.ts';
import type { ConnectionTimes } from '../times.ts';
import { observe } from './observe.ts';
import { makeThrowAwayFolders, type ThrowAwayFolders } from './throwAwayFolders.ts';
import {
  type CheckTimes,
  defaultCheckTimes,
  happensWithin,
  Interruption,
  interruptionOf,
  WatchedServer,
} from './watchedServer.ts';

/** The server to check, and who checks it. */
export interface RootsCheckStart extends Launch {
  /**
   * How to start or reach the server when it may see these folders.
   *
   * @param later the path of a folder that it is told of later: a sandbox shows that, too.
   */
  readonly target: (roots: readonly StartRoot[], later: string) => Promise<Target>;
  readonly times?: CheckTimes;
}

/** The outcome of a check. */
export type RootsCheckOutcome =
  | { readonly kind: 'found'; readonly findings: RootsFindings }
  /** The server could not be brought to run. */
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      /** What it asked for in vain before, if it was in a sandbox. */
      readonly missed: readonly string[];
    }
  | { readonly kind: 'cancelled' };

type Running = Extract<ConnectionState, { readonly kind: 'running' }>;

/**
 * Finds out what a server does with its roots: starts it separately, tells it of folders made for
 * this and of no others, and calls only tools that change nothing. It leaves nothing behind.
 */
export class RootsCheck {
  private readonly how: RootsCheckStart;
  private readonly times: CheckTimes;
  private readonly interruption = new AbortController();
  private readonly didStep = new Emitter<Sentence>();
  private readonly launcher: Launcher;
  private folders: ThrowAwayFolders | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** The present step, for a person who waits. */
  readonly onDidStep: Event<Sentence> = this.didStep.event;

  constructor(how: RootsCheckStart) {
    this.how = how;
    this.times = how.times ?? defaultCheckTimes;
    this.launcher = new Launcher(how, this.times.connection, this.interruption.signal);
  }

  /**
   * Runs the check, once. Resolves when the server has ended and the folders are gone.
   *
   * @throws {HumanError} when there is a reason not to start the server.
   */
  async run(): Promise<RootsCheckOutcome> {
    const folders = await makeThrowAwayFolders();
    this.folders = folders;
    try {
      const { root, path } = folders.first;
      const target = await this.how.target([{ ...root, path }], folders.second.path);
      return await this.check(target, folders);
    } finally {
      clearTimeout(this.timer);
      await this.leaveNothing(folders);
    }
  }

  /** Ends the check; `run` resolves once nothing is left. */
  cancel(): void {
    this.interrupt('cancelled');
  }

  /** Ends the server and removes the folders at once. For the last moment of our own process. */
  kill(): void {
    this.cancel();
    this.launcher.kill();
    this.folders?.removeNow();
  }

  private async leaveNothing(folders: ThrowAwayFolders): Promise<void> {
    try {
      await this.launcher.stop();
    } finally {
      // After the end of the server: on Windows, a process keeps its working directory from removal.
      await folders.remove();
      this.folders = undefined;
    }
  }

  private interrupt(kind: 'cancelled' | 'time'): void {
    this.interruption.abort(new Interruption(kind));
  }

  private async check(target: Target, folders: ThrowAwayFolders): Promise<RootsCheckOutcome> {
    this.didStep.fire(sentence(firstStep(target)));
    const { signal } = this.interruption;
    const connection = this.launcher.newConnection();
    const server = new WatchedServer(connection, this.times, signal);
    const sandbox = 'env' in target ? target.sandbox : undefined;
    const missing = new MissedPaths(() => {});
    missing.begin(sandbox);
    connection.onDidBegin(session => missing.follow(session));
    const missed = () =>
      missing.all.map(({ path }) => path).filter(path => !path.startsWith(folders.outside.path));
    const state = await this.launcher.start(connection, target, [folders.first.root]);
    if (state.kind !== 'running') {
      return state.kind === 'failed'
        ? { kind: 'failed', failure: state.failure, missed: missed() }
        : { kind: 'cancelled' };
    }
    this.timer = setTimeout(() => this.interrupt('time'), this.times.whole);
    const findings = await this.observe(state, server, folders, sandbox !== undefined);
    await connection.stop();
    const startsWithoutRoots = await this.startsWithoutRoots(target);
    const cutShort = interruptionOf(signal) ?? interruptionOf(server.signal);
    return cutShort === 'cancelled'
      ? { kind: 'cancelled' }
      : {
          kind: 'found',
          findings: {
            ...findings,
            startsWithoutRoots,
            cutShort,
            sandbox: sandbox && {
              beyond: findings.sandbox?.beyond ?? 'untold',
              missed: missed(),
            },
          },
        };
  }

  private async observe(
    { era, protocolVersion }: Running,
    server: WatchedServer,
    folders: ThrowAwayFolders,
    isSandboxed: boolean,
  ): Promise<RootsFindings> {
    let findings = noFindings(era, protocolVersion);
    try {
      await observe({
        server,
        folders,
        times: this.times,
        isLegacy: era === 'legacy',
        isSandboxed,
        found: more => {
          findings = { ...findings, ...more };
        },
        step: step => this.didStep.fire(step),
      });
    } catch (error) {
      unlessInterrupted(error);
    }
    return { ...findings, firstAsked: server.firstAsked, called: server.called };
  }

  /** Whether it runs, and goes on to, without the capability; `undefined`: interrupted before that. */
  private async startsWithoutRoots(target: Target): Promise<boolean | undefined> {
    const { signal } = this.interruption;
    if (signal.aborted) {
      return undefined;
    }
    this.didStep.fire(sentence('Starting it without roots'));
    const connection = this.launcher.newConnection();
    const state = await this.launcher.start(connection, target, undefined);
    if (state.kind !== 'running') {
      return signal.aborted ? undefined : false;
    }
    try {
      await happensWithin(connection.onDidChangeState, this.times.steady, signal);
      return connection.state.kind === 'running';
    } catch (error) {
      unlessInterrupted(error);
      return undefined;
    }
  }
}

function firstStep(target: Target): string {
  return 'env' in target && target.mayDownload
    ? 'Starting it with a throw-away folder; it may be downloading'
    : 'Starting it with a throw-away folder';
}

/** @throws the error, unless it is an {@link Interruption}. */
function unlessInterrupted(error: unknown): void {
  if (!(error instanceof Interruption)) {
    throw error;
  }
}

/** The client that connects to the checked server, and the protocol revision. */
export interface Launch {
  readonly clientInfo: Implementation;
  readonly owner: ProcessOwner;
  readonly protocol: ProtocolChoice;
  /** Gets each connection that the check makes, before it is used. */
  readonly follow: (connection: ServerConnection) => void;
}

/** Starts the server of a check, one process at a time, and ends it when the check is aborted. */
export class Launcher {
  private readonly launch: Launch;
  private readonly times: ConnectionTimes;
  private readonly signal: AbortSignal;
  private connection: ServerConnection | undefined;

  /** @param signal ends the running server, and keeps any other from starting. */
  constructor(launch: Launch, times: ConnectionTimes, signal: AbortSignal) {
    this.launch = launch;
    this.times = times;
    this.signal = signal;
  }

  /** A connection to be started here; the one before it must be stopped. */
  newConnection(): ServerConnection {
    const { clientInfo, owner } = this.launch;
    const connection = new ServerConnection({ clientInfo, owner, times: this.times });
    this.connection = connection;
    this.launch.follow(connection);
    return connection;
  }

  /** Resolves to the state that the start leads to, and never rejects. */
  async start(
    connection: ServerConnection,
    target: Target,
    roots: readonly Root[] | undefined,
  ): Promise<ConnectionState> {
    if (this.signal.aborted) {
      return connection.state;
    }
    // A start that is called off may settle long after nothing is left of it.
    const calledOff = new Promise<ConnectionState>(resolve => {
      const stop = () => void connection.stop().then(() => resolve(connection.state));
      this.signal.addEventListener('abort', stop, { once: true });
    });
    return Promise.race([connection.start(target, roots, this.launch.protocol), calledOff]);
  }

  /** Ends the server. Resolves when nothing is left of it. */
  async stop(): Promise<void> {
    await this.connection?.stop();
  }

  /** Kills the server at once. */
  kill(): void {
    this.connection?.kill();
  }
}
