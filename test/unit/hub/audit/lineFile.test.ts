import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AuditLog } from '../../../../src/hub/audit/auditLog.ts';
import { setAside } from '../../../../src/hub/audit/lineFile.ts';
import { atEnd, killed } from '../../../support/processes.ts';
import { tempFolder } from '../../../support/temp.ts';

const program = fileURLToPath(new URL('../../../support/auditWriter.ts', import.meta.url));

describe('a full audit log', () => {
  it('is set aside, and the oldest of those is dropped', t => {
    const { file, write } = smallLog(t, { capacity: 300, kept: 3 });
    write(0, 17);
    deepEqual(childrenIn(file), {
      'audit.jsonl': [15, 16],
      'audit.jsonl.1': [12, 13, 14],
      'audit.jsonl.2': [9, 10, 11],
      'audit.jsonl.3': [6, 7, 8],
    });
    for (const name of Object.keys(childrenIn(file))) {
      ok(statSync(join(file, '..', name)).size <= 300, name);
    }
  });

  it('fills the number that a crash in the middle left free, and drops nothing for it', t => {
    const { file, write } = smallLog(t, { capacity: 80, kept: 3 });
    writeFileSync(`${file}.2`, line(100));
    write(0, 2);
    deepEqual(childrenIn(file), {
      'audit.jsonl': [1],
      'audit.jsonl.1': [0],
      'audit.jsonl.2': [100],
    });
  });

  it('is written on while another process moves the files', t => {
    const { file, write } = smallLog(t, { capacity: 80, kept: 3 });
    writeFileSync(`${file}.lock`, '');
    write(0, 5);
    deepEqual(childrenIn(file)['audit.jsonl'], [0, 1, 2, 3, 4]);
    ok(existsSync(`${file}.lock`));
  });

  it('is set aside again when the one who moved the files died over it', t => {
    const { file, write } = smallLog(t, { capacity: 80, kept: 3 });
    writeFileSync(`${file}.lock`, '');
    const twoMinutesAgo = Date.now() / 1000 - 120;
    utimesSync(`${file}.lock`, twoMinutesAgo, twoMinutesAgo);
    write(0, 4);
    deepEqual(childrenIn(file), {
      'audit.jsonl': [3],
      'audit.jsonl.1': [2],
      'audit.jsonl.2': [0, 1],
    });
  });

  it('is set aside again when a folder of the name of the lock was left there', t => {
    const { file, write, problems } = smallLog(t, { capacity: 80, kept: 3 });
    mkdirSync(`${file}.lock`);
    write(0, 2);
    deepEqual(childrenIn(file), { 'audit.jsonl': [0, 1] });
    const twoMinutesAgo = Date.now() / 1000 - 120;
    utimesSync(`${file}.lock`, twoMinutesAgo, twoMinutesAgo);
    write(2, 4);
    deepEqual(childrenIn(file), { 'audit.jsonl': [3], 'audit.jsonl.1': [0, 1, 2] });
    equal(existsSync(`${file}.lock`), false);
    equal(problems.length, 1);
  });

  it('is written on, and says so once, while a folder that is not empty is in the way', t => {
    const { file, write, problems } = smallLog(t, { capacity: 200, kept: 3 });
    mkdirSync(join(`${file}.lock`, 'inner'), { recursive: true });
    const twoMinutesAgo = Date.now() / 1000 - 120;
    utimesSync(`${file}.lock`, twoMinutesAgo, twoMinutesAgo);
    write(0, 3);
    deepEqual(problems, []);
    write(3, 9);
    deepEqual(childrenIn(file), { 'audit.jsonl': [0, 1, 2, 3, 4, 5, 6, 7, 8] });
    equal(problems.length, 1);
    match(problems[0] ?? '', /audit\.jsonl.* is full and cannot be set aside.*audit\.jsonl\.lock/);
    rmSync(`${file}.lock`, { recursive: true });
    write(9, 10);
    deepEqual(childrenIn(file)['audit.jsonl'], [9]);
  });

  it('is written on while the system does not let it be moved, and set aside later', t => {
    const { file, write } = smallLog(t, { capacity: 80, kept: 1 });
    // A file can't take the place of a folder, as it can't on some systems of an open file.
    mkdirSync(`${file}.1`);
    write(0, 3);
    rmdirSync(`${file}.1`);
    write(3, 4);
    deepEqual(childrenIn(file), { 'audit.jsonl': [3], 'audit.jsonl.1': [0, 1, 2] });
    write(4, 6);
    deepEqual(childrenIn(file), { 'audit.jsonl': [5], 'audit.jsonl.1': [4] });
  });

  it('stays where it is when another process has just set it aside', t => {
    const { file, write } = smallLog(t, { capacity: 1000, kept: 3 });
    write(0, 1);
    equal(
      setAside(file, 3, () => false),
      true,
    );
    deepEqual(childrenIn(file), { 'audit.jsonl': [0] });
  });

  it('takes a line that is longer than a file may be', t => {
    const { file, write } = smallLog(t, { capacity: 10, kept: 2 });
    write(0, 4);
    deepEqual(childrenIn(file), {
      'audit.jsonl': [3],
      'audit.jsonl.1': [2],
      'audit.jsonl.2': [1],
    });
  });
});

it('four processes lose and double no line of one log, and keep each one’s order', async t => {
  const [capacity, kept, count] = [64 * 1024, 200, 5000];
  const file = join(tempFolder(t), 'audit.jsonl');
  const servers = ['a', 'b', 'c', 'd'];
  const writers = await Promise.all(
    servers.map(server => startWriter(t, [file, server, count, capacity, kept].map(String))),
  );
  const codes = await Promise.all(
    writers.map(async writer => {
      const exit = once(writer, 'exit');
      writer.stdin.write('go\n');
      return (await exit)[0];
    }),
  );
  deepEqual(codes, [0, 0, 0, 0]);
  const entries = entriesIn(file);
  const inOrder = Array.from({ length: count }, (_, index) => index);
  for (const server of servers) {
    const written = entries.filter(entry => entry.server === server);
    deepEqual(
      written.map(({ child }) => Number(child)),
      inOrder,
    );
  }
  equal(entries.length, servers.length * count);
  // How often depends on the system: while one who moves the files waits for a processor, all of
  // the others write on.
  ok(namesOf(file).length > 2, 'the log was set aside again and again');
  equal(existsSync(`${file}.lock`), false);
});

type Writer = ChildProcessByStdio<Writable, Readable, null>;

async function startWriter(t: TestContext, args: readonly string[]): Promise<Writer> {
  const writer = spawn(process.execPath, [program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(t, () => killed(writer));
  await once(writer.stdout, 'data');
  return writer;
}

/** A log whose events are instances with numbers. */
function smallLog(t: TestContext, options: { capacity: number; kept: number }) {
  const file = join(tempFolder(t), 'audit.jsonl');
  const problems: string[] = [];
  const onProblem = (problem: string) => problems.push(problem);
  const opened = AuditLog.open(file, { ...options, onProblem });
  if (!opened.ok) {
    throw new Error(opened.reason);
  }
  const { log } = opened;
  atEnd(t, () => log.dispose());
  const write = (from: number, to: number) => {
    for (let child = from; child < to; child += 1) {
      log.write({ event: 'child', server: 'a', child: String(child), state: 'on' });
    }
  };
  return { file, write, problems };
}

function line(child: number): string {
  return `${JSON.stringify({ server: 'a', child: String(child) })}\n`;
}

/** The names of the log's files, the newest first. */
function namesOf(file: string): string[] {
  const folder = join(file, '..');
  return readdirSync(folder)
    .filter(name => /^audit\.jsonl(\.\d+)?$/.test(name))
    .sort((one, other) => numberOf(one) - numberOf(other));
}

function numberOf(name: string): number {
  return Number(name.split('.')[2] ?? 0);
}

function entriesOf(path: string): { readonly server: string; readonly child: string }[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  equal(lines.pop(), '');
  return lines.map(one => JSON.parse(one));
}

/** What is in all files of the log, the oldest first. */
function entriesIn(file: string) {
  return namesOf(file)
    .toReversed()
    .flatMap(name => entriesOf(join(file, '..', name)));
}

/** The numbers in each file of the log. */
function childrenIn(file: string): Record<string, number[]> {
  return Object.fromEntries(
    namesOf(file).map(name => [
      name,
      entriesOf(join(file, '..', name)).map(({ child }) => Number(child)),
    ]),
  );
}
