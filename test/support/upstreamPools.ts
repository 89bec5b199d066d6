import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { afterReal } from '../../src/base/clock.ts';
import { within } from '../../src/base/timeLimit.ts';
import type { HubServer } from '../../src/domain/hubConfig/hubServer.ts';
import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';
import type { Launch } from '../../src/domain/servers/launch.ts';
import { PoolClient } from '../../src/hub/upstreams/poolClient.ts';
import type { PoolEntry } from '../../src/hub/upstreams/poolEntry.ts';
import type { Upstream, UpstreamEvent, UpstreamHost } from '../../src/hub/upstreams/upstream.ts';
import type { Caller, RelayedCapabilities } from '../../src/hub/upstreams/upstreamCalls.ts';
import { type ClientKind, UpstreamPool } from '../../src/hub/upstreams/upstreamPool.ts';
import { prepareRootFolders, type RootFolder } from '../../src/server/roots/rootFolders.ts';
import { stdioLaunch } from './launches.ts';
import { patience } from './patience.ts';
import { atEnd } from './processes.ts';
import { testTimes } from './recordingConnection.ts';
import type { RecordingServer } from './recordingServer.ts';
import { tempFolder } from './temp.ts';
import { TurnedClock } from './turnedClock.ts';

/** The upstreams of a hub, and what was told of them. */
export interface RecordedPool {
  readonly pool: UpstreamPool;
  /** A session of its own, or what is said otherwise. */
  readonly newClient: (given?: GivenClient) => TestClient;
  readonly events: readonly UpstreamEvent[];
  readonly warnings: readonly string[];
  /** The clock of what is idle, and of what waits for a start. */
  readonly clock: TurnedClock;
}

/** What a test says of a client. */
interface GivenClient {
  readonly kind?: ClientKind;
  readonly id?: string;
  readonly capabilities?: RelayedCapabilities;
  readonly answer?: Caller['answer'];
}

/** A client whose kind and capabilities never change, and which answers what it is asked. */
export class TestClient extends PoolClient implements Caller {
  readonly answer: Caller['answer'];
  private readonly given: Required<Pick<GivenClient, 'kind' | 'capabilities'>>;

  constructor(pool: UpstreamPool, id: string, given: GivenClient) {
    super(pool, given.id ?? id);
    const { kind = 'session', capabilities = {}, answer = nobody.answer } = given;
    this.given = { kind, capabilities };
    this.answer = answer;
  }

  /** The upstreams for these roots. */
  at(roots: readonly RootFolder[], server?: string): PoolEntry {
    return this.use({ ...this.given, roots, server });
  }
}

/** Upstreams that end with the test, whatever it does. */
export function upstreamPool(t: TestContext, mostProcesses?: number): RecordedPool {
  const events: UpstreamEvent[] = [];
  const warnings: string[] = [];
  const clock = new TurnedClock();
  const note = (message: string | Error) => void warnings.push(String(message));
  const host: UpstreamHost = {
    clientInfo: { name: 'test-hub', version: '1' },
    // A process that gets no processor for some seconds is none of the older revisions for that.
    times: { ...testTimes, probe: patience, handshake: 2 * patience, download: 2 * patience },
    logger: { trace() {}, debug() {}, info() {}, warn: note, error: note },
    // Short times are those of servers that really run.
    after: (time, run) => (time < 45_000 ? afterReal : clock.after)(time, run),
    observer: { takeEvent: event => void events.push(event), takeExposure() {}, takeLine() {} },
  };
  const pool = new UpstreamPool(host, mostProcesses);
  atEnd(t, async () => {
    t.mock.timers.reset();
    if ((await within(pool.close(), patience, 'late')) === 'late') {
      throw new Error('The hub does not end its servers.');
    }
  });
  let lastId = 0;
  const newClient = (given: GivenClient = {}) => {
    lastId += 1;
    return new TestClient(pool, `client ${lastId}`, given);
  };
  return { pool, newClient, events, warnings, clock };
}

/** A server of a hub's configuration of which nothing is said but this. */
export function hubServer(
  name: string,
  launch: Launch,
  said: Partial<Omit<HubServer, 'name' | 'launch'>> = {},
): HubServer {
  const nothing = { checkNames: [], leaveNames: [], pathPatterns: [] };
  const guard = { guard: undefined, ...nothing, allow: undefined, deny: undefined };
  return {
    name,
    launch,
    rootsAs: ['roots'],
    protocol: 'auto',
    sandbox: undefined,
    autoStart: false,
    guard: { ...guard, tools: new Map() },
    globsFromRoot: [],
    fingerprint: JSON.stringify(launch),
    ...said,
  };
}

/** How to start a server of the tests, in its first root, with further arguments. */
export function launchOf({ start }: RecordingServer, ...args: readonly string[]) {
  return stdioLaunch({ command: start.command, args: [...start.args, ...args] });
}

/** Folders with these names, as the roots of a client. */
export function rootsOf(t: TestContext, ...names: readonly string[]): readonly RootFolder[] {
  const folder = tempFolder(t);
  const entries = names.map(name => {
    mkdirSync(join(folder, name));
    return { uri: pathToFileURL(join(folder, name)).href, name };
  });
  return prepareRootFolders(entries, process.platform as PathPlatform).scope.roots;
}

/** A client that offers servers nothing, and answers nothing. */
export const nobody = {
  capabilities: {},
  answer: (): Promise<never> => Promise.reject(new Error('Nobody answers.')),
};

/** Starts the upstream if need be, calls a tool, and answers with its text. */
export async function callUpstream(
  upstream: Upstream | undefined,
  name: string,
  caller?: Caller,
): Promise<string> {
  await upstream?.prepare(AbortSignal.timeout(patience));
  return textOf(await upstream?.forward(toolCall(name), caller));
}

/** The request for a tool. */
export function toolCall(name: string) {
  return { method: 'tools/call', params: { name, arguments: {} } };
}

/** The text of a tool's answer. */
export function textOf(answer: unknown): string {
  const { result } = answer as { result: { content: readonly { text: string }[] } };
  return result.content.map(({ text }) => text).join('\n');
}
