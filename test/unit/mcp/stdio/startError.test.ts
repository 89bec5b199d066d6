import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { lackOf } from '../../../../src/domain/servers/serverFailure.ts';
import { refusedStart, startError } from '../../../../src/mcp/stdio/startError.ts';
import { onlyOn } from '../../../support/systems.ts';
import { tempFolder } from '../../../support/temp.ts';

const skip = onlyOn('posix', 'Windows is asked for the program before the start');

/** What is said of a start that the system refused; `code` is that of its own error. */
async function refused(command: string, cwd: string) {
  const child = spawn(command, [], { cwd });
  const [error]: NodeJS.ErrnoException[] = await once(child, 'error');
  assert.ok(error);
  const { message } = startError(error, { command, cwd });
  return { code: error.code, message };
}

/** A folder with a file of this text in it, and the path of that. */
function withFile(t: TestContext, text: string, mode: number) {
  const cwd = tempFolder(t);
  const file = join(cwd, 'server');
  writeFileSync(file, text, { mode });
  return { cwd, file };
}

test('a program that is not there is said to be where it was looked for', { skip }, async t => {
  const cwd = tempFolder(t);
  assert.deepEqual(await refused('no-such-program', cwd), {
    code: 'ENOENT',
    message: '"no-such-program" was not found on PATH',
  });
  const path = join(cwd, 'no-such-program');
  assert.deepEqual(await refused(path, cwd), {
    code: 'ENOENT',
    message: `${path} does not exist`,
  });
  const relative = await refused('./gone\n', cwd);
  assert.equal(relative.message, `./gone\\u000a does not exist in ${cwd}`);
});

test('a program that was given with its arguments is said to be that', { skip }, async t => {
  const cwd = tempFolder(t);
  const advice = (program: string) =>
    `: if "${program}" is the program, put its arguments into "args"`;
  const message = async (command: string) => (await refused(command, cwd)).message;
  assert.deepEqual(
    [
      await message('node /proj/server.js'),
      await message('node  server.js'),
      await message(`${process.execPath} server.js`),
      await message('/no/such folder/server'),
      await message('/no/such/server '),
    ],
    [
      `node /proj/server.js does not exist in ${cwd}${advice('node')}`,
      `"node  server.js" was not found on PATH${advice('node')}`,
      `${process.execPath} server.js does not exist${advice(process.execPath)}`,
      '/no/such folder/server does not exist',
      '/no/such/server  does not exist',
    ],
  );
});

test('a file that is no program is said to be that', { skip }, async t => {
  const { cwd, file } = withFile(t, '', 0o644);
  assert.deepEqual(await refused(file, cwd), {
    code: 'EACCES',
    message: `${file} may not be executed`,
  });
  mkdirSync(join(cwd, 'folder'));
  assert.equal((await refused('./folder', cwd)).message, './folder may not be executed');
});

test('what is missing besides the program is not taken for it', { skip }, async t => {
  const { cwd, file } = withFile(t, '#!/no/such/interpreter\n', 0o755);
  assert.deepEqual(await refused(file, cwd), {
    code: 'ENOENT',
    message: `${file} names a program in its first line that is not there`,
  });
  const gone = join(cwd, 'gone');
  assert.equal(
    (await refused(process.execPath, gone)).message,
    `its working directory ${gone} is not there`,
  );
});

test('codes of the system are told in words, and one without words by itself', () => {
  const said = (code: string) => {
    const error = Object.assign(new Error(`spawn x ${code}`), { code });
    return startError(error, { command: 'x', cwd: '/' }).message;
  };
  assert.deepEqual(
    [said('E2BIG'), said('EAGAIN'), said('EOTHER')],
    [
      'the arguments and variables of "x" are too long for this system',
      'the system has no room for another process',
      'the system did not start "x" (EOTHER)',
    ],
  );
});

test('only a program that is not there counts as missing', () => {
  const attempted = { command: 'no-such-program', cwd: '/' };
  const error = (code: string) => Object.assign(new Error(code), { code });
  assert.deepEqual(lackOf(startError(error('ENOENT'), attempted)), { program: 'no-such-program' });
  assert.equal(lackOf(startError(error('EACCES'), attempted)), undefined);
});

test('a start for which there is no file left does not blame the command line', () => {
  const words = (code: string) => refusedStart(Object.assign(new Error(code), { code })).message;
  assert.match(words('EMFILE'), /^too many files are open: stop servers .* \(ulimit -n\)/);
  assert.equal(words('E2BIG'), 'the system refused its command line (E2BIG)');
});
