import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { serverMain } from './bundledServer.ts';
import { writeConfig } from './hub.ts';
import { patience } from './patience.ts';
import { atEnd } from './processes.ts';

/** Starts a hub as a process that serves over HTTP until the test ends; answers with its address. */
export function startHubOverHttp(
  t: Pick<TestContext, 'after'>,
  config: object,
  ...more: readonly string[]
): Promise<string> {
  return startHubOfFile(t, writeConfig(t, config), ...more);
}

/** As {@link startHubOverHttp}, with the servers of this file. */
export async function startHubOfFile(
  t: Pick<TestContext, 'after'>,
  file: string,
  ...more: readonly string[]
): Promise<string> {
  const args = [serverMain, '--config', file, '--http', '0', ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  atEnd(t, async () => {
    child.kill('SIGTERM');
    if ((await within(exited, patience, 'late')) === 'late') {
      child.kill('SIGKILL');
      throw new Error('The hub does not end.');
    }
  });
  const lines = createInterface({ input: child.stderr });
  const address = new Promise<string>(resolve => {
    lines.on('line', line => {
      const [url] = /http:\S+\/mcp/.exec(line) ?? [];
      if (url !== undefined) {
        resolve(url);
      }
    });
  });
  const url = await within(address, patience, undefined);
  if (url === undefined) {
    throw new Error('The hub does not say where it listens.');
  }
  return url;
}
