import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { within } from '../../src/base/within.ts';
import type { HubServer } from '../../src/domain/hub/hubServer.ts';
import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';
import type { Launch } from '../../src/domain/servers/launch.ts';
import type { ClientRelay } from '../../src/mcp/clientRelay.ts';
import { afterReal } from '../../src/server/after.ts';
import type { Caller } from '../../src/server/hub/children/callsInFlight.ts';
import type { Child, ChildEvent } from '../../src/server/hub/children/child.ts';
import { ChildSets } from '../../src/server/hub/children/childSets.ts';
import { loadClient } from '../../src/server/hub/children/clientBundle.ts';
import { prepareRootFolders, type RootFolder } from '../../src/server/roots/rootFolders.ts';
import { stdioLaunch } from './launches.ts';
import { patience } from './patience.ts';
import { atEnd } from './processes.ts';
import { testTimes } from './recordingConnection.ts';
import type { RecordingServer } from './recordingServer.ts';
import { tempFolder } from './temp.ts';
import { TurnedClock } from './turnedClock.ts';

/** The children of a hub, and what was told of them. */
export interface RecordedSets {
  readonly sets: ChildSets;
  readonly events: readonly ChildEvent[];
  readonly warnings: readonly string[];
  /** The clock of what is idle, and of those who wait for a start. */
  readonly clock: TurnedClock;
}

/** Children that end with the test, whatever it does. */
export function childSets(t: TestContext): RecordedSets {
  const events: ChildEvent[] = [];
  const warnings: string[] = [];
  const clock = new TurnedClock();
  const note = (message: string | Error) => void warnings.push(String(message));
  const sets = new ChildSets({
    loadClient,
    clientInfo: { name: 'test-hub', version: '1' },
    // A process that gets no processor for some seconds is none of the older revisions for that.
    times: { ...testTimes, probe: patience, handshake: 2 * patience, download: 2 * patience },
    logger: { trace() {}, debug() {}, info() {}, warn: note, error: note },
    // Short times are those of servers that really run.
    after: (time, run) => (time < 45_000 ? afterReal : clock.after)(time, run),
    onChild: event => void events.push(event),
  });
  atEnd(t, async () => {
    t.mock.timers.reset();
    if ((await within(sets.close(), patience, 'late')) === 'late') {
      throw new Error('The hub does not end its servers.');
    }
  });
  return { sets, events, warnings, clock };
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

/** A client that offers servers nothing and is asked for nothing. */
export const nobody: ClientRelay = {
  capabilities: {},
  answer: () => Promise.reject(new Error('Nobody answers.')),
};

/** Starts the child if need be, calls a tool, and answers with its text. */
export async function callChild(
  child: Child | undefined,
  name: string,
  caller?: Caller,
): Promise<string> {
  await child?.prepare(AbortSignal.timeout(patience));
  return textOf(await child?.forward(toolCall(name), caller));
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
