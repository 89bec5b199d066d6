import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  type ClientKind,
  clients,
  connect,
  rootOf,
  type ToolResult,
} from '../support/bundledServer.ts';
import { startService } from '../support/httpService.ts';
import { startHubFor } from '../support/hub.ts';
import { configOf, echoServer } from '../support/hubServers.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

// Every client on every transport, once through what matters most. All other tests of the server and
// the hub have one client of one era; `gatewayClients.test.ts` has the same through a window.

/** The parts of a connected client that a test needs. */
interface Cell {
  readonly tools: readonly string[];
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** Calls a server behind the hub, where there is one. */
  readonly callBehind?: (path: string) => Promise<ToolResult>;
  /** Shares nothing any more. */
  revoke(): Promise<void>;
}

type Open = (t: TestContext, kind: ClientKind, folder: string) => Promise<Cell>;

const transports: Readonly<Record<string, Open>> = {
  'over stdio': (t, kind, folder) => ofServer(t, kind, folder, { args: ['--allow-write'] }),
  'over HTTP': async (t, kind, folder) =>
    ofServer(t, kind, folder, { http: await startService(t, { allowWrite: true }) }),
  'through the hub': ofHub,
};

describe('the folders of a client can be read and written until they are revoked', {
  concurrency: 2,
}, () => {
  for (const [transport, open] of Object.entries(transports)) {
    for (const kind of clients) {
      test(`${transport}, with ${kind}`, async t => {
        const top = tempFolder(t);
        writeTree(top, { 'in/a.txt': 'a', 'out/b.txt': 'b' });
        const folder = join(top, 'in');
        const { tools, call, callBehind, revoke } = await open(t, kind, folder);
        ok(tools.includes('write-file'), String(tools));
        const { structuredContent: known } = await call('get-roots');
        const era = kind === 'SDK 2 (modern)' ? 'modern' : 'legacy';
        deepEqual([known?.['roots'], known?.['era']], [[rootOf(folder)], era]);
        equal((await call('read-file', { path: 'a.txt' })).content[0]?.text, 'a');
        equal((await call('list-directory')).structuredContent?.['total'], 1);
        const written = await call('write-file', { path: 'new.txt', content: 'new' });
        equal(written.isError, undefined, written.content[0]?.text);
        equal(readFileSync(join(folder, 'new.txt'), 'utf8'), 'new');
        equal((await call('read-file', { path: join(top, 'out/b.txt') })).isError, true);
        equal((await callBehind?.(folder))?.isError, undefined);
        await revoke();
        for (const tool of ['read-file', 'list-directory']) {
          equal((await call(tool, { path: join(folder, 'a.txt') })).isError, true, tool);
        }
        if (callBehind) {
          match((await callBehind(folder)).content[0]?.text ?? '', /^Access denied: Path '/);
        }
      });
    }
  }
});

async function ofServer(
  t: TestContext,
  kind: ClientKind,
  folder: string,
  options: Omit<Parameters<typeof connect>[2], 'roots'>,
): Promise<Cell> {
  const client = await connect(t, kind, { roots: [rootOf(folder)], ...options });
  return {
    tools: (await client.listTools()).map(({ name }) => name),
    call: client.call,
    revoke: () => {
      client.roots = [];
      return client.notify();
    },
  };
}

async function ofHub(t: TestContext, kind: ClientKind, folder: string): Promise<Cell> {
  const hub = await startHubFor(t, kind, {
    config: configOf({ echo: echoServer(t) }),
    roots: [folder],
    args: ['--allow-write'],
  });
  const { listTools } = hub.client as { listTools(): Promise<{ tools: { name: string }[] }> };
  return {
    tools: (await listTools.call(hub.client)).tools.map(({ name }) => name),
    call: hub.callOwn,
    callBehind: path => hub.call('echo', 'echo', { path }),
    revoke: () => hub.setRoots([]),
  };
}
