import type { TestContext } from 'node:test';
import { type Message, RawSession, rootOf, toolCall } from './bundledServer.ts';
import { writeConfig } from './hub.ts';
import { share } from './sharing.ts';

/** The options of a hub; a test speaks to it byte by byte. */
export interface RawHubOptions {
  readonly config: object;
  /** The folders that its client names at the start. */
  readonly roots: readonly string[];
  readonly args?: readonly string[];
}

/** A hub that has asked for the roots and knows them; it ends before the servers behind it are looked at. */
export async function rawHub(
  t: TestContext,
  { config, roots, args = [] }: RawHubOptions,
): Promise<RawSession> {
  const file = writeConfig(t, config);
  const session = new RawSession(t, ['--config', file, ...args]);
  session.endsInPeace(t);
  await session.initialize();
  await answerRoots(session, roots);
  return session;
}

/** Waits for the next question for the roots and answers it with these folders. */
export async function answerRoots(session: RawSession, folders: readonly string[]): Promise<void> {
  await share(
    session,
    folders.map(folder => rootOf(folder)),
  );
}

/** A call of a tool behind the hub, to be sent. */
export function hubCall(
  id: number,
  serverName: string,
  toolName: string,
  toolArgs: Record<string, unknown> = {},
): object {
  return toolCall(id, 'call-tool', { serverName, toolName, toolArgs });
}

/** Whether it is the refusal of a call by the guard. */
export function isDenied({ result }: Message): boolean {
  const text = result?.content[0]?.text ?? '';
  return result?.isError === true && text.startsWith("Access denied: Path '");
}

/** Whether a server behind the hub has answered. */
export function isPassed({ result }: Message): boolean {
  return result !== undefined && result.isError !== true;
}
