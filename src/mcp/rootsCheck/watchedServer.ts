import { ProtocolError, type Tool } from '@modelcontextprotocol/client';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { within } from '../../base/timeLimit.ts';
import type { FirstAsked, Reach } from '../../domain/rootsCheck/rootsFindings.ts';
import type { ServerConnection } from '../connection.ts';
import type { Answer } from '../rootsAnswerer.ts';
import { type ConnectionTimes, defaultTimes } from '../times.ts';
import type { Probe, Said } from './probes.ts';
import type { ThrowAwayFolder } from './throwAwayFolders.ts';

/** A server under watch: counts how often it asks for its roots and when, and calls its tools. */
export class WatchedServer {
  /** Aborted with an {@link Interruption} when it ends by itself, or as the given signal is. */
  readonly signal: AbortSignal;
  private readonly connection: ServerConnection;
  private readonly times: CheckTimes;
  private readonly didAsk = new Emitter<void>();
  private readonly names = new Set<string>();
  private asked = 0;
  private first: FirstAsked = { kind: 'never' };
  private moment: 'start' | 'change' = 'start';
  private calling: string | undefined;

  /**
   * @param connection not started yet: a server may ask in the middle of its start.
   * @param signal ends every wait and every call, with its reason.
   */
  constructor(connection: ServerConnection, times: CheckTimes, signal: AbortSignal) {
    const end = new AbortController();
    this.connection = connection;
    this.times = times;
    this.signal = AbortSignal.any([signal, end.signal]);
    connection.onDidBegin(({ onDidServeRoots }) => onDidServeRoots(answer => this.count(answer)));
    connection.onDidChangeState(({ kind }) => {
      if (kind === 'failed') {
        end.abort(new Interruption('ended'));
      }
    });
  }

  /** The occasion on which it asked the first time. */
  get firstAsked(): FirstAsked {
    return this.first;
  }

  /** How many times it has asked. */
  get timesAsked(): number {
    return this.asked;
  }

  /** The tools that were called. */
  get called(): readonly string[] {
    return [...this.names];
  }

  /** Whether it has asked more than `times` times, or does so within the milliseconds. */
  async asksBeyond(times: number, milliseconds: number): Promise<boolean> {
    return this.asked > times || happensWithin(this.didAsk.event, milliseconds, this.signal);
  }

  /** Changes the folders that it is told of. */
  tell(...folders: readonly ThrowAwayFolder[]): void {
    this.moment = 'change';
    this.connection.setRoots(folders.map(({ root }) => root));
  }

  /** Its tools; none when it does not list any. */
  async listTools(): Promise<readonly Tool[]> {
    try {
      return await within(this.connection.listTools(), this.times.call, []);
    } catch {
      // It has no tools; or it is gone, and then the signal is aborted.
      this.signal.throwIfAborted();
      return [];
    }
  }

  /** Calls a tool; `undefined` when the server gave no answer. */
  readonly call = async (
    name: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Said | undefined> => {
    this.names.add(name);
    this.calling = name;
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(this.times.call)]);
    try {
      const result = await this.connection.callTool({ name, arguments: args, signal });
      return { isError: result.isError === true, text: JSON.stringify(result) };
    } catch (error) {
      this.signal.throwIfAborted();
      return error instanceof ProtocolError ? { isError: true, text: error.message } : undefined;
    } finally {
      this.calling = undefined;
    }
  };

  /** The first of the probes that sees the folder served; a server may need a moment for that. */
  async firstServing(
    probes: readonly Probe[],
    folder: ThrowAwayFolder,
  ): Promise<Probe | undefined> {
    const end = performance.now() + this.times.settle;
    for (;;) {
      for (const probe of probes) {
        if ((await probe.reach(folder)) === 'served') {
          return probe;
        }
      }
      if (probes.length === 0 || performance.now() >= end) {
        return undefined;
      }
      await pause(this.times.pause, this.signal);
    }
  }

  /** The reach that the probe sees as soon as it is the wanted one, or after the time for that. */
  async settledReach(
    probe: Probe,
    folder: ThrowAwayFolder,
    wanted: 'served' | 'refused',
  ): Promise<Reach> {
    const end = performance.now() + this.times.settle;
    for (;;) {
      const reach = await probe.reach(folder);
      if (reach === wanted || reach === 'untold' || performance.now() >= end) {
        return reach;
      }
      await pause(this.times.pause, this.signal);
    }
  }

  private count({ count, trigger }: Answer): void {
    if (this.asked === 0) {
      const tool = trigger.kind === 'tools/call' ? trigger.tool : this.calling;
      this.first = tool === undefined ? { kind: this.moment } : { kind: 'call', tool };
    }
    this.asked += count;
    this.didAsk.fire();
  }
}

/**
 * Whether the event is fired within the given milliseconds; known as soon as it is.
 * Rejects with the reason of the signal once that is aborted.
 */
export function happensWithin<T>(
  event: Event<T>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const store = new DisposableStore();
    const settle = (conclude: () => void) => {
      store.dispose();
      conclude();
    };
    const giveUp = () => settle(() => reject(signal.reason));
    const timer = setTimeout(() => settle(() => resolve(false)), milliseconds);
    store.add(toDisposable(() => clearTimeout(timer)));
    store.add(toDisposable(() => signal.removeEventListener('abort', giveUp)));
    store.add(event(() => settle(() => resolve(true))));
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) {
      giveUp();
    }
  });
}

/** Waits, unless the signal is aborted: then it rejects with its reason. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await happensWithin(nothing, milliseconds, signal);
}

const nothing: Event<never> = () => toDisposable(() => {});

/** The end of a check before its time: by a person, by the server or by the clock. */
export class Interruption extends Error {
  readonly kind: 'cancelled' | 'ended' | 'time';

  constructor(kind: Interruption['kind']) {
    super(`The check was interrupted: ${kind}.`);
    this.kind = kind;
  }
}

/** The kind of interruption that aborted the signal; `undefined` without one. */
export function interruptionOf({ reason }: AbortSignal): Interruption['kind'] | undefined {
  return reason instanceof Interruption ? reason.kind : undefined;
}

/** The times a check keeps, in milliseconds. */
export interface CheckTimes {
  /** From the first handshake to the end of the server. */
  readonly whole: number;
  /** For the server to ask for its roots at its start. */
  readonly ask: number;
  /** For the server to ask after a change. */
  readonly askAgain: number;
  /** After that, for its tools to keep to the new list. */
  readonly settle: number;
  /** Between two looks at its tools. */
  readonly pause: number;
  /** For a tool to answer. */
  readonly call: number;
  /** For the server to go on after its start, so that it counts as running. */
  readonly steady: number;
  readonly connection: ConnectionTimes;
}

/**
 * A check with these times is over within a minute after the start of the server, its end included,
 * however stubborn the server is. The start itself has the time of any start.
 */
export const defaultCheckTimes: CheckTimes = {
  whole: 50_000,
  ask: 5000,
  askAgain: 3000,
  settle: 1500,
  pause: 100,
  call: 5000,
  steady: 1000,
  connection: defaultTimes,
};
