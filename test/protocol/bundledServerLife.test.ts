import { deepEqual, equal } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { within } from '../../src/base/timeLimit.ts';
import { type Message, RawSession, serverMain, toolCall } from '../support/bundledServer.ts';
import { readManual } from '../support/manual.ts';
import { patience } from '../support/patience.ts';
import { isAlive } from '../support/processes.ts';
import { onlyOn } from '../support/systems.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const skip = onlyOn('posix', 'the manual writes for a POSIX shell');

describe('the bundled server', { concurrency: true }, () => {
  test('exits when its input ends, even with an unanswered question', async t => {
    // Longer than the test waits: it is not the end of that time that ends the process.
    const session = new RawSession(t, ['--roots-timeout', '3600']);
    await session.initialize();
    await session.rootsRequest();
    session.send(toolCall(2, 'list-directory'));
    session.process.stdin?.end();
    deepEqual(await within(session.exited, patience, 'still running'), [0, null]);
    equal((await session.answerTo(2)).result?.isError, true);
  });

  test('answers every request from before the end of its input', t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'x' });
    const calls = [
      ...[1, 2, 3, 4].map(id => toolCall(id, 'search-text', { query: `${id}` })),
      toolCall(5, 'write-file', { path: 'new.txt', content: 'x' }),
    ];
    const input = calls.map(call => `${JSON.stringify({ jsonrpc: '2.0', ...call })}\n`).join('');
    const args = [serverMain, '--root', folder, '--allow-write'];
    const options = { encoding: 'utf8', timeout: patience, input } as const;
    const { status, stdout } = spawnSync(process.execPath, args, options);
    const answers: Message[] = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    deepEqual([status, answers.map(({ id }) => id).sort()], [0, [1, 2, 3, 4, 5]]);
    deepEqual(
      answers.filter(({ result }) => !result || result.isError),
      [],
    );
  });

  test('exits after its parent was killed, even with an open input', async () => {
    // The parent hands its own input on, so that this process keeps it open.
    const script = `
      const { spawn } = require('node:child_process');
      const stdio = ['inherit', 'inherit', 'pipe'];
      const child = spawn(process.execPath, [${JSON.stringify(serverMain)}], { stdio });
      child.stderr.once('data', () => process.stderr.write(String(child.pid)));
    `;
    const parent = spawn(process.execPath, ['-e', script], { stdio: 'pipe' });
    const [text] = await once(parent.stderr, 'data');
    const server = Number(text);
    equal(isAlive(server), true);
    parent.kill('SIGKILL');
    // Its end of the output closes when the server is gone, even if nobody collects the process.
    const closed = once(parent.stdout.resume(), 'close').then(() => 'gone');
    equal(await within(closed, patience, 'still there'), 'gone');
    parent.stdin.destroy();
  });

  test('answers the lines that its manual says to paste into a terminal', { skip }, t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'note.txt': '' });
    const trial = readManual('bundledServer').blocks.find(({ language }) => language === 'sh');
    const lines = (trial?.text ?? '')
      .replace('mcp-roots', `"${process.execPath}" "${serverMain}"`)
      .replace('/path/to/project', folder);
    const { stdout } = spawnSync('sh', ['-c', lines], { encoding: 'utf8', timeout: patience });
    deepEqual(JSON.parse(stdout).result.structuredContent.files, ['note.txt']);
  });

  test('names the version of the package', () => {
    const { version } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    const options = { encoding: 'utf8', timeout: patience } as const;
    const printed = spawnSync(process.execPath, [serverMain, '--version'], options);
    deepEqual([printed.status, printed.stdout, printed.stderr], [0, `${version}\n`, '']);
  });
});
