import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandLine } from '../../src/domain/launch.ts';
import { stdioServer } from '../../src/domain/serverDefinition.ts';

test('a server of the settings has an id of its own kind, its name as label and its fields', () => {
  const launch = { command: 'files', args: ['/data'], cwd: undefined, env: { A: 'b' } };
  assert.deepEqual(stdioServer('bundled', launch), {
    id: 'setting:bundled',
    label: 'bundled',
    launch,
    fields: { transport: 'stdio', command: 'files', args: ['/data'], cwd: '', env: ['A=b'] },
  });
});

test('the label of a server can be shown wherever a line is, whatever its name is', () => {
  const launch = { command: 'files', args: [], cwd: undefined, env: {} };
  assert.equal(stdioServer('two\nlines\u202e', launch).label, 'two\\u000alines\\u202e');
});

test('a command line shows where each word begins and ends, and nothing that could forge it', () => {
  const args = ['-y', 'a b', '', 'say "hi"', '$HOME', 'two\nlines', 'rtl\u202ename'];
  assert.equal(
    commandLine({ command: 'npx', args, cwd: undefined, env: {} }),
    'npx -y "a b" "" "say \\"hi\\"" "$HOME" "two\\nlines" rtl\\u202ename',
  );
});
