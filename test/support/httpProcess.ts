import type { TestContext } from 'node:test';
import { serverMain } from './bundledServer.ts';
import { LineProcess } from './lineProcess.ts';

/** A server with closed input, like a program in the background. */
export function launch(
  t: Pick<TestContext, 'after'>,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): LineProcess {
  const env = { ...process.env, ...more };
  const start = { command: process.execPath, args: [serverMain, ...args], env };
  const launched = new LineProcess(t, start, () => {});
  launched.process.stdin.end();
  return launched;
}

/** Starts a server, and waits until it serves. */
export async function start(...args: Parameters<typeof launch>) {
  const launched = launch(...args);
  return Object.assign(launched, { url: await says(launched, /http:\S+\/mcp/) });
}

/** The first line of its output that matches, as soon as it arrives. */
export function says(launched: LineProcess, pattern: RegExp): Promise<string> {
  return launched.found(String(pattern), () => pattern.exec(launched.stderr)?.[0]);
}
