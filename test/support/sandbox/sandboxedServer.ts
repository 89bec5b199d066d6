import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, rmSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { fileUri } from '../../../src/domain/paths/fileUri.ts';
import type { ShownPath } from '../../../src/domain/sandbox/bubblewrap.ts';
import type { SandboxTerms } from '../../../src/domain/sandbox/sandboxTerms.ts';
import type { StartRoot } from '../../../src/domain/servers/rootsChange.ts';
import { ManagedServer, type ServerHost } from '../../../src/mcp/life/managedServer.ts';
import type { CallToolResult } from '../../../src/mcp/link/connection.ts';
import { ServerConnection } from '../../../src/mcp/link/connection.ts';
import { giveInputs, withStdio } from '../../../src/mcp/process/stdio/childStdio.ts';
import { serverEnvironment } from '../../../src/mcp/process/stdio/environment.ts';
import type { ProcessStart } from '../../../src/mcp/process/stdio/serverProcess.ts';
import { installedStart } from '../../../src/mcp/sandbox/installing.ts';
import type { SandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { ServerStorage } from '../../../src/mcp/sandbox/serverStorage.ts';
import { stdioLaunch } from '../launches.ts';
import { atEnd } from '../processes.ts';
import { tempFolder } from '../temp.ts';
import { testOwner } from '../testOwner.ts';

/** How a server is started, in the sandbox as a rule. */
export interface Sandboxed {
  /** `undefined`: without one, for comparison. */
  readonly tool: SandboxTool | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly roots: readonly StartRoot[];
  readonly terms?: Partial<SandboxTerms>;
  /** The place of its home and of its fetched files. */
  readonly storage?: string;
  /** The key of that place. */
  readonly key?: string;
}

/** A folder as a root of a sandboxed server. */
export function mountedRoot(path: string, over: Partial<StartRoot> = {}): StartRoot {
  const { dev, ino } = lstatSync(path, { bigint: true });
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { uri: fileUri(path, 'linux'), name, path, place: `${dev}:${ino}`, ...over };
}

/** A file or folder as a world shows it. */
export function shownAt(path: string, isWritable: boolean): ShownPath {
  const { dev, ino } = lstatSync(path, { bigint: true });
  return { path, isWritable, place: `${dev}:${ino}` };
}

/** Has a folder be the user's home, until the end of the test. */
export function takeHome(t: TestContext, folder: string): void {
  const { HOME } = process.env;
  process.env['HOME'] = folder;
  atEnd(t, () => {
    process.env['HOME'] = HOME;
  });
}

/** A server of the life that editor and hub give theirs, in the sandbox of this machine. Not started yet. */
export function sandboxedServer(t: TestContext, how: Sandboxed): ManagedServer {
  const { tool, command, args, env = {}, terms, storage = tempFolder(t), key = 'a' } = how;
  const launch = stdioLaunch({ command, args });
  const definition = { id: 'a', label: 'a', launch, rootsAs: ['roots'], protocol: 'auto' } as const;
  const owner = testOwner(t);
  const host: ServerHost = {
    burst: { quiet: 300, longest: 2000 },
    ready: async () => {},
    target: async ({ roots, signal }) => {
      const cwd = roots[0]?.path ?? '/';
      const start = { command, args, cwd, env: serverEnvironment(process.env, env, 'linux') };
      const within = { read: [], write: [], network: false, ...terms };
      const request = { terms: within, roots, key, identity: 'a', signal };
      return tool
        ? installedStart(start, request, tool, { storage: new ServerStorage(storage), owner })
        : start;
    },
    admit: start => start(),
    lookAgain: () => undefined,
    logger: { error: () => {} },
  };
  const clientInfo = { name: 'test-client', version: '1' };
  const connection = new ServerConnection({ clientInfo, owner });
  const server = new ManagedServer(definition, how.roots, host, connection);
  atEnd(t, async () => {
    server.dispose();
    await server.stop();
  });
  return server;
}

/** The answer of a tool, as text. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Runs a program that was made ready for a sandbox, to its end. */
export async function ranIn({ command, args, cwd, env, inputs = [], temporary }: ProcessStart) {
  const child = withStdio(inputs, stdio => spawn(command, args, { cwd, env, stdio }));
  giveInputs(child.stdio, inputs);
  child.stdin?.end();
  const [out, err, [code]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ]);
  rmSync(temporary ?? '', { recursive: true, force: true });
  return { out, err, code: code as number | null };
}
