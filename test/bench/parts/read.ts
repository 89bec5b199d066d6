import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Part } from '../bench.ts';
import { ours, raw, theirs } from '../contenders.ts';
import { race } from '../race.ts';
import type { Row, Target } from '../row.ts';
import { againstAll } from '../rows.ts';
import { open, type Session } from '../session.ts';
import { accentedLine, textOfSize } from '../trees.ts';

const kilobyte = 1024;
const megabyte = 1024 * 1024;

/** How long a file takes to read, small and large, one at a time and many at once. */
export const readPart: Part = {
  name: 'read',
  async run(bench) {
    const folder = join(bench.scratch.folder, 'read');
    mkdirSync(folder);
    const contenders = [ours(bench.server), ...theirs, raw];
    const sessions = await Promise.all(contenders.map(each => open(bench.scratch, each, folder)));
    const small = { text: textOfSize(kilobyte), path: join(folder, 'small.ts') };
    const large = { text: textOfSize(megabyte), path: join(folder, 'large.ts') };
    const accented = { text: textOfSize(megabyte, accentedLine), path: join(folder, 'é.ts') };
    const rows = [
      ...(await readRows(bench, 'read 1 KB', sessions, small, { atMost: 0.5 })),
      ...(await atOnceRows(bench, sessions, small)),
      ...(await readRows(bench, 'read 1 MB', sessions, large, { atMost: 0.55 })),
      ...(await readRows(bench, 'read 1 MB with accents', sessions, accented, { atMost: 0.55 })),
    ];
    await Promise.all(sessions.map(({ client }) => client.close()));
    return rows;
  },
};

interface File {
  readonly text: string;
  readonly path: string;
}

async function readRows(
  bench: Bench,
  what: string,
  sessions: readonly Session[],
  { text, path }: File,
  target: Target,
): Promise<readonly Row[]> {
  writeFileSync(path, text);
  const isSmall = text.length < megabyte / 2;
  for (const session of sessions) {
    const { result } = await session.call(session.contender.read(path));
    if (result.content?.[0]?.text !== text) {
      throw new Error(`${session.contender.name} reads another text than there is in ${path}.`);
    }
  }
  const sides = sessions.map(({ contender, time }) => ({
    name: contender.name,
    sample: () => time(contender.read(path)),
  }));
  const options = { warmUp: 4, rounds: bench.isQuick ? 8 : 40, each: isSmall ? 100 : 5 };
  return againstAll(what, await race(sides, options), target);
}

const inFlight = 64;
const callsAtOnce = 1024;

async function atOnceRows(
  bench: Bench,
  sessions: readonly Session[],
  { path }: File,
): Promise<readonly Row[]> {
  const sides = sessions.map(session => ({
    name: session.contender.name,
    sample: () => timeOfMany(session, path),
  }));
  const options = { warmUp: 2, rounds: bench.isQuick ? 4 : 16, each: 1 };
  const what = `${callsAtOnce} reads of 1 KB, ${inFlight} at once`;
  return againstAll(what, await race(sides, options));
}

async function timeOfMany({ contender, call }: Session, path: string): Promise<number> {
  const started = performance.now();
  let left = callsAtOnce;
  const readOn = async () => {
    while (left > 0) {
      left -= 1;
      await call(contender.read(path));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, readOn));
  return performance.now() - started;
}
