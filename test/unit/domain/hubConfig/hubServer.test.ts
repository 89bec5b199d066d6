import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import { hubKeys } from '../../../../src/domain/hubConfig/hubServer.ts';
import { shownPath } from '../../../../src/domain/json.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { definitionKeys } from '../../../../src/domain/settings/definitionKeys.ts';

const url = 'https://example.com/mcp';

function read(value: unknown) {
  const { servers, mistakes } = readHubConfig(value, '/home/me');
  return {
    names: servers.map(({ name }) => name),
    mistakes: mistakes.map(({ path, text }) => [path, inEnglish(text)]),
  };
}

/** What is wrong with one server, at its place; that server is left out, and the one beside it not. */
function mistakesIn(entry: unknown) {
  const { names, mistakes } = read({ mcpServers: { git: entry, good: { command: 'a' } } });
  assert.deepEqual(names, ['good']);
  const start = 'Server "git": ';
  return mistakes.map(([path, text]) => {
    assert.ok(Array.isArray(path) && typeof text === 'string' && text.startsWith(start));
    assert.deepEqual(path.slice(0, 2), ['mcpServers', 'git']);
    const said = text.slice(start.length);
    assert.ok(said.startsWith(`"${shownPath(path.slice(2))}" `), said);
    return said;
  });
}

describe('a mistake in a configuration', () => {
  it('costs the server it is in, and all of them are told, with their places', () => {
    const git = { command: '', args: [5, '${input:key}'], env: { A: {} }, autoStart: 1, foo: 1 };
    assert.deepEqual(mistakesIn(git), [
      '"autoStart" must be true or false, without quotes.',
      '"foo" is not a known key. Known keys: command, args, cwd, env, envFile, sandbox, type, rootsAs, protocol, autoStart, guard, checkNames, leaveNames, pathPatterns, allow, deny, tools.',
      '"command" must name the program to start.',
      '"args[0]" must be a text. Write it in quotes.',
      '"env.A" must be a text. Write it in quotes.',
      '"args[1]" holds ${input:…}, but a hub can ask nobody. Write ${env:NAME}.',
    ]);
  });

  it('is found under each key of a server, of which none is left to other clients', () => {
    const { stdio, http } = definitionKeys;
    const launches = [
      [{ command: 'a' }, stdio],
      [{ url }, http],
      [{ command: 'a' }, hubKeys()],
    ] as const;
    const unread = launches.flatMap(([launch, keys]) =>
      Object.keys(keys).filter(key => mistakesIn({ ...launch, [key]: 5 }).length === 0),
    );
    assert.deepEqual(unread, []);
  });

  it('may be in the whole of it', () => {
    const noObject =
      'The configuration: It must be an object with servers by name in "mcpServers".';
    for (const value of [undefined, null, 5, 'x', []]) {
      assert.deepEqual(read(value), { names: [], mistakes: [[[], noObject]] });
    }
    assert.deepEqual(read({ mcpServer: {} }).mistakes, [
      [
        ['mcpServer'],
        'The configuration: "mcpServer" is not a known key. Did you mean "mcpServers"?',
      ],
      [[], 'The configuration: It has neither "mcpServers" nor "servers", so there is no server.'],
    ]);
    assert.deepEqual(read({ mcpServers: [], servers: { a: { command: 'a' } } }), {
      names: ['a'],
      mistakes: [
        [['mcpServers'], 'The configuration: "mcpServers" must be an object of servers by name.'],
      ],
    });
  });

  it('may be a name: one that is none, one that is dangerous, or one that is there twice', () => {
    const entry = { command: 'a' };
    const value = JSON.parse(
      '{ "mcpServers": { " ": { "command": "a" }, "__proto__": { "command": "a" } } }',
    );
    assert.deepEqual(read(value), {
      names: [],
      mistakes: [
        [['mcpServers', ' '], 'Server " ": Its name must not be empty.'],
        [['mcpServers', '__proto__'], 'Server "__proto__": A server cannot have this name.'],
      ],
    });
    const twice = 'Server "a": It is in "mcpServers" and in "servers". Leave out one of them.';
    assert.deepEqual(read({ mcpServers: { a: entry }, servers: { b: entry, a: entry } }), {
      names: ['b'],
      mistakes: [
        [['mcpServers', 'a'], twice],
        [['servers', 'a'], twice],
      ],
    });
    const hidden = read({ servers: { 'a\u202e\n': 5 } }).mistakes[0]?.[1];
    assert.equal(
      hidden,
      'Server "a\\u202e\\u000a": It must be an object with a "command" or a "url".',
    );
  });

  it('is a rule with a slip in its name, wherever it is', () => {
    assert.deepEqual(mistakesIn({ command: 'a', dney: ['**/.env'], Guard: 'on' }), [
      '"dney" is not a known key. Did you mean "deny"?',
      '"Guard" is not a known key. Did you mean "guard"?',
    ]);
    assert.deepEqual(mistakesIn({ url, tools: { read: { alow: [], roots: [] } } }), [
      '"tools.read.alow" is not a known key. Did you mean "allow"?',
      '"tools.read.roots" is not a known key. Known keys: guard, checkNames, leaveNames, pathPatterns, allow, deny.',
    ]);
  });

  it('is what another client would narrow a server with, and a hub cannot', () => {
    const offers = 'cannot be kept: the hub offers every tool. Leave it out to do so.';
    assert.deepEqual(
      mistakesIn({
        command: 'a',
        roots: ['/proj'],
        disabledTools: ['rm'],
        includeTools: ['ls'],
        tools: ['*'],
      }),
      [
        '"roots" cannot be said here: the client names the roots. Narrow them with "allow".',
        `"disabledTools" ${offers}`,
        `"includeTools" ${offers}`,
        '"tools" must be an object of rules by tool. It does not choose tools.',
      ],
    );
  });

  it('is a sandbox that cannot be meant, or cannot be had', () => {
    const path = 'can hold ${userHome}, and no other variable.';
    const read = ['${userHome}/a', '${workspaceFolder}', '${env:A}/b', 'a'];
    assert.deepEqual(mistakesIn({ command: 'a', sandbox: { read } }), [
      `"sandbox.read[1]" ${path}`,
      `"sandbox.read[2]" ${path}`,
      '"sandbox.read[3]" must be an absolute path; it may begin with "~/".',
    ]);
    for (const rules of [{ filesystem: { allowWrite: ['.'] } }, { network: {} }]) {
      for (const sandboxEnabled of [true, undefined]) {
        assert.deepEqual(mistakesIn({ command: 'a', sandbox: rules, sandboxEnabled }), [
          '"sandbox" has the form of VS Code, whose rules are others. Write "on", or { "read": ["/path"], "write": ["/path"], "network": true } for what it may reach besides its roots.',
        ]);
      }
    }
    assert.deepEqual(mistakesIn({ command: 'a', sandbox: 'off', sandboxEnabled: true }), [
      '"sandbox" cannot be "off" beside "sandboxEnabled". Leave out one of them.',
    ]);
    assert.deepEqual(mistakesIn({ url, sandboxEnabled: true }), [
      '"sandbox" cannot be kept: a server with a "url" runs elsewhere. Leave it out.',
    ]);
    assert.deepEqual(mistakesIn({ command: 'docker', sandboxEnabled: true }), [
      '"sandbox" cannot be kept: a program that runs containers works over a socket that no sandbox shows. Leave it out.',
    ]);
  });

  it('is a variable that a hub has not, with what to write instead', () => {
    const folder = 'names a folder of the editor, which a hub has not. Write ${firstRoot}.';
    const form = 'holds a variable in the form ${NAME} or ${NAME:-default}. Write ${env:NAME}.';
    const args = [
      '${workspaceFolder}',
      '${workspaceFolder:web}',
      '${workspaceFolderBasename}',
      '${TOKEN}',
      '${TOKEN:-secret}',
      '${command:x.y}',
    ];
    assert.deepEqual(mistakesIn({ command: '${roots}', args, cwd: '${roots}' }), [
      '"command" cannot name roots. They can be in "args", "env" and "cwd".',
      `"args[0]" ${folder}`,
      `"args[1]" ${folder}`,
      `"args[2]" ${folder}`,
      `"args[3]" ${form}`,
      `"args[4]" ${form}`,
      '"args[5]" holds a variable that there is not. There are ${env:NAME}, ${userHome}, ${roots}, ${rootsJoined:separator} and ${firstRoot}.',
      '"cwd" is one folder. Write ${firstRoot}.',
    ]);
    assert.deepEqual(mistakesIn({ url: 'https://me:word@example.com' }), [
      '"url" must hold no user name and no password. Write "headers" with ${env:NAME} instead.',
    ]);
  });

  it('is a rule that cannot be understood, and so costs the server', () => {
    const glob =
      'must be a glob below the roots, such as "src/**" or "**/.env": without "!" before it and "..", and with its braces and brackets closed.';
    const pattern = 'must be a regular expression of JavaScript (with its flag "u").';
    const size = 'must have 1 to 500 characters.';
    const deny = ['!a', '../a', '[', '{a', '', 5, 'ok'];
    const rules = {
      guard: true,
      checkNames: 'path',
      leaveNames: [5, ''],
      allow: 'src',
      deny,
      pathPatterns: ['(', '', 'a\\-b', 'a'.repeat(501)],
    };
    const tooMany = Array.from({ length: 60 }, (_, index) => `${index}`);
    assert.deepEqual(
      mistakesIn({ command: 'a', ...rules, tools: { x: { allow: tooMany }, y: 1 } }),
      [
        '"guard" must be "on" or "off".',
        '"checkNames" must be a list of texts: ["one", "two"].',
        '"leaveNames[0]" must be a text. Write it in quotes.',
        '"leaveNames[1]" must be the name of an argument.',
        ...[pattern, size, pattern, size].map(
          (problem, index) => `"pathPatterns[${index}]" ${problem}`,
        ),
        '"allow" must be a list of texts: ["one", "two"].',
        '"deny[5]" must be a text. Write it in quotes.',
        ...[0, 1, 2, 3, 4].map(index => `"deny[${index}]" ${glob}`),
        '"tools.x.allow" stands for too many globs. Write fewer.',
        '"tools.y" must be an object of rules, such as { "deny": ["**/.env"] }.',
      ],
    );
  });

  it('is a glob that could match nothing, and none that may match something', () => {
    const byAdvice = {
      'must begin at the roots, as "src/**", "/.env" and "**/.env" do: with no "~", drive, "file:" or variable.':
        [
          ...['~', '~/.ssh', '~\\.ssh', '${userHome}/.ssh', 'C:/proj/**', 'c:\\proj'],
          ...['file:///proj/.env', 'FILE:/proj/.env', '{file:///proj,src}/**'],
        ],
      'must have "/" between names. A "\\" is only for a bracket, a brace, "!", "," or "-" after it.':
        [...['sub\\secrets\\**', 'secrets\\**', 'a\\*.key', 'a\\\\b', '\\\\server\\share', '\\.a']],
      'could match nothing: write one "/" between names, and no "." or ".." for one.': [
        ...['.', './', '/', '//proj', 'src//a', 'src/./a', '{../a,b}', '{,a}'],
      ],
    };
    for (const [advice, deny] of Object.entries(byAdvice)) {
      assert.deepEqual(
        mistakesIn({ command: 'a', deny }),
        deny.map((_, index) => `"deny[${index}]" ${advice}`),
      );
    }
    const deny = [
      ...['.env', '*.key', 'sub', 'sub/', '/.env', './.env', 'sub/**', '**/.env', '{.env,*.key}'],
      ...['sub/{.env,z}', '{,sub/}.env', '[.]env', '\\[id\\]', '\\!a', '[!\\-a-z.\\[!]*'],
    ];
    assert.deepEqual(read({ mcpServers: { git: { command: 'a', deny } } }).mistakes, []);
  });
});
