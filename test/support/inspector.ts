import { equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ToolResult } from './bundledServer.ts';

/** A call of a tool from the command line of the MCP Inspector. */
export interface InspectorCall {
  /** A folder in which it keeps its files. */
  readonly home: string;
  /** How it reaches the server and which roots it serves, as in its configuration. */
  readonly server: object;
  readonly era: 'auto' | 'modern' | 'legacy';
  readonly tool: string;
}

const inspector = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
);

/** What the Inspector prints for these words on its command line: the result in several lines. */
export async function runInspector(home: string, words: readonly string[]): Promise<ToolResult> {
  return JSON.parse(await outputOf(home, words));
}

/** What the Inspector prints as the result, whether or not it is an error of the tool. */
export async function callByInspector(call: InspectorCall): Promise<ToolResult> {
  const { home, server, era, tool } = call;
  const config = join(home, 'inspector.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { server } }));
  const words = [
    ...['--cli', '--config', config, '--server', 'server', '--protocol-era', era],
    ...['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', '{}'],
    ...['--format', 'json', '--quiet'],
  ];
  return (JSON.parse(await outputOf(home, words)) as { readonly result: ToolResult }).result;
}

async function outputOf(home: string, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [inspector, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home, USERPROFILE: home },
  });
  const [output, errors] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  equal(output.length > 0, true, errors.join(''));
  return output.join('');
}
