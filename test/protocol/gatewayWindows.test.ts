import { equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { chooseWindow } from '../../src/connect/windowChoice.ts';
import { readWindows, type WindowEntry } from '../../src/connect/windowFiles.ts';
import { peakMemoryOf } from '../support/cpuTime.ts';
import { type Dialed, dial, helloLine } from '../support/dial.ts';
import { isSoak } from '../support/effort.ts';
import { startedNode, until } from '../support/processes.ts';
import { onlyOn, skipOwners } from '../support/systems.ts';
import { tempFolder } from '../support/temp.ts';

const program = join(import.meta.dirname, '..', 'support', 'gatewayWindow.ts');

/** A folder for the files of windows, and one for their workspaces, which others may read. */
function places(t: TestContext) {
  const top = tempFolder(t);
  chmodSync(top, 0o755);
  const work = join(top, 'work');
  mkdirSync(work);
  return { windows: join(top, 'windows'), work };
}

/** Opens a window with these folders in a separate process. */
function open(t: TestContext, windows: string, id: string, ...folders: readonly string[]) {
  return startedNode(t, program, windows, id, ...folders);
}

function greet(t: TestContext, { socket, nonce }: WindowEntry, others: object = {}): Dialed {
  return dial(t, socket, helloLine(nonce, others));
}

/** How long the slowest of 100 messages takes that a session sends one after the other, in ms. */
async function slowest({ socket, text }: Dialed): Promise<number> {
  let longest = 0;
  for (let sent = 0; sent < 100; sent++) {
    const before = performance.now();
    const length = text().length;
    socket.write('ping\n');
    await until('the answer', () => text().length > length);
    longest = Math.max(longest, performance.now() - before);
  }
  return longest;
}

describe('windows and their clients', {
  skip: onlyOn('posix', 'its windows listen at files'),
}, () => {
  test('finds a window beside one that hangs', async t => {
    const { windows, work } = places(t);
    const stuck = await open(t, windows, 'stuck', '/');
    await open(t, windows, 'own', work);
    const found = (await readWindows(windows)).find(({ id }) => id === 'stuck')!;
    process.kill(stuck.pid!, 'SIGSTOP');
    const waiting = Array.from({ length: 600 }, () => dial(t, found.socket));
    const start = performance.now();
    const choice = chooseWindow(await readWindows(windows), { cwd: work }, process.platform);
    equal('window' in choice && choice.window.id, 'own');
    ok(performance.now() - start < 5000);
    for (const { socket } of waiting) {
      socket.destroy();
    }
  });

  test('lets another user read nothing and connect to nothing', { skip: skipOwners }, async t => {
    const { windows, work } = places(t);
    await open(t, windows, 'own', work);
    const [{ socket } = { socket: '' }] = await readWindows(windows);
    const tries = `
      const fs = require('fs');
      const code = run => { try { run(); return 'done'; } catch (error) { return error.code; } };
      const [folder, file, socket] = process.argv.slice(1);
      const found = [
        code(() => fs.readdirSync(folder)),
        code(() => fs.readFileSync(file)),
        code(() => fs.writeFileSync(folder + '/mine.json', '')),
        code(() => fs.rmSync(file)),
      ];
      const end = outcome => { console.log([...found, outcome].join(' ')); process.exit(); };
      require('net').connect(socket, () => end('connected')).on('error', error => end(error.code));
    `;
    const args = ['-e', tries, windows, join(windows, 'own.json'), socket];
    const run = (others: object) =>
      execFileSync(process.execPath, args, { cwd: '/', encoding: 'utf8', ...others }).trim();
    equal(run({ uid: 65534, gid: 65534 }), 'EACCES EACCES EACCES EACCES EACCES');
    // The socket itself is closed to others, too, not only by its folder.
    chmodSync(windows, 0o755);
    equal(run({ uid: 65534, gid: 65534 }), 'done EACCES EACCES EACCES EACCES');
    equal(run({}), 'done done done done connected');
  });
});

describe('a gateway under attack', {
  skip: onlyOn('linux', 'the memory of the window is read in /proc'),
}, () => {
  /** A window, a session with it, and how much memory it took until then. */
  async function attacked(t: TestContext) {
    const { windows, work } = places(t);
    const child = await open(t, windows, 'own', work);
    const window = (await readWindows(windows))[0]!;
    const session = greet(t, window);
    await slowest(session);
    return { child, window, session, memory: peakMemoryOf(child.pid) };
  }

  test('keeps a session through a flood of silent, partial and wrong connections', async t => {
    const { child, window, session, memory } = await attacked(t);
    const says = ['', '{"mcpRoots":"hello"', 'x\n', helloLine('wrong')];
    const rounds = isSoak ? 50 : 2;
    const flood: Dialed[] = [];
    for (let round = 0; round < rounds; round++) {
      flood.push(...Array.from({ length: 100 }, (_, at) => dial(t, window.socket, says[at % 4]!)));
      await delay(1);
    }
    const longest = await slowest(session);
    const fresh = greet(t, window);
    await until('a new session', () => fresh.text() === 'own\n');
    ok(longest < 2000, `${longest} ms`);
    ok(peakMemoryOf(child.pid) - memory < 60, `${peakMemoryOf(child.pid) - memory} MB`);
    const left = () => flood.filter(({ socket }) => !socket.destroyed).length;
    await until('all have ended', () => left() === 0);
    equal(session.socket.destroyed, false);
  });

  test('refuses lines of 100 MB, or leaves them with the sender', async t => {
    const { child, window, session, memory } = await attacked(t);
    const huge = Buffer.alloc(100 * 1024 * 1024, 'x');
    const refused = dial(t, window.socket);
    refused.socket.write(huge);
    match(await refused.ended, /^(?:\{"mcpRoots":"refused".*\}\n)?$/);
    const unread = greet(t, window, { server: 'deaf' });
    unread.socket.write(huge);
    await until('its welcome', () => unread.text() === 'own\n');
    ok((await slowest(session)) < 2000);
    ok(unread.socket.writableLength > 50 * 1024 * 1024);
    ok(peakMemoryOf(child.pid) - memory < 30, `${peakMemoryOf(child.pid) - memory} MB`);
  });
});
