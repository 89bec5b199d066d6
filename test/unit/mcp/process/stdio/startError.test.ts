import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lackOf } from '../../../../../src/domain/servers/serverFailure.ts';
import { refusedStart, startError } from '../../../../../src/mcp/process/stdio/startError.ts';
import { onlyOn } from '../../../../support/systems.ts';
import { tempFolder, writeTree } from '../../../../support/temp.ts';
import { said } from '../../../../support/texts.ts';

/** The message about a start that the system refuses. */
async function refused(command: string, cwd: string): Promise<string> {
  const child = spawn(command, [], { cwd });
  const [error]: NodeJS.ErrnoException[] = await once(child, 'error');
  ok(error);
  return said(startError(error, { command, cwd }).message);
}

test('says what is missing or not executable when a start fails', {
  skip: onlyOn('posix', 'Windows is asked for the program before the start'),
}, async t => {
  const cwd = tempFolder(t);
  writeTree(cwd, { text: '', script: '#!/no/such/interpreter\n' });
  mkdirSync(join(cwd, 'folder'));
  chmodSync(join(cwd, 'script'), 0o755);
  const [node, gone] = [process.execPath, join(cwd, 'gone')];
  const cases = [
    ['no-such-program', 'startError.notOnPath(no-such-program)'],
    [gone, `startError.notThere(${gone})`],
    ['./gone\n', `startError.notThere.2(./gone\\u000a, ${cwd})`],
    ['node /srv', `startError.programLack(startError.notThere.2(node /srv, ${cwd}), node)`],
    ['node  srv', 'startError.programLack(startError.notOnPath(node  srv), node)'],
    [`${node} srv`, `startError.programLack(startError.notThere(${node} srv), ${node})`],
    ['/no/such folder/srv', 'startError.notThere(/no/such folder/srv)'],
    ['/no/such/srv ', 'startError.notThere(/no/such/srv )'],
    ['./text', 'startError.reasons.EACCES(./text)'],
    ['./folder', 'startError.reasons.EACCES(./folder)'],
    ['./script', 'startError.reasons.ENOENT(./script)'],
  ] as const;
  const all = cases.map(async ([command]) => [command, await refused(command, cwd)]);
  deepEqual(await Promise.all(all), cases);
  equal(await refused(node, gone), `startError.startError(${gone})`);
});

test('says system codes in words, and shows an unknown code unchanged', () => {
  const errorOf = (code: string) => Object.assign(new Error(`spawn x ${code}`), { code });
  const told = (code: string) => startError(errorOf(code), { command: 'x', cwd: '/' });
  deepEqual(
    ['E2BIG', 'EAGAIN', 'EOTHER'].map(code => said(told(code).message)),
    [
      'startError.reasons.E2BIG("x")',
      'startError.reasons.EAGAIN()',
      'startError.unknownReason("x", EOTHER)',
    ],
  );
  deepEqual(
    ['EMFILE', 'E2BIG'].map(code => said(refusedStart(errorOf(code)).message)),
    ['startError.noFiles()', 'startError.noCommandLine(E2BIG)'],
  );
  deepEqual(
    ['ENOENT', 'EACCES'].map(code => lackOf(told(code))),
    [{ program: 'x' }, undefined],
  );
});
