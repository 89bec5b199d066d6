import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rootOf, serverMain, type ToolResult } from '../support/bundledServer.ts';
import { startService } from '../support/httpService.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const inspector = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
);
const eras = ['auto', 'modern', 'legacy'] as const;

describe('the MCP Inspector gets its roots back', { concurrency: true }, () => {
  for (const era of eras) {
    test(`over stdio, in era ${era}`, t => {
      const server = { type: 'stdio', command: process.execPath, args: [serverMain] };
      return isServed(t, era, server);
    });

    test(`over HTTP, in era ${era}`, async t => {
      const { url } = await startService(t);
      return isServed(t, era, { type: 'streamable-http', url });
    });
  }
});

async function isServed(t: TestContext, era: (typeof eras)[number], server: object) {
  const folder = tempFolder(t);
  writeTree(folder, { 'one/': '', 'two words/': '' });
  const roots = [rootOf(join(folder, 'one'), 'One'), rootOf(join(folder, 'two words'), 'Two')];
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { roots: { ...server, roots } } }));
  const { structuredContent } = await getRoots(folder, [
    ...['--config', config, '--server', 'roots', '--protocol-era', era],
  ]);
  deepEqual(structuredContent?.['roots'], roots);
  equal(structuredContent?.['era'], era === 'legacy' ? 'legacy' : 'modern');
}

/** Calls the tool from the command line of the Inspector, which keeps its own files in `home`. */
async function getRoots(home: string, args: readonly string[]): Promise<ToolResult> {
  const call = [
    '--method',
    'tools/call',
    '--tool-name',
    'get-roots',
    '--format',
    'json',
    '--quiet',
  ];
  const child = spawn(process.execPath, [inspector, '--cli', ...args, ...call], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home, USERPROFILE: home },
  });
  const [output, errors, [code]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  equal(code, 0, errors.join(''));
  return (JSON.parse(output.join('')) as { readonly result: ToolResult }).result;
}
