import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { byNames, type WaysOut } from '../../../src/mcp/sandbox/waysOut/probe.ts';
import { atEnd } from '../../support/processes.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { tempFolder } from '../../support/temp.ts';

const { skip } = await sandboxHere();

/** By the names of the malicious servers, in which sandbox they tried, and what came of it. */
type Found = Readonly<
  Record<
    string,
    Readonly<Record<'bare' | 'alone' | 'networked' | 'socketed', WaysOut>> & {
      readonly denied?: WaysOut;
    }
  >
>;

/** How many ways there are at least without a sandbox; with fewer the test sees nothing. */
const leastBare = {
  root: { python: 38, node: 30, shell: 24 },
  'an ordinary user': { python: 30, node: 30, shell: 20 },
};

describe('malicious servers in a sandbox', { skip, concurrency: true }, () => {
  const isRoot = process.getuid?.() === 0;
  const missing = existsSync('/usr/bin/python3') ? false : 'There is no /usr/bin/python3.';
  it('find no way out as root', { skip: missing || (!isRoot && 'We are not root.') }, t =>
    findNone(t, 'root', undefined),
  );
  it('find no way out as an ordinary user', { skip: missing }, async t => {
    const nobody = isRoot ? 65534 : undefined;
    await findNone(t, 'an ordinary user', nobody);
  });
});

async function findNone(
  t: TestContext,
  user: keyof typeof leastBare,
  id: number | undefined,
): Promise<void> {
  if (!canRun(id)) {
    return t.skip('An ordinary user can’t read this project.');
  }
  const found = await tried(t, id);
  for (const [name, { bare, alone, networked, socketed, denied }] of Object.entries(found)) {
    t.diagnostic(`${name}: ${bare.through.length} of ${bare.tried} ways are there without it`);
    const least = leastBare[user][name as 'python'];
    assert.ok(bare.through.length >= least, `${name} is blind: ${bare.through.join(', ')}`);
    const expected = { tried: bare.tried, through: [] };
    assert.deepEqual(alone, expected, name);
    assert.deepEqual(networked, { ...expected, through: ['loopback'] }, name);
    const { through } = socketed;
    const opened = through.filter(way => way !== 'unixSocket'); // That one can be made.
    assert.deepEqual({ ...socketed, through: opened }, networked, name);
    if (denied) {
      const unnamed = denied.through.filter(way => !byNames.includes(way));
      assert.deepEqual({ ...denied, through: unnamed }, networked, name);
    }
  }
}

const runner = join(import.meta.dirname, '..', '..', 'support', 'sandbox', 'waysOutRunner.ts');

function canRun(id: number | undefined): boolean {
  const script = `require('node:fs').accessSync(${JSON.stringify(runner)})`;
  const { status } = spawnSync(process.execPath, ['-e', script], userOf(id));
  return status === 0;
}

function userOf(id: number | undefined) {
  return id === undefined ? {} : { uid: id, gid: id };
}

/** The results of servers that this user started. */
async function tried(t: TestContext, id: number | undefined): Promise<Found> {
  const home = tempFolder(t);
  // Left open for all that is started, as terminals do.
  writeFileSync(join(home, 'secret'), 'answered');
  const handle = openSync(home, 'r');
  atEnd(t, () => closeSync(handle));
  chmodSync(home, 0o755);
  if (id !== undefined) {
    chownSync(home, id, id);
  }
  const child = spawn(process.execPath, [runner], {
    env: { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: process.env['TMPDIR'] ?? '/tmp' },
    stdio: ['ignore', 'pipe', 'pipe', ...Array(handleNumber - 3).fill('ignore'), handle],
    ...userOf(id),
  });
  const [said, complaints] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
  ]);
  assert.equal(complaints, '');
  return JSON.parse(said);
}

/** Node closes lower descriptors in the processes that it starts. */
const handleNumber = 30;
