import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';

const around = { folders: [], userHome: '/home/me' };
const start = 'Server "files" in mcpRoots.servers: ';
const command = 'files';
const url = 'https://example.com/mcp';
const known =
  '${workspaceFolder}, ${workspaceFolder:name}, ${userHome}, ${env:NAME}, ${input:id}, ${roots}, ${rootsJoined:separator}, ${firstRoot}';

/** What is said of one server with this entry, without the beginning that names the server. */
function told(entry: unknown): string[] {
  const { servers, problems } = readServerSettings({ files: entry }, around);
  assert.equal(servers.length, problems.length === 0 ? 1 : 0);
  return problems.map(problem => {
    const text = inEnglish(problem.text);
    assert.equal(problem.path[0], 'files');
    assert.ok(text.startsWith(start), text);
    return text.slice(start.length);
  });
}

/** Compares what is said of each entry; most are told one mistake. */
function compare(cases: Readonly<Record<string, readonly [unknown, ...string[]]>>): void {
  const names = Object.keys(cases);
  assert.deepEqual(
    Object.fromEntries(names.map(name => [name, told(cases[name]?.[0])])),
    Object.fromEntries(names.map(name => [name, cases[name]?.slice(1)])),
  );
}

describe('a mistake in a definition', () => {
  it('is told with the server, the key and what to write, for a process', () => {
    const noCommand = '"command" must name the program to start (or "url" the server to call).';
    const isText = 'must be a text. Write it in quotes.';
    compare({
      entry: ['files', 'It must be an object with a "command" or a "url".'],
      list: [['files'], 'It must be an object with a "command" or a "url".'],
      nothing: [{}, noCommand],
      'no command': [{ args: [] }, noCommand],
      'empty command': [{ command: ' ' }, '"command" must name the program to start.'],
      'command as list': [{ command: ['files'] }, '"command" must name the program to start.'],
      args: [{ command, args: '-y' }, '"args" must be a list of texts: ["one", "two"].'],
      'an argument': [
        { command, args: ['-y', 5, 'x', null] },
        `"args[1]" ${isText}`,
        `"args[3]" ${isText}`,
      ],
      cwd: [{ command, cwd: 5 }, '"cwd" must be the path of a folder.'],
      'empty cwd': [{ command, cwd: '' }, '"cwd" must be the path of a folder.'],
      envFile: [{ command, envFile: [] }, '"envFile" must be the path of a file.'],
      env: [
        { command, env: ['A=b'] },
        '"env" must be an object of texts by name: { "NAME": "value" }.',
      ],
      'a variable': [{ command, env: { A: true, B: 5 } }, `"env.A" ${isText}`],
      'its name': [
        { command, env: { 'A=b': 'c' } },
        '"env.A=b" must be the name of a variable, without "=".',
      ],
      'its empty name': [
        { command, env: { '': 'c' } },
        '"env." must be the name of a variable, without "=".',
      ],
      nul: [{ command, args: ['a\0'] }, '"args[0]" holds a character that cannot stand there.'],
    });
  });

  it('is told with the server, the key and what to write, over HTTP', () => {
    const notUrl = '"url" must be a URL that begins with http:// or https://.';
    const user =
      '"url" must hold no user name and no password. Write "headers" with ${input:…} instead.';
    compare({
      'a host without end': [{ url: `https://${'A='.repeat(10_000)}` }, notUrl],
      'no url': [{ type: 'http' }, notUrl],
      'a list': [{ url: [url] }, notUrl],
      relative: [{ url: 'example.com/mcp' }, notUrl],
      scheme: [{ url: 'ftp://example.com' }, notUrl],
      user: [{ url: 'https://me:hunter2@example.com/mcp' }, user],
      'a user to ask for': [{ url: 'https://${input:user}@example.com/mcp' }, user],
      headers: [
        { url, headers: 'X: y' },
        '"headers" must be an object of texts by name: { "NAME": "value" }.',
      ],
      'a header': [
        { url, headers: { 'X-A': [] } },
        '"headers.X-A" must be a text. Write it in quotes.',
      ],
      'its name': [
        { url, headers: { 'X: A': 'b' } },
        '"headers.X: A" must be the name of a header: letters, digits and hyphens.',
      ],
      'its value': [
        { url, headers: { 'X-A': 'b\r\nX-B: c' } },
        '"headers.X-A" holds a character that cannot stand there.',
      ],
      'variables anywhere': [{ url: '${env:BASE}/mcp' }],
      'variables in each part': [{ url: 'http://${env:HOST}:${env:PORT}/${input:a}?b=${input:b}' }],
      'a variable that is all': [{ url: '${input:url}' }],
    });
  });

  it('is told of the way a server is reached', () => {
    const foreign =
      '"url" belongs to a server reached over HTTP. Leave out this, or "command" with its keys.';
    const process =
      'belongs to a server started as a process. Leave out this, or "url" and "headers".';
    compare({
      type: [{ type: 'websocket', command }, '"type" must be "stdio", "http" or "sse".'],
      sse: [{ type: 'sse', url }],
      'sse without a url': [
        { type: 'sse' },
        '"url" must be a URL that begins with http:// or https://.',
      ],
      'sse of a process': [{ type: 'sse', url, command }, `"command" ${process}`],
      both: [{ command, url }, foreign],
      'both as process': [
        { type: 'stdio', command, url, headers: {} },
        foreign,
        foreign.replace('url', 'headers'),
      ],
      'both over HTTP': [
        { type: 'http', command, url, env: {} },
        `"command" ${process}`,
        `"env" ${process}`,
      ],
      'args over HTTP': [{ url, args: [] }, `"args" ${process}`],
    });
  });

  it('is told of a key that is not known, with the one that may be meant', () => {
    const meant = (entry: object) => {
      const [problem = ''] = told({ command, ...entry });
      return /Did you mean "(\w+)"\?$/.exec(problem)?.[1] ?? problem;
    };
    const keys = ['comand', 'Args', 'arguments', 'environment', 'envfile', 'autostart', 'root'];
    assert.deepEqual(
      keys.map(key => meant({ [key]: 1 })),
      ['command', 'args', 'args', 'env', 'envFile', 'autoStart', 'roots'],
    );
    const others =
      'is not a known key. Known keys: command, args, cwd, env, envFile, sandbox, type, roots, rootsAs, protocol, autoStart.';
    compare({
      serverUrl: [{ url, serverUrl: 1 }, '"serverUrl" is not a known key. Did you mean "url"?'],
      'the command': [
        { comand: command, env: {} },
        '"comand" is not a known key. Did you mean "command"?',
      ],
      'the URL': [
        { serverUrl: url, headers: {} },
        '"serverUrl" is not a known key. Did you mean "url"?',
      ],
      disabled: [{ command, disabled: true }, `"disabled" ${others}`],
      'a long one': [{ command, ['command'.repeat(9)]: 1 }, `"${'command'.repeat(9)}" ${others}`],
      'one with odd letters': [{ command, 'x\n\u202e': 1 }, `"x\\u000a\\u202e" ${others}`],
      'one of every object': [
        JSON.parse('{"command":"a","__proto__":{}}'),
        `"__proto__" ${others}`,
      ],
    });
  });

  it('is told of its terms', () => {
    compare({
      roots: [{ command, roots: 'web' }, '"roots" must be a list of texts: ["one", "two"].'],
      'a root': [
        { command, roots: ['web', 5, ''] },
        '"roots[1]" must be a text. Write it in quotes.',
        '"roots[1]" must be the name or the path of a folder.',
      ],
      'a variable in a root': [
        { command, roots: ['${env:DIR}'] },
        '"roots[0]" cannot hold ${env:DIR}. It takes ${workspaceFolder}, ${workspaceFolder:name} and ${userHome}.',
      ],
      protocol: [
        { command, protocol: '2025-06-18' },
        '"protocol" must be "auto", "legacy" or "2026-07-28".',
      ],
      autoStart: [
        { command, autoStart: 'true' },
        '"autoStart" must be true or false, without quotes.',
      ],
    });
  });

  it('is told of how roots are to travel', () => {
    const choice = '"rootsAs" must be "roots", "args" or "env", or a list of some of them.';
    const noVariable =
      '"rootsAs" says "env", but no variable in "env" names roots. Write for example "env": { "ALLOWED_DIRS": "${rootsJoined::}" }.';
    const args = ['${roots}'];
    compare({
      unknown: [{ command, rootsAs: 'arguments' }, choice],
      'one unknown': [{ command, rootsAs: ['args', 5] }, choice],
      none: [{ command, rootsAs: [] }, choice],
      'named in args': [
        { command, args, rootsAs: 'roots' },
        '"rootsAs" must have "args", because "args" or "cwd" name roots.',
      ],
      'named in cwd': [
        { command, cwd: '${firstRoot}', rootsAs: ['roots'] },
        '"rootsAs" must have "args", because "args" or "cwd" name roots.',
      ],
      'named in env': [
        { command, args, env: { A: '${firstRoot}' }, rootsAs: ['roots', 'args'] },
        '"rootsAs" must have "env", because "env" names roots.',
      ],
      'named nowhere': [{ command, args, rootsAs: ['args', 'env'] }, noVariable],
    });
  });

  it('is told of variables that there are not, or that cannot stand there', () => {
    const unknown = (text: string) =>
      `holds ${text}, which is no variable. Those there are: ${known}.`;
    const noRoots = 'cannot name roots. They can be in "args", "env" and "cwd".';
    const overHttp = 'cannot name roots: a server called over HTTP asks for them.';
    compare({
      unknown: [
        { command, args: ['${file}', '${}', '${env}', '${env:}', '${userHome:x}', '${ roots }'] },
        ...['${file}', '${}', '${env}', '${env:}', '${userHome:x}', '${ roots }'].map(
          (text, index) => `"args[${index}]" ${unknown(text)}`,
        ),
      ],
      'unknown in headers': [
        { url, headers: { A: '${token}' } },
        `"headers.A" ${unknown('${token}')}`,
      ],
      'in command': [{ command: '${firstRoot}/run' }, `"command" ${noRoots}`],
      'in envFile': [{ command, envFile: '${firstRoot}/.env' }, `"envFile" ${noRoots}`],
      'an input in envFile': [
        { command, envFile: '${input:file}' },
        '"envFile" cannot hold ${input:…}: what is in the file is agreed to before.',
      ],
      'in env': [
        { command, env: { DIRS: '${roots}' } },
        '"env.DIRS" cannot hold ${roots}. Write ${rootsJoined:,} for a list in one text.',
      ],
      'in cwd': [{ command, cwd: '${rootsJoined:,}' }, '"cwd" is one folder. Write ${firstRoot}.'],
      'in a url': [{ url: `${url}?dirs=\${rootsJoined:,}` }, `"url" ${overHttp}`],
      'in a header': [{ url, headers: { Dir: '${firstRoot}' } }, `"headers.Dir" ${overHttp}`],
      'a folder in a header': [
        { url, headers: { Dir: '${workspaceFolder}', Home: '${userHome}' } },
        ...['Dir', 'Home'].map(
          name =>
            `"headers.${name}" cannot name a folder. A server called over HTTP asks for its roots.`,
        ),
      ],
    });
  });
});

describe('mistakes', () => {
  it('are all told, and cost the server they are in, never the others', () => {
    const definitions = {
      one: { command: 'one' },
      two: { command: '', args: [1], env: { A: [] }, colour: 1, protocol: 2 },
      three: { url },
      four: null,
      '': { command: 'five' },
    };
    const { servers, problems } = readServerSettings(definitions, around);
    assert.deepEqual(
      servers.map(({ label }) => label),
      ['one', 'three'],
    );
    assert.deepEqual(
      problems.map(({ text }) =>
        /^Server "(\w*)" in mcpRoots.servers: (\S+)/.exec(inEnglish(text))?.slice(1),
      ),
      [
        ['two', '"protocol"'],
        ['two', '"colour"'],
        ['two', '"command"'],
        ['two', '"args[0]"'],
        ['two', '"env.A"'],
        ['four', 'It'],
        ['', 'Its'],
      ],
    );
  });

  it('are told up to a number that somebody may read', () => {
    const args = [Array.from({ length: 1000 }, (_, index) => `\${${index}}`).join('')];
    assert.equal(told({ command, args }).length, 50);
  });

  it('never repeat a value, which may be a secret', () => {
    const secret = 'hunter2';
    const entries = [
      secret,
      [secret],
      { command: [secret] },
      { command, args: secret },
      { command, args: [[secret]] },
      { command, env: { TOKEN: [secret] } },
      { command, env: secret },
      { command, env: { A: `${secret}\0` } },
      { command, cwd: [secret] },
      { command, envFile: [secret] },
      { command, type: secret },
      { command, roots: secret },
      { command, rootsAs: secret },
      { command, protocol: secret },
      { command, autoStart: secret },
      { url: secret },
      { url: `https://me:${secret}@example.com` },
      { url, headers: { Authorization: [secret] } },
      { url, headers: { Authorization: `${secret}\n` } },
    ];
    const problems = entries.map(entry => told(entry).join('\n'));
    assert.ok(problems.every(text => text !== ''));
    assert.doesNotMatch(problems.join('\n'), /hunter2/);
  });
});
