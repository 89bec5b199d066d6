import { match } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { connectorStart, type FakeHome, fakeHome, openGateway } from '../support/fakeGateway.ts';
import { atEnd, killed } from '../support/processes.ts';
import { initializeRequest } from '../support/rawHttp.ts';
import { sandboxHere } from '../support/sandbox/bubblewrap.ts';
import { tempFolder } from '../support/temp.ts';
import { said } from '../support/texts.ts';

const all = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'];
const { skip } = await sandboxHere();

/** A seccomp filter that answers `connect` with EPERM, as the helpers of some agents do. */
function withoutConnect(t: TestContext): number {
  const connect = process.arch === 'arm64' ? 203 : 42;
  const filter = Buffer.concat(
    (
      [
        [0x20, 0, 0, 0], // Load the number of the call.
        [0x15, 0, 1, connect],
        [0x06, 0, 0, 0x0005_0001], // Refuse it with error 1.
        [0x06, 0, 0, 0x7fff_0000],
      ] as const
    ).map(([code, yes, no, value]) => {
      const instruction = Buffer.alloc(8);
      instruction.writeUInt16LE(code, 0);
      instruction.writeUInt8(yes, 2);
      instruction.writeUInt8(no, 3);
      instruction.writeUInt32LE(value, 4);
      return instruction;
    }),
  );
  const path = join(tempFolder(t), 'filter');
  writeFileSync(path, filter);
  return openSync(path, 'r');
}

/** The client's error when its agent starts the connector in a sandbox beside an open window. */
async function told(
  t: TestContext,
  sandbox: (home: FakeHome) => readonly string[],
  filter?: number,
): Promise<string> {
  const home = fakeHome(t);
  writeFileSync(join(home.home, '.profile'), '');
  await openGateway(t, home, ({ say, listen }) => {
    say({ mcpRoots: 'welcome' });
    listen(line => say({ ...JSON.parse(line), method: undefined, result: { reached: true } }));
  });
  const { command, args, cwd, env } = connectorStart(home);
  const child = spawn('bwrap', [...all, ...sandbox(home), '--chdir', cwd, command, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'inherit', ...(filter === undefined ? [] : [filter])],
  });
  atEnd(t, () => killed(child));
  child.stdin?.write(`${JSON.stringify(initializeRequest())}\n`);
  const [line] = await once(createInterface({ input: child.stdout as Readable }), 'line');
  const { result, error } = JSON.parse(line);
  return result ? 'reached' : said(error.message);
}

describe('a connector in the sandbox of an agent', { skip }, () => {
  test('reaches the window where the sandbox allows it', async t => {
    match(await told(t, ({ home }) => ['--ro-bind', home, home]), /^reached$/);
    match(await told(t, () => ['--unshare-all']), /^reached$/);
  });

  test('says that the home is hidden', async t => {
    const hidden = ({ home, workspace }: FakeHome) => [
      ...['--tmpfs', home, '--bind', workspace, workspace],
    ];
    match(await told(t, hidden), /^windowChoice\.unseenText.*windowChoice\.unseenText\(/);
  });

  test('says that it may not connect', async t => {
    match(
      await told(t, () => ['--seccomp', '3'], withoutConnect(t)),
      /^windowChoice\.barredText\(w, EPERM, windowChoice\.howToLet/,
    );
  });
});
