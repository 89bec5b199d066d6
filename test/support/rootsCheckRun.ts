import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Implementation, ProtocolError, type Tool } from '@modelcontextprotocol/client';
import { within } from '../../src/base/timeLimit.ts';
import type { Era } from '../../src/domain/exposure.ts';
import { isJsonObject } from '../../src/domain/json.ts';
import { fileUri } from '../../src/domain/paths/fileUri.ts';
import type { PathPlatform } from '../../src/domain/paths/pathNames.ts';
import type { Root } from '../../src/domain/roots.ts';
import { type Sentence, sentence } from '../../src/domain/sentence.ts';
import type { StartRoot } from '../../src/domain/servers/rootsChange.ts';
import type { ProtocolChoice } from '../../src/domain/servers/serverDefinition.ts';
import type { Failure } from '../../src/domain/servers/serverFailure.ts';
import { ServerConnection } from '../../src/mcp/connection.ts';
import type { Target } from '../../src/mcp/openWire.ts';
import type { RootsAnswer } from '../../src/mcp/rootsAnswerer.ts';
import type { ProcessOwner } from '../../src/mcp/stdio/processOwner.ts';
import { defaultTimes } from '../../src/mcp/times.ts';

/** The server to check, and who checks it. */
export interface RootsCheckStart {
  readonly clientInfo: Implementation;
  readonly owner: ProcessOwner;
  readonly protocol: ProtocolChoice;
  /**
   * Makes the start of the server that may see these folders.
   *
   * @param later the path of a folder that it is told of later: a sandbox shows that, too.
   */
  readonly target: (roots: readonly StartRoot[], later: string) => Promise<Target>;
  /** Gets the connection of the check, before it is used. */
  readonly follow: (connection: ServerConnection) => void;
  readonly times?: CheckTimes;
}

/** The observed dealings of one server with roots; `undefined`: they could not be seen. */
export interface RootsFindings {
  readonly era: Era;
  /** The negotiated revision. */
  readonly protocolVersion: string;
  /** When it asked for its roots the first time; `undefined`: never. */
  readonly firstAsked: Sentence | undefined;
  /** Whether it asked once more after a change. */
  readonly asksAgain?: boolean | undefined;
  /** Whether it read in a folder that it was not told of. */
  readonly outside?: boolean | undefined;
  /** Whether it read in a folder that it was told of after its start. */
  readonly added?: boolean | undefined;
  /** Whether it still read in a folder after that was taken away. */
  readonly withdrawn?: boolean | undefined;
  /** The tools that were called, once each. */
  readonly called: readonly string[];
  /** Why there is no more of it: the server ended by itself, or the time was over. */
  readonly cutShort?: 'ended' | 'time' | undefined;
}

/** The outcome of a check. */
export type RootsCheckOutcome =
  | { readonly kind: 'found'; readonly findings: RootsFindings }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * The times a check keeps, in milliseconds. It is over within a minute after the start of the server,
 * its end included, however stubborn the server is; the start itself has the time of any start.
 */
export const defaultCheckTimes = {
  /** From the first handshake to the end of the server. */
  whole: 50_000,
  /** For the server to ask for its roots, and then for its tools to keep to them. */
  settle: 3000,
  /** Between two looks at that. */
  pause: 100,
  /** For a tool to answer. */
  call: 5000,
  connection: defaultTimes,
};

export type CheckTimes = Readonly<typeof defaultCheckTimes>;

/**
 * Finds out what a server does with its roots: starts it separately, tells it of folders made for
 * this and of no others, and calls only tools that change nothing. It leaves nothing behind.
 */
export class RootsCheck {
  private readonly how: RootsCheckStart;
  private readonly times: CheckTimes;
  private readonly connection: ServerConnection;
  /** Aborted with the reason why the check ends early, which ends every wait and every call. */
  private readonly interruption = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private asked = 0;
  private firstAsked: Sentence | undefined;
  private moment = sentence('at its start');
  private calling: string | undefined;
  private readonly called = new Set<string>();
  /** Each is written down at once, so that it is not lost when the server ends early. */
  private readonly seen: { -readonly [K in keyof RootsFindings]?: RootsFindings[K] } = {};

  constructor(how: RootsCheckStart) {
    const { clientInfo, owner, times = defaultCheckTimes } = how;
    this.how = how;
    this.times = times;
    this.connection = new ServerConnection({ clientInfo, owner, times: times.connection });
    // A server may ask in the middle of its start.
    this.connection.onDidBegin(({ onDidServeRoots }) => onDidServeRoots(one => this.count(one)));
    this.connection.onDidChangeState(({ kind }) => {
      if (kind === 'running') {
        this.timer = globalThis.setTimeout(() => this.interruption.abort('time'), times.whole);
      } else if (kind === 'failed' && this.timer) {
        this.interruption.abort('ended');
      }
    });
    how.follow(this.connection);
  }

  /**
   * Runs the check, once. Resolves when the server has ended and the folders are gone.
   *
   * @throws {HumanError} when there is a reason not to start the server.
   */
  async run(): Promise<RootsCheckOutcome> {
    const folders = await makeThrowAwayFolders();
    try {
      const { root, path } = folders.first;
      const target = await this.how.target([{ ...root, path }], folders.second.path);
      return await this.check(target, folders);
    } finally {
      clearTimeout(this.timer);
      await this.connection.stop();
      // After the end of the server: on Windows, a process keeps its working directory from removal.
      await rm(folders.parent, removal);
    }
  }

  private async check(target: Target, folders: ThrowAwayFolders): Promise<RootsCheckOutcome> {
    const { connection } = this;
    const { signal } = this.interruption;
    await connection.start(target, [folders.first.root], this.how.protocol);
    const { state } = connection;
    if (state.kind !== 'running') {
      assert.equal(state.kind, 'failed');
      return state as Extract<typeof state, { kind: 'failed' }>;
    }
    const { era, protocolVersion } = state;
    try {
      await this.observe(folders, era === 'legacy');
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
    }
    const { firstAsked, called, seen } = this;
    return {
      kind: 'found',
      findings: {
        ...{ era, protocolVersion, firstAsked, called: [...called], ...seen },
        ...(signal.aborted && { cutShort: signal.reason }),
      },
    };
  }

  /** Watches it at its start, and after it was told of the second folder instead of the first. */
  private async observe({ first, second }: ThrowAwayFolders, isLegacy: boolean): Promise<void> {
    if (isLegacy) {
      await this.becomes(() => this.asked > 0);
    }
    const tool = await this.toolReading(first);
    if (!tool && !isLegacy) {
      return; // It has an occasion to ask only when it is called.
    }
    this.seen.outside = await this.reads(tool, second, false);

    const before = this.asked;
    this.moment = sentence('when it was told of a change');
    this.connection.setRoots([second.root]);
    if (isLegacy) {
      await this.becomes(() => this.asked > before);
    }
    this.seen.added = await this.reads(tool, second, true);
    this.seen.withdrawn = await this.reads(tool, first, false);
    this.seen.asksAgain = this.asked > before;
  }

  private count({ count, trigger }: RootsAnswer): void {
    if (this.asked === 0) {
      const tool = trigger.kind === 'tools/call' ? trigger.tool : this.calling;
      this.firstAsked = tool === undefined ? this.moment : sentence('in a call of {0}', tool);
    }
    this.asked += count;
  }

  /** The first tool that is seen to read in the folder; a server may need a moment for that. */
  private async toolReading(folder: ThrowAwayFolder): Promise<ReadingTool | undefined> {
    // A server without tools rejects, and one that has ended is noticed by its state.
    const listed = this.connection.listTools().catch((): readonly Tool[] => []);
    const tools = readingTools(await within(listed, this.times.call, []));
    let found: ReadingTool | undefined;
    await this.becomes(async () => {
      for (const tool of tools) {
        if (await this.readsNow(tool, folder)) {
          found = tool;
          return true;
        }
      }
      return tools.length === 0;
    });
    return found;
  }

  /** Whether the tool reads in the folder, as soon as that is as wanted or after the time for it. */
  private async reads(
    tool: ReadingTool | undefined,
    folder: ThrowAwayFolder,
    wanted: boolean,
  ): Promise<boolean | undefined> {
    let reads: boolean | undefined;
    await this.becomes(async () => {
      reads = tool && (await this.readsNow(tool, folder));
      return reads === undefined || reads === wanted;
    });
    return reads;
  }

  /** Whether a call shows what is in the file; `undefined` when the server gives no answer. */
  private async readsNow(
    { name, parameter }: ReadingTool,
    { file, marker }: ThrowAwayFolder,
  ): Promise<boolean | undefined> {
    this.called.add(name);
    this.calling = name;
    const interrupted = this.interruption.signal;
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(this.times.call)]);
    try {
      const call = { name, arguments: { [parameter]: file }, signal };
      const { isError, content } = await this.connection.callTool(call);
      return !isError && JSON.stringify(content).includes(marker);
    } catch (error) {
      interrupted.throwIfAborted();
      return error instanceof ProtocolError ? false : undefined;
    } finally {
      this.calling = undefined;
    }
  }

  /** Looks whether it is so until it is, or the time for that is over. Rejects when interrupted. */
  private async becomes(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const { signal } = this.interruption;
    const end = performance.now() + this.times.settle;
    while (!(await isSo()) && performance.now() < end) {
      await setTimeout(this.times.pause, undefined, { signal });
    }
    signal.throwIfAborted();
  }
}

/** A tool that reads a file by its path alone, and the argument for that. */
interface ReadingTool {
  readonly name: string;
  readonly parameter: string;
}

const pathParameters = [
  ...['file', 'filename', 'filepath'],
  ...['path', 'pathname', 'fullpath', 'absolutepath'],
];

/** The tools that read by path and are safe to call, the most promising first. */
function readingTools(tools: readonly Tool[]): ReadingTool[] {
  return safeTools(tools).flatMap(tool => {
    const parameter = onlyRequired(tool);
    return pathParameters.includes(parameter.replace(/[-_]/g, '').toLowerCase())
      ? [{ name: tool.name, parameter }]
      : [];
  });
}

/** The tools that change nothing, by their own word or by their name; the word goes first. */
function safeTools(tools: readonly Tool[]): readonly Tool[] {
  const declared = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
  const named = tools.filter(
    ({ name, annotations }) =>
      annotations?.readOnlyHint === undefined &&
      annotations?.destructiveHint !== true &&
      /^(?:read|list|get|stat)(?![a-z])/.test(name),
  );
  return [...declared, ...named];
}

/** The one argument that a tool requires, if that is a text; empty otherwise. */
function onlyRequired({ inputSchema: { properties = {}, required = [] } }: Tool): string {
  const [name = '', ...others] = required;
  const schema: unknown = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const isText = isJsonObject(schema) && schema['type'] === 'string' && !schema['enum'];
  return isText && others.length === 0 ? name : '';
}

/** A folder made for a check, with one file. */
interface ThrowAwayFolder {
  readonly path: string;
  readonly root: Root;
  readonly file: string;
  /** The text in the file, which occurs nowhere else: it came from there. */
  readonly marker: string;
}

/** The folders of one check, beside each other in a folder of their own. */
interface ThrowAwayFolders {
  readonly parent: string;
  readonly first: ThrowAwayFolder;
  readonly second: ThrowAwayFolder;
}

const removal = { recursive: true, force: true, maxRetries: 5 } as const;

async function makeThrowAwayFolders(): Promise<ThrowAwayFolders> {
  // By its real path: a server could rightly refuse a link that leads somewhere else.
  const parent = await mkdtemp(join(await realpath(tmpdir()), 'mcp-roots-check-'));
  const first = await makeFolder(join(parent, 'first'));
  return { parent, first, second: await makeFolder(join(parent, 'second')) };
}

async function makeFolder(path: string): Promise<ThrowAwayFolder> {
  const file = join(path, 'note.txt');
  const marker = randomUUID();
  await mkdir(path);
  await writeFile(file, `MCP Roots is checking what a server reads: ${marker}\n`);
  const uri = fileUri(path, process.platform as PathPlatform);
  return { path, root: { uri, name: 'throw-away folder' }, file, marker };
}
