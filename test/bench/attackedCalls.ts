import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Attack, secret } from '../support/swapper.ts';
import type { Call, ToolResult } from './rawClient.ts';
import type { Session } from './session.ts';

/** What became of calls for a path that led outside at some moments. */
export interface AttackOutcome {
  readonly calls: number;
  readonly refused: number;
  /** How many reads returned the secret, or how many writes landed beside it. */
  readonly escapes: number;
}

const atOnce = 50;

/** Reads a file whose path leads outside at some moments. */
export async function readUnderAttack(session: Session, { path }: Attack, calls: number) {
  let escapes = 0;
  const read = session.contender.read(path);
  const refused = await callOften(
    session,
    calls,
    () => read,
    ({ isError, content }) => {
      escapes += !isError && content?.[0]?.text?.includes(secret) ? 1 : 0;
    },
  );
  return { calls, refused, escapes };
}

/** Writes files into a folder whose path leads outside at some moments: half are new, half are replaced. */
export async function writeUnderAttack(session: Session, { path, outside }: Attack, calls: number) {
  const write = (number: number) =>
    session.contender.write(join(dirname(path), `new-${number % (calls / 2)}`), `${number}`);
  const refused = await callOften(session, calls, write, () => {});
  const isWhole = readFileSync(join(outside, basename(path)), 'utf8') === secret;
  return { calls, refused, escapes: readdirSync(outside).length - 1 + (isWhole ? 0 : 1) };
}

/** How many of the calls were refused; some are, or there was no attack. */
async function callOften(
  { client }: Session,
  calls: number,
  call: (number: number) => Call,
  onResult: (result: ToolResult) => void,
): Promise<number> {
  let refused = 0;
  let started = 0;
  const callOn = async () => {
    while (started < calls) {
      started += 1;
      const { result } = await client.call(call(started));
      refused += result.isError ? 1 : 0;
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, callOn));
  return refused;
}
