import { equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ToolResult } from './bundledServer.ts';

const inspector = fileURLToPath(
  new URL(
    '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    import.meta.url,
  ),
);

/** What the Inspector prints for these words on its command line: the result in several lines. */
export async function runInspector(
  words: readonly string[],
  { cwd, home, path }: { readonly cwd: string; readonly home: string; readonly path: string },
): Promise<ToolResult> {
  const child = spawn(process.execPath, [inspector, ...words], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path, HOME: home, USERPROFILE: home },
  });
  const [output, errors] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  equal(output.length > 0, true, errors.join(''));
  return JSON.parse(output.join(''));
}
