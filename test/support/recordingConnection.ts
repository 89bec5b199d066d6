import type { TestContext } from 'node:test';
import { Emitter, type Event } from '../../src/base/emitter.ts';
import { within } from '../../src/base/timeLimit.ts';
import type { Root } from '../../src/domain/roots.ts';
import { ServerConnection } from '../../src/mcp/link/connection.ts';
import type { ClientRelay } from '../../src/mcp/link/relayedRequests.ts';
import type { LookAgain } from '../../src/mcp/link/rootsAnswerer.ts';
import type { SessionEvents } from '../../src/mcp/link/session.ts';
import type { ConnectionTimes } from '../../src/mcp/process/times.ts';
import type { Traffic } from '../../src/mcp/process/wire.ts';
import { patience } from './patience.ts';
import { allGone, atEnd, until } from './processes.ts';
import { testOwner } from './testOwner.ts';

/** Times that a slow machine keeps, and that a test can wait for. */
export const testTimes: ConnectionTimes = {
  probe: 10_000,
  handshake: 20_000,
  download: 20_000,
  stop: { end: 3000, terminate: 3000 },
  answersPerSecond: 20,
  neglect: 3000,
};

/**
 * A connection of the code under test, and all its events. It ends with the test, which fails if
 * the connection leaves a process.
 */
export function recordingConnection(
  t: TestContext,
  times: Partial<ConnectionTimes> = {},
  relay?: ClientRelay,
  look?: LookAgain,
) {
  const connection = new ServerConnection({
    clientInfo: { name: 'test-client', version: '1' },
    owner: testOwner(t),
    times: { ...testTimes, ...times },
    relay,
    ...(look && { lookAgain: look }),
  });
  const events = eventsOf(connection);
  const states = listen(connection.onDidChangeState);
  atEnd(t, async () => {
    t.mock.timers.reset();
    if ((await within(connection.stop(), patience, 'late')) === 'late') {
      throw new Error('The connection does not end its server.');
    }
    await allGone(states.flatMap(state => (state.kind === 'running' && state.pid) || []));
  });
  const answers = listen(events.onDidServeRoots);
  const traffic = listen(events.onDidPass);
  const isNotice = (passed: Traffic) =>
    passed.kind === 'message' &&
    'method' in passed.message &&
    passed.message.method === 'notifications/roots/list_changed';
  return {
    connection,
    /** The events of its sessions. */
    events,
    states,
    answers,
    traffic,
    stderr: listen(events.onDidWriteStderr),
    /** The server's notifications. */
    log: listen(events.onDidLog),
    /** How many notices of changed roots went to the server. */
    notices: () => traffic.filter(isNotice).length,
    /** Settles when the server got roots for the `count`-th time, and gives the last ones. */
    async answered(count: number) {
      await until(`${count} answers to roots/list`, () => answers.length >= count);
      return answers[count - 1]!;
    },
  };
}

/** The events of all sessions of a connection from now on. */
export function eventsOf({ onDidBegin }: Pick<ServerConnection, 'onDidBegin'>) {
  const each = <T>(pick: (session: SessionEvents) => Event<T> | undefined): Event<T> => {
    const heard = new Emitter<T>();
    onDidBegin(session => pick(session)?.(value => heard.fire(value)));
    return heard.event;
  };
  return {
    onDidPass: each(session => session.onDidPass),
    onDidServeRoots: each(session => session.onDidServeRoots),
    onDidWriteStderr: each(session => session.onDidWriteStderr),
    onDidLog: each(session => session.onDidLog),
    onDidChangeList: each(session => session.onDidChangeList),
  };
}

export type ConnectionEvents = ReturnType<typeof eventsOf>;

/** Resolves when the server says that it has other tools now. */
export function toolsChange({ onDidChangeList }: ConnectionEvents): Promise<void> {
  return new Promise(resolve => {
    onDidChangeList(what => what === 'tools' && resolve());
  });
}

/** A root with this name; no such folder needs to be there. */
export function root(name: string): Root {
  return { uri: `file:///proj/${name}`, name };
}

/** The text that a tool answered with. */
export async function callText(
  connection: ServerConnection,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { content } = await connection.callTool({ name, arguments: args });
  return content.map(part => (part.type === 'text' ? part.text : part.type)).join('\n');
}

function listen<T>(event: Event<T>): T[] {
  const values: T[] = [];
  event(value => values.push(value));
  return values;
}
