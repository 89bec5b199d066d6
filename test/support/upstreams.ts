import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { afterReal } from '../../src/base/clock.ts';
import { within } from '../../src/base/timeLimit.ts';
import type { HubServer } from '../../src/domain/hubConfig/hubServer.ts';
import type { Launch } from '../../src/domain/servers/launch.ts';
import { sandboxHere } from '../../src/hub/upstreams/hubSandbox.ts';
import type { Upstream, UpstreamEvent } from '../../src/hub/upstreams/upstream.ts';
import { Upstreams } from '../../src/hub/upstreams/upstreams.ts';
import { EmptyFolder } from '../../src/hub/upstreams/upstreamTarget.ts';
import { ProcessOwner } from '../../src/mcp/stdio/processOwner.ts';
import { PinnedRoots, type RootFolder } from '../../src/server/roots/rootFolders.ts';
import { stdioLaunch } from './launches.ts';
import { patience } from './patience.ts';
import { atEnd } from './processes.ts';
import { testTimes } from './recordingConnection.ts';
import type { RecordingServer } from './recordingServer.ts';
import { thisPlatform } from './systems.ts';
import { tempFolder } from './temp.ts';
import { TurnedClock } from './turnedClock.ts';

/** The upstreams of a session, and what was told of them. */
export interface RecordedUpstreams {
  readonly all: Upstreams;
  /** All of them by name, with these roots from now on. */
  readonly at: (roots: readonly RootFolder[]) => ReadonlyMap<string, Upstream>;
  readonly events: readonly UpstreamEvent[];
  /** The clock of what waits for a start. */
  readonly clock: TurnedClock;
}

/** Whose upstreams they are. */
export interface SessionOfUpstreams {
  readonly host: ConstructorParameters<typeof Upstreams>[0];
  readonly audit: ConstructorParameters<typeof Upstreams>[1];
}

/** A client that is never asked for anything. */
export const silentHost: SessionOfUpstreams['host'] = {
  era: 'legacy',
  capabilities: () => ({}),
  roots: {
    onDidChange: () => ({ dispose() {} }),
    use: () => Promise.reject(new Error('Nobody has roots.')),
    dispose() {},
  },
};

/** Upstreams that end with the test, whatever it does. */
export function recordedUpstreams(
  t: TestContext,
  servers: readonly HubServer[] = [],
  { host = silentHost, audit = { noteRoots() {} } }: Partial<SessionOfUpstreams> = {},
): RecordedUpstreams {
  const events: UpstreamEvent[] = [];
  const clock = new TurnedClock();
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const owner = new ProcessOwner('hub', logger);
  const emptyFolder = new EmptyFolder();
  const answer = () => Promise.reject(new Error('Nobody answers.'));
  const all = new Upstreams(host, audit, servers, answer, {
    clientInfo: { name: 'test-hub', version: '1' },
    // A process that gets no processor for some seconds is none of the older revisions for that.
    times: { ...testTimes, probe: patience, handshake: 2 * patience, download: 2 * patience },
    logger,
    // Short times are those of servers that really run.
    after: (time, run) => (time < 45_000 ? afterReal : clock.after)(time, run),
    observer: {
      takeEvent: event => void events.push(event),
      takeExposure() {},
      takeLine() {},
      takeRules: async () => {},
    },
    owner,
    emptyFolder,
    sandbox: sandboxHere(owner),
  });
  atEnd(t, async () => {
    t.mock.timers.reset();
    if ((await within(all.close('was ended by its test'), patience, 'late')) === 'late') {
      throw new Error('The hub does not end its servers.');
    }
    await emptyFolder.remove();
    owner.dispose();
  });
  const at = (roots: readonly RootFolder[]) => {
    all.setRoots(roots, undefined);
    return all.byName;
  };
  return { all, at, events, clock };
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
  return new PinnedRoots(entries, thisPlatform).folders.scope.roots;
}

/** Starts the upstream if need be, calls a tool, and answers with its text. */
export async function callUpstream(upstream: Upstream | undefined, name: string): Promise<string> {
  await upstream?.comeUp(AbortSignal.timeout(patience));
  return textOf(await upstream?.forward(toolCall(name)));
}

/** The request for a tool. */
export function toolCall(name: string) {
  return { method: 'tools/call', params: { name, arguments: {} } };
}

/** The text of a tool's answer. */
export function textOf(answer: unknown): string {
  const { content } = answer as { content: readonly { text: string }[] };
  return content.map(({ text }) => text).join('\n');
}
