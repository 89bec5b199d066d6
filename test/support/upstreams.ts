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
import { ProcessOwner } from '../../src/mcp/process/stdio/processOwner.ts';
import { PinnedRoots, type RootFolder } from '../../src/server/roots/rootFolders.ts';
import { type ToolResult, textOf } from './bundledServer.ts';
import { stdioLaunch } from './launches.ts';
import { patience } from './patience.ts';
import { atEnd } from './processes.ts';
import { testTimes } from './recordingConnection.ts';
import { type RecordingServer, rawServer } from './recordingServer.ts';
import { thisPlatform } from './systems.ts';
import { tempFolder } from './temp.ts';
import { TurnedClock } from './turnedClock.ts';

type Host = ConstructorParameters<typeof Upstreams>[0];
type Audit = ConstructorParameters<typeof Upstreams>[1];

/** A client that is never asked for anything. */
export const silentHost: Host = {
  era: 'legacy',
  capabilities: () => ({}),
  roots: {
    onDidChange: () => ({ dispose() {} }),
    use: () => Promise.reject(new Error('Nobody has roots.')),
    dispose() {},
  },
};

/** Upstreams of a session, which end with the test, whatever it does. */
export function recordedUpstreams(
  t: TestContext,
  servers: readonly HubServer[] = [],
  session: { readonly host?: Host; readonly audit?: Audit } = {},
) {
  const { host = silentHost, audit = { noteRoots() {} } } = session;
  const events: UpstreamEvent[] = [];
  /** The clock of calls that wait for a start. */
  const clock = new TurnedClock();
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const owner = new ProcessOwner('hub', logger);
  const emptyFolder = new EmptyFolder();
  const answer = () => Promise.reject(new Error('Nobody answers.'));
  const all = new Upstreams(host, audit, servers, answer, {
    clientInfo: { name: 'test-hub', version: '1' },
    // A process without a processor for some seconds must not count as an older revision.
    times: { ...testTimes, probe: patience, handshake: 2 * patience, download: 2 * patience },
    logger,
    // Short times hold for servers that really run.
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
    configFile: '/servers.json',
  });
  atEnd(t, async () => {
    t.mock.timers.reset();
    if ((await within(all.close('was ended by its test'), patience, 'late')) === 'late') {
      throw new Error('The hub does not end its servers.');
    }
    await emptyFolder.remove();
    owner.dispose();
  });
  /** All of them by name, with these roots from now on. */
  const at = (roots: readonly RootFolder[]) => {
    all.setRoots(roots, undefined);
    return all.byName;
  };
  return { all, at, events, clock };
}

/** A server of a hub's configuration with only these fields. */
export function hubServer(
  name: string,
  launch: Launch,
  said: Partial<Omit<HubServer, 'name' | 'launch'>> = {},
): HubServer {
  const nothing = { checkNames: [], leaveNames: [], pathPatterns: [] };
  const guard = { check: undefined, ...nothing, allow: undefined, deny: undefined };
  return {
    name,
    launch,
    rootsAs: ['roots'],
    protocol: 'auto',
    sandbox: undefined,
    autoStart: false,
    tools: [],
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
export function rootsOf<const T extends readonly string[]>(t: TestContext, ...names: T) {
  const folder = tempFolder(t);
  const entries = names.map(name => {
    mkdirSync(join(folder, name));
    return { uri: pathToFileURL(join(folder, name)).href, name };
  });
  const { roots } = new PinnedRoots(entries, thisPlatform).folders.scope;
  return roots as { readonly [K in keyof T]: RootFolder };
}

/** Starts the upstream if need be, calls a tool, and answers with its text. */
export async function callUpstream(upstream: Upstream | undefined, name: string): Promise<string> {
  await upstream?.comeUp(AbortSignal.timeout(patience));
  return textOf((await upstream?.forward(toolCall(name))) as unknown as ToolResult);
}

/** The request for a tool. */
export function toolCall(name: string) {
  return { method: 'tools/call', params: { name, arguments: {} } };
}

/** A hub with one legacy server, `raw`, which tells of its roots when it is called. */
export function withRaw(t: TestContext) {
  // Before the hub, which ends the processes before it is looked whether they are gone.
  const server = rawServer(t);
  return { ...recordedUpstreams(t, [hubServer('raw', launchOf(server))]), server };
}

/** The names of the roots that a server has answered with. */
export async function namesTold(asked: Promise<string>): Promise<string[]> {
  const roots: readonly { readonly name: string }[] = JSON.parse(await asked);
  return roots.map(({ name }) => name);
}

/** A signal for events that must come, however slow the machine. */
export function patient(): AbortSignal {
  return AbortSignal.timeout(patience);
}
