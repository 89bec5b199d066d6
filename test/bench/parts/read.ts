import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Part } from '../bench.ts';
import { contenders } from '../contenders.ts';
import { callsAtOnce, inFlight, race, timeOfMany } from '../race.ts';
import { againstAll, type Row, type Terms } from '../row.ts';
import { open, type Session } from '../session.ts';
import { accentedLine, textOfSize } from '../trees.ts';

const kilobyte = 1024;
const megabyte = 1024 * 1024;

/** How long a file takes to read, small and large, one at a time and many at once. */
export const readPart: Part = {
  name: 'read',
  comparesRevisions: true,
  async run(bench) {
    const folder = join(bench.scratch.folder, 'read');
    mkdirSync(folder);
    const sessions = await Promise.all(
      contenders(bench).map(each => open(bench.scratch, each, folder)),
    );
    const small = { text: textOfSize(kilobyte), path: join(folder, 'small.ts') };
    const large = { text: textOfSize(megabyte), path: join(folder, 'large.ts') };
    const accented = { text: textOfSize(megabyte, accentedLine), path: join(folder, 'é.ts') };
    const rows = [
      ...(await readRows(bench, 'read 1 KB', sessions, small, ahead)),
      ...(await atOnceRows(bench, sessions, small)),
      ...(await readRows(bench, 'read 1 MB', sessions, large, ahead)),
      ...(await readRows(bench, 'read 1 MB with accents', sessions, accented, ahead)),
    ];
    await Promise.all(sessions.map(({ client }) => client.close()));
    return rows;
  },
};

/** Of the reference server. */
const ahead: Terms = { theirs: { atMost: 1 } };

interface File {
  readonly text: string;
  readonly path: string;
}

async function readRows(
  bench: Bench,
  what: string,
  sessions: readonly Session[],
  { text, path }: File,
  terms: Terms,
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
    ...contender,
    sample: () => time(contender.read(path)),
  }));
  const options = { warmUp: 4, rounds: bench.isQuick ? 8 : 40, each: isSmall ? 100 : 5 };
  return againstAll(what, await race(sides, options), terms);
}

async function atOnceRows(
  bench: Bench,
  sessions: readonly Session[],
  { path }: File,
): Promise<readonly Row[]> {
  const sides = sessions.map(({ contender, call }) => ({
    ...contender,
    sample: () => timeOfMany(() => call(contender.read(path))),
  }));
  const options = { warmUp: 2, rounds: bench.isQuick ? 4 : 16, each: 1 };
  return againstAll(
    `${callsAtOnce} reads of 1 KB, ${inFlight} at once`,
    await race(sides, options),
    ahead,
  );
}
