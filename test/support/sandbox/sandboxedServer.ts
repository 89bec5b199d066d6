import { lstatSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { fileUri } from '../../../src/domain/paths/fileUri.ts';
import type { SandboxTerms } from '../../../src/domain/sandbox/sandboxTerms.ts';
import type { StartRoot } from '../../../src/domain/servers/rootsChange.ts';
import type { CallToolResult } from '../../../src/mcp/connection.ts';
import { ManagedServer } from '../../../src/mcp/managedServer.ts';
import { sandboxedStart } from '../../../src/mcp/sandbox/sandboxedStart.ts';
import type { SandboxTool } from '../../../src/mcp/sandbox/sandboxTool.ts';
import { serverEnvironment } from '../../../src/mcp/stdio/environment.ts';
import { stdioLaunch } from '../launches.ts';
import { atEnd } from '../processes.ts';
import { testOwner } from '../testOwner.ts';

/** How a server is started in the sandbox. */
export interface Sandboxed {
  readonly tool: SandboxTool;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly roots: readonly StartRoot[];
  readonly terms?: Partial<SandboxTerms>;
}

/** A folder as a root of a sandboxed server. */
export function mountedRoot(path: string, over: Partial<StartRoot> = {}): StartRoot {
  const { dev, ino } = lstatSync(path, { bigint: true });
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { uri: fileUri(path, 'linux'), name, path, place: `${dev}:${ino}`, ...over };
}

/** A server of the life that editor and hub give theirs, in the sandbox of this machine. Not started yet. */
export function sandboxedServer(t: TestContext, how: Sandboxed): ManagedServer {
  const { tool, command, args, env = {}, terms } = how;
  const launch = stdioLaunch({ command, args });
  const definition = { id: 'a', label: 'a', launch, rootsAs: ['roots'], protocol: 'auto' } as const;
  const server = new ManagedServer(definition, how.roots, {
    clientInfo: { name: 'test-client', version: '1' },
    owner: testOwner(t),
    restarts: { policy: 'on-loss', burst: { quiet: 300, longest: 2000 } },
    ready: async () => {},
    target: ({ roots }) =>
      sandboxedStart(
        {
          command,
          args,
          cwd: roots[0]?.path ?? '/',
          env: serverEnvironment(process.env, env, 'linux'),
        },
        { terms: { read: [], write: [], network: false, ...terms }, roots },
        tool,
      ),
    admit: start => start(),
    lookAgain: () => undefined,
    reasonOf: String,
  });
  atEnd(t, async () => {
    server.dispose();
    await server.stop();
  });
  return server;
}

/** What a tool answers, as text. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
}
