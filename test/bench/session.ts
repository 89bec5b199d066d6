import { pathToFileURL } from 'node:url';
import type { Contender } from './contenders.ts';
import { type Answer, type Call, RawClient } from './rawClient.ts';
import type { Scratch } from './scratch.ts';

/** A server that is ready: it has answered, asked for the roots and put them in force. */
export interface Session {
  readonly contender: Contender;
  readonly client: RawClient;
  readonly pid: number;
  /** @throws when the tool refuses: the time of a refusal says nothing. */
  call(call: Call): Promise<Answer>;
  /** How long a call takes until the last byte of the answer is there, in milliseconds. */
  time(call: Call): Promise<number>;
}

/** Starts a server with one root and waits until it serves that. */
export async function open(scratch: Scratch, contender: Contender, folder: string) {
  const client = start(scratch, contender, folder);
  await client.initialize();
  await untilServed(client, contender.list(folder));
  const call = async (what: Call) => unrefused(await client.call(what), what);
  const session: Session = {
    contender,
    client,
    pid: client.process.pid ?? 0,
    call,
    time: async what => {
      const sent = performance.now();
      const { at } = await call(what);
      return at - sent;
    },
  };
  return session;
}

export function start(scratch: Scratch, { launch }: Contender, folder: string): RawClient {
  const client = new RawClient(launch, [pathToFileURL(folder).href]);
  scratch.owns(client.process);
  return client;
}

/** The first answer that is no refusal: one of these servers answers before it has the roots. */
export async function untilServed(client: RawClient, call: Call): Promise<Answer> {
  for (let tries = 0; tries < 1000; tries++) {
    const answer = await client.call(call);
    if (!answer.result.isError) {
      return answer;
    }
  }
  throw new Error(`${call.name} is refused all the time.`);
}

function unrefused(answer: Answer, { name }: Call): Answer {
  if (answer.result.isError) {
    throw new Error(`${name} was refused: ${JSON.stringify(answer.result.content)}`);
  }
  return answer;
}
