import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Access, startRoots } from '../../src/domain/consent/folderAccess.ts';
import {
  type RootsEffect,
  rootsEffect,
  type StartRoot,
} from '../../src/domain/servers/rootsChange.ts';
import type { ServerDefinition } from '../../src/domain/servers/serverDefinition.ts';
import { type IdentityFields, identityOf } from '../../src/domain/servers/serverIdentity.ts';
import { fieldsOf } from './launches.ts';
import { callText, type RecordingConnection, recordingConnection } from './recordingConnection.ts';
import { listsIn, type RecordingServer, rawServer } from './recordingServer.ts';

/** Times that twenty processes on a busy machine keep, and in which each reads all it was sent. */
export const patientTimes = {
  probe: 60_000,
  handshake: 120_000,
  stop: { end: 60_000, terminate: 60_000 },
};

/** One server of one window: a real process, and the code under test that talks to it. */
export class WindowServer {
  readonly definition: ServerDefinition;
  readonly fields: IdentityFields;
  readonly identity: string;
  private readonly process: RecordingServer;
  private readonly recording: RecordingConnection;
  private readonly accessOf: (server: WindowServer) => Access;
  /** What its process was started with, and what it can see since; `undefined`: it was refused. */
  private atStart: readonly StartRoot[] | undefined;
  private offered: readonly StartRoot[] | undefined;

  constructor(
    t: TestContext,
    definition: ServerDefinition,
    accessOf: (server: WindowServer) => Access,
  ) {
    this.definition = definition;
    this.fields = fieldsOf(definition.launch);
    this.identity = identityOf(this.fields);
    this.accessOf = accessOf;
    this.process = rawServer(t);
    this.recording = recordingConnection(t, patientTimes);
  }

  get isRunning(): boolean {
    return this.recording.connection.state.kind === 'running';
  }

  /** Starts it with what it may see now; settles when it runs, and has asked unless it is refused. */
  async start(): Promise<void> {
    const access = this.accessOf(this);
    const { connection, answers } = this.recording;
    const before = answers.length;
    this.offered = access.isRefused ? undefined : startRoots(access);
    this.atStart = this.offered;
    const state = await connection.start(this.process.start, this.offered);
    assert.equal(state.kind, 'running');
    if (this.offered) {
      await answersOf(this.recording, before + 1);
    }
  }

  /** What the editor does when something changed; settles when the server has heard of it. */
  async update(): Promise<void> {
    const roots = startRoots(this.accessOf(this));
    const { connection, answers } = this.recording;
    const effect = this.isRunning ? this.effectOf(roots) : 'none';
    const before = answers.length;
    if (this.offered) {
      this.offered = roots;
      connection.setRoots(roots);
    }
    if (effect === 'stop' || effect === 'restart') {
      await connection.stop();
      await (effect === 'restart' ? this.start() : undefined);
    } else if (effect === 'tell') {
      await answersOf(this.recording, before + 1);
    }
  }

  private effectOf(roots: readonly StartRoot[]): RootsEffect {
    const { atStart, offered = [], definition } = this;
    return rootsEffect({ launch: definition.launch, roots: atStart }, offered, roots);
  }

  /** The names of the roots in each answer that the running process was sent, off its own record. */
  async lists(): Promise<string[][]> {
    return listsIn(await this.wire());
  }

  /** Every byte that reached the process which runs now, or ran last. */
  async wire(): Promise<string> {
    if (this.isRunning) {
      // What was sent before this call is on record when it is answered.
      await callText(this.recording.connection, 'answers');
    }
    const pids = this.recording.states.flatMap(
      state => (state.kind === 'running' && state.pid) || [],
    );
    return this.process.bytesOf(pids.at(-1) ?? Number.NaN);
  }
}

/** Settles when the server was handed roots so many times. */
export function answersOf({ events, answers }: RecordingConnection, count: number): Promise<void> {
  return new Promise(resolve => {
    const look = () => answers.length >= count && resolve();
    events.onDidServeRoots(look);
    look();
  });
}
