import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../src/domain/sentence.ts';
import { readServerSettings } from '../../src/domain/serverSettings.ts';

function read(value: unknown) {
  const { servers, problems } = readServerSettings(value);
  return { names: servers.map(({ label }) => label), problems: problems.map(inEnglish) };
}

/** What is said of one server with this entry. */
function problem(entry: unknown): string {
  return read({ files: entry }).problems.join(' | ');
}

test('servers are read in the form of the editor, with what is left out filled in', () => {
  const { servers, problems } = readServerSettings({
    files: { command: 'npx', args: ['-y', 'files'], cwd: '/proj', env: { A: 'b' }, type: 'stdio' },
    git: { command: 'git-server' },
  });
  assert.deepEqual(
    servers.map(({ id, label, launch }) => ({ id, label, launch })),
    [
      {
        id: 'setting:files',
        label: 'files',
        launch: { command: 'npx', args: ['-y', 'files'], cwd: '/proj', env: { A: 'b' } },
      },
      {
        id: 'setting:git',
        label: 'git',
        launch: { command: 'git-server', args: [], cwd: undefined, env: {} },
      },
    ],
  );
  assert.deepEqual(problems, []);
});

test('no servers are no problem', () => {
  assert.deepEqual(read({}), { names: [], problems: [] });
});

test('a value that is no object of servers is told as that', () => {
  const wrong = [undefined, null, 5, 'files', ['files']];
  const expected = ['The setting mcpRoots.servers must be an object of servers by name.'];
  assert.deepEqual(
    wrong.map(value => read(value)),
    wrong.map(() => ({ names: [], problems: expected })),
  );
});

test('each mistake has a sentence of its own that names the server and the key', () => {
  const command = 'files';
  assert.deepEqual(
    {
      entry: problem('files'),
      list: problem(['files']),
      'no command': problem({ args: [] }),
      'empty command': problem({ command: ' ' }),
      'command as list': problem({ command: ['files'] }),
      type: problem({ type: 'http', command }),
      args: problem({ command, args: '-y' }),
      'an argument': problem({ command, args: ['-y', 5] }),
      cwd: problem({ command, cwd: 5 }),
      'empty cwd': problem({ command, cwd: '' }),
      env: problem({ command, env: ['A=b'] }),
      'a variable': problem({ command, env: { A: 5 } }),
      'unknown key': problem({ command, arguments: [] }),
    },
    {
      entry: 'Server "files" in mcpRoots.servers: must be an object with a "command".',
      list: 'Server "files" in mcpRoots.servers: must be an object with a "command".',
      'no command': 'Server "files" in mcpRoots.servers: "command" must name the program to start.',
      'empty command':
        'Server "files" in mcpRoots.servers: "command" must name the program to start.',
      'command as list':
        'Server "files" in mcpRoots.servers: "command" must name the program to start.',
      type: 'Server "files" in mcpRoots.servers: "type" must be "stdio".',
      args: 'Server "files" in mcpRoots.servers: "args" must be a list of strings.',
      'an argument': 'Server "files" in mcpRoots.servers: "args" must be a list of strings.',
      cwd: 'Server "files" in mcpRoots.servers: "cwd" must be the path of a folder.',
      'empty cwd': 'Server "files" in mcpRoots.servers: "cwd" must be the path of a folder.',
      env: 'Server "files" in mcpRoots.servers: "env" must be an object of strings by variable name.',
      'a variable':
        'Server "files" in mcpRoots.servers: "env" must be an object of strings by variable name.',
      'unknown key':
        'Server "files" in mcpRoots.servers: "arguments" is not a known key. Known keys: type, command, args, cwd, env.',
    },
  );
});

test('a mistake costs the server it is in, never the others', () => {
  const { names, problems } = read({
    one: { command: 'one' },
    two: { command: '' },
    three: { command: 'three' },
    four: null,
  });
  assert.deepEqual(names, ['one', 'three']);
  assert.equal(problems.length, 2);
});

test('a problem never repeats a value, which may be a secret', () => {
  const secret = 'hunter2';
  const entries = [
    secret,
    { command: [secret] },
    { command: 'x', args: secret },
    { command: 'x', env: { TOKEN: [secret] } },
    { command: 'x', cwd: [secret] },
    { command: 'x', type: secret },
  ];
  assert.doesNotMatch(entries.map(problem).join('\n'), /hunter2/);
});
