import { ProtocolError, type Tool } from '@modelcontextprotocol/client';
import { within } from '../../base/within.ts';
import type { FirstAsked, Reach } from '../../domain/rootsCheck/rootsFindings.ts';
import type { ServerConnection } from '../connection.ts';
import type { Answer } from '../rootsAnswerer.ts';
import type { CheckTimes } from './checkTimes.ts';
import { Interruption } from './interruption.ts';
import type { Probe, Said } from './probes.ts';
import type { ThrowAwayFolder } from './throwAwayFolders.ts';
import { happensWithin, pause } from './waiting.ts';

/** A server under watch: counts how often it asks for its roots and when, and calls its tools. */
export class WatchedServer {
  /** Aborted with an {@link Interruption} when it ends by itself, or as the given signal is. */
  readonly signal: AbortSignal;
  private readonly connection: ServerConnection;
  private readonly times: CheckTimes;
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
    connection.onDidServeRoots(answer => this.count(answer));
    connection.onDidChangeState(({ kind }) => {
      if (kind === 'failed') {
        end.abort(new Interruption('ended'));
      }
    });
  }

  /** What made it ask the first time. */
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
    return (
      this.asked > times ||
      happensWithin(this.connection.onDidServeRoots, milliseconds, this.signal)
    );
  }

  /** Changes what it is told from now on. */
  tell(...folders: readonly ThrowAwayFolder[]): void {
    this.moment = 'change';
    this.connection.setRoots(folders.map(({ root }) => root));
  }

  /** Its tools; none when it does not say. */
  async listTools(): Promise<readonly Tool[]> {
    try {
      return await within(this.connection.listTools(), this.times.call, []);
    } catch {
      // It has none, or is gone, and then the signal says so.
      this.signal.throwIfAborted();
      return [];
    }
  }

  /** Calls a tool; `undefined` when that came to no answer of the server's. */
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

  /** What the probe sees once it is as wanted, or has had the time to be. */
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
  }
}
