import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench } from './bench.ts';
import { type Contender, contenders } from './contenders.ts';
import { type Side, timeOfMany } from './race.ts';
import { type Answer, type Call, RawClient } from './rawClient.ts';
import type { Row } from './row.ts';
import type { Scratch } from './scratch.ts';

/** A server that is ready: it has answered, asked for the roots and put them in force. */
export interface Session {
  readonly contender: Contender;
  readonly client: RawClient;
  /** @throws when the tool refuses: the time of a refusal says nothing. */
  call(call: Call): Promise<Answer>;
}

/** Starts a server with one root and waits until it serves that. */
export async function open(
  scratch: Scratch,
  contender: Contender,
  folder: string,
): Promise<Session> {
  const client = new RawClient(contender.launch, [pathToFileURL(folder).href]);
  scratch.owns(client.process);
  await client.initialize();
  await untilServed(client, contender.list(folder));
  return {
    contender,
    client,
    async call(what) {
      const answer = await client.call(what);
      if (answer.result.isError) {
        throw new Error(`${what.name} was refused: ${JSON.stringify(answer.result.content)}`);
      }
      return answer;
    },
  };
}

/** Starts our bundled server and its competitors, each with a folder of that name. */
export async function withContenders(
  bench: Bench,
  name: string,
  measure: (folder: string, sessions: readonly Session[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const folder = join(bench.scratch.folder, name);
  mkdirSync(folder);
  const sessions = await Promise.all(
    contenders(bench).map(each => open(bench.scratch, each, folder)),
  );
  const rows = await measure(folder, sessions);
  await Promise.all(sessions.map(({ client }) => client.close()));
  return rows;
}

/** The sides of a race: how long that call takes until the last byte of its answer is there. */
export function timed(
  sessions: readonly Session[],
  callOf: (contender: Contender) => Call,
): readonly Side[] {
  return sessions.map(({ contender, call }) => ({
    ...contender,
    sample: async () => {
      const sent = performance.now();
      const { at } = await call(callOf(contender));
      return at - sent;
    },
  }));
}

/** The sides of a race: how long many of that call take, a part of them under way all the time. */
export function manyTimed(
  sessions: readonly Session[],
  callOf: (contender: Contender) => Call,
): readonly Side[] {
  return sessions.map(({ contender, call }) => ({
    ...contender,
    sample: () => timeOfMany(() => call(callOf(contender))),
  }));
}

/** Waits for the first answer except refusals: one server answers before it has the roots. */
async function untilServed(client: RawClient, call: Call): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const { result } = await client.call(call);
    if (!result.isError) {
      return;
    }
  }
  throw new Error(`${call.name} is refused all the time.`);
}
