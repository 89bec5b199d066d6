import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWorkspaceProgram } from '../../../../src/domain/servers/workspaceProgram.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';

const folders = ['/ws/api', '/ws/web'];

function isOne(line: string, cwd?: string): boolean {
  const [command = '', ...args] = line.split(' ');
  return isWorkspaceProgram(stdioLaunch({ command, args, cwd }), folders);
}

test('what is run from a folder of the window is told, wherever it stands', () => {
  for (const line of [
    './run.sh',
    '/ws/web/bin/server',
    'node server.js',
    'node --import ./hook.mjs /opt/server.js',
    'python3 -u /ws/api/main.py',
    'bash tools/serve',
    'java -jar /ws/web/x.jar',
    'tool --script=./x.py',
    'npm run serve',
    'uv run server',
    'make serve',
    '../web/run',
    'uvx --from /ws/api srv',
    'npx -y ./server',
    'python3.12 /ws/api/srv',
    'npm --prefix=/ws/api run srv',
  ]) {
    assert.equal(isOne(line), true, line);
  }
});

test('what is run from elsewhere is none of it, whatever it works on', () => {
  for (const line of [
    'npx -y good-pkg /ws/api',
    'node /opt/server.js /ws/web',
    '/usr/bin/server',
    'indexer --dir=/ws/api',
    'git status',
    '../other/run',
    'node /ws/apis/x.js',
  ]) {
    assert.equal(isOne(line), false, line);
  }
  assert.equal(isOne('node server.js', '/opt'), false);
  assert.equal(isOne('npm start', '/opt'), false);
  assert.equal(isOne('make -C /ws/api serve', '/opt'), true);
  const loads = (name: string) =>
    isWorkspaceProgram(stdioLaunch({ env: { [name]: '--require /ws/api/x.js' } }), folders);
  assert.deepEqual([loads('NODE_OPTIONS'), loads('ALLOWED')], [true, false]);
  assert.equal(isWorkspaceProgram(httpLaunch('https://host/'), folders), false);
  assert.equal(isWorkspaceProgram(stdioLaunch({ command: './run.sh' }), []), false);
});
