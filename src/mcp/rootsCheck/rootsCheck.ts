import { Emitter, type Event } from '../../base/emitter.ts';
import { noFindings, type RootsFindings } from '../../domain/rootsCheck/rootsFindings.ts';
import { type Sentence, sentence } from '../../domain/sentence.ts';
import type { ConnectionState } from '../connection.ts';
import type { Failure } from '../failure.ts';
import type { Target } from '../openWire.ts';
import { type CheckTimes, defaultCheckTimes } from './checkTimes.ts';
import { Interruption, interruptionOf } from './interruption.ts';
import { type Launch, Launcher } from './launcher.ts';
import { observe } from './observe.ts';
import { makeThrowAwayFolders, type ThrowAwayFolders } from './throwAwayFolders.ts';
import { happensWithin } from './waiting.ts';
import { WatchedServer } from './watchedServer.ts';

/** The server to check, and who checks it. */
export interface RootsCheckStart extends Launch {
  /** How to start or reach the server when it may see the folders with these paths. */
  readonly target: (rootPaths: readonly string[]) => Promise<Target>;
  readonly times?: CheckTimes;
}

/** What came of a check. */
export type RootsCheckOutcome =
  | { readonly kind: 'found'; readonly findings: RootsFindings }
  /** The server could not be brought to run. */
  | { readonly kind: 'failed'; readonly failure: Failure }
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

  /** What it is doing, for a person who waits. */
  readonly onDidStep: Event<Sentence> = this.didStep.event;

  constructor(how: RootsCheckStart) {
    this.how = how;
    this.times = how.times ?? defaultCheckTimes;
    this.launcher = new Launcher(how, this.times.connection, this.interruption.signal);
  }

  /**
   * Runs the check, once. Settles when the server has ended and the folders are gone.
   *
   * @throws {HumanError} when there is a reason not to start the server.
   */
  async run(): Promise<RootsCheckOutcome> {
    const folders = await makeThrowAwayFolders();
    this.folders = folders;
    try {
      return await this.check(await this.how.target([folders.first.path]), folders);
    } finally {
      clearTimeout(this.timer);
      await this.leaveNothing(folders);
    }
  }

  /** Ends the check; `run` settles once nothing is left. */
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
      // After the server: on Windows, the working directory of a process can't be removed.
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
    const state = await this.launcher.start(connection, target, [folders.first.root]);
    if (state.kind !== 'running') {
      return state.kind === 'failed'
        ? { kind: 'failed', failure: state.failure }
        : { kind: 'cancelled' };
    }
    this.timer = setTimeout(() => this.interrupt('time'), this.times.whole);
    const findings = await this.observe(state, server, folders);
    await connection.stop();
    const startsWithoutRoots = await this.startsWithoutRoots(target);
    const cutShort = interruptionOf(signal) ?? interruptionOf(server.signal);
    return cutShort === 'cancelled'
      ? { kind: 'cancelled' }
      : { kind: 'found', findings: { ...findings, startsWithoutRoots, cutShort } };
  }

  private async observe(
    { era, protocolVersion }: Running,
    server: WatchedServer,
    folders: ThrowAwayFolders,
  ): Promise<RootsFindings> {
    let findings = noFindings(era, protocolVersion);
    try {
      await observe({
        server,
        folders,
        times: this.times,
        isLegacy: era === 'legacy',
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

/** @throws the error, when it is none of ours. */
function unlessInterrupted(error: unknown): void {
  if (!(error instanceof Interruption)) {
    throw error;
  }
}
