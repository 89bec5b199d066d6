import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Root } from '../../src/domain/roots.ts';
import { serverEnvironment } from '../../src/mcp/process/stdio/environment.ts';
import type { ProcessStart } from '../../src/mcp/process/stdio/serverProcess.ts';
import { allGone, atEnd } from './processes.ts';
import { tempFolder } from './temp.ts';

/** How `rawServer.ts` behaves; left out: as a well-behaved server of revision 2025-11-25. */
export interface RawServerOptions {
  readonly version?: string;
  /** The answer to `server/discover`. Default: an error. */
  readonly probe?: 'error' | 'exit' | 'silence' | 'modern';
  /** When it asks for roots unprompted. Default: at its start and after each notice. */
  readonly asks?: 'always' | 'never';
  /** Asks before it answers `initialize`, and answers late. */
  readonly asksEarly?: boolean;
  /** Answers `tools/list` with an error, or with tools of that many characters each. */
  readonly tools?: 'failing' | number;
  readonly dies?: 'at-start';
  /** Reads everything and answers nothing. */
  readonly isMute?: boolean;
  /** Ignores the end of its input. */
  readonly isDeaf?: boolean;
  /** Ignores the end of its input and the request to terminate. */
  readonly isStubborn?: boolean;
  /** Starts another process that resists its end. */
  readonly leavesGrandchild?: boolean;
  /** Starts three that do not want to end either, in sessions of their own. On Linux alone. */
  readonly leavesSessions?: boolean;
}

/** The offers of `oddServer.ts`, each entry as it is sent. */
export interface OddServerOptions {
  readonly tools?: readonly object[];
  /** How many entries of a list it sends at a time. Default: all. */
  readonly pageSize?: number;
  readonly title?: string;
  readonly instructions?: string;
}

/** A server program of the tests, and the records of its processes. */
export type RecordingServer = ReturnType<typeof recordingServer>;

/** A server to be started by the test. The test fails if a process of it is left at its end. */
export function rawServer(t: TestContext, options: RawServerOptions = {}): RecordingServer {
  return recordingServer(t, 'rawServer.ts', options);
}

/**
 * A server of a later revision, made with the SDK; it exits when its input ends.
 *
 * @param more the name of one more tool.
 */
export function modernServer(t: TestContext, more?: string): RecordingServer {
  return recordingServer(t, 'modernServer.ts', { more });
}

/** A server of the older revisions, made with the older SDK. */
export const legacyServer = serverOf('legacyServer.ts');

/** A server of the older revisions with a tool that asks the client, round by round. */
export const askingServer = serverOf('askingServer.ts');

/** A server of the older revisions with a tool for each thing that servers do wrong. */
export const faultyServer = serverOf('faultyServer.ts');

/** A server with a tool for each thing that can become of a request, by hand, in either era. */
export function answeringServer(t: TestContext, era: 'legacy' | 'modern'): RecordingServer {
  return recordingServer(t, 'answeringServer.ts', { era });
}

/** A hand-written server of the older revisions with the given offers. */
export function oddServer(t: TestContext, options: OddServerOptions): RecordingServer {
  return recordingServer(t, 'oddServer.ts', options);
}

/** A server that has never heard of roots; further arguments are the folders it may use. */
export const rootlessServer = serverOf('rootlessServer.ts');

/** A server from outside the tests; every byte that reaches it is recorded. */
export function tappedServer(t: TestContext, program: string): RecordingServer {
  return recordingServer(t, 'tappedServer.ts', { program });
}

/** What servers of the tests are given: they start sooner when Node knows them already. */
export const programEnv: Readonly<Record<string, string>> = process.env['NODE_COMPILE_CACHE']
  ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  : {};

/** How to start a program with the environment that servers get. */
export function programStart(cwd: string, program: string, ...args: string[]): ProcessStart {
  const env = serverEnvironment(process.env, programEnv, process.platform);
  return { command: process.execPath, args: [program, ...args], cwd, env };
}

/** The names of the roots in each answer that a server got. */
export function listsIn(bytes: string): string[][] {
  // The last line may still be on its way.
  const lines = bytes.split('\n').slice(0, -1);
  const messages: { result?: { roots?: readonly Root[] } }[] = lines.map(line => JSON.parse(line));
  return messages.flatMap(({ result }) =>
    result?.roots ? [result.roots.map(({ name }) => name)] : [],
  );
}

function serverOf(file: string): (t: TestContext) => RecordingServer {
  return t => recordingServer(t, file, {});
}

function recordingServer(t: TestContext, file: string, options: object) {
  const folder = tempFolder(t);
  const record = join(folder, 'record');
  mkdirSync(record);
  const program = fileURLToPath(new URL(file, import.meta.url));
  const named = (ending: string) => readdirSync(record).filter(name => name.endsWith(ending));
  // Ids tell no order: the system reuses them.
  const begun = (name: string) => statSync(join(record, name), { bigint: true }).birthtimeNs;
  const pidsOf = (ending: string) =>
    named(ending)
      .map(name => ({ pid: Number.parseInt(name, 10), begun: begun(name) }))
      .sort((one, other) => Number(one.begun - other.begun) || one.pid - other.pid)
      .map(({ pid }) => pid);
  const pids = () => pidsOf('.received');
  const grandchildren = () => pidsOf('.grandchild');
  const bytesOf = (pid: number) => readFileSync(join(record, `${pid}.received`), 'utf8');
  const bytes = () => pids().map(bytesOf).join('');
  // The last line of each may still be on its way.
  const messages = (): Record<string, unknown>[] =>
    pids()
      .flatMap(pid => bytesOf(pid).split('\n').slice(0, -1))
      .filter(line => line !== '')
      .map(line => JSON.parse(line));
  atEnd(t, () => allGone([...pids(), ...grandchildren()]));
  return {
    start: programStart(folder, program, JSON.stringify({ record, ...options })),
    /** The processes that were started, the oldest first. */
    pids,
    /** The processes that these processes started. */
    grandchildren,
    /** Every byte that reached the processes of this server. */
    bytes,
    /** Every byte that reached this process. */
    bytesOf,
    /** The same as messages, without an incomplete last one. */
    messages,
    /** How many messages of a method reached them. */
    count: (method: string) => messages().filter(message => message['method'] === method).length,
  };
}
