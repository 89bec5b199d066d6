import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  canBeSandboxed,
  draftProblem,
  emptyDraft,
  lineNamesRoots,
  type ServerDraft,
  serverOf,
  startCommand,
  suggestedName,
} from '../../../../src/domain/adding/serverDraft.ts';
import { freeName } from '../../../../src/domain/adding/serverNames.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { emptySettings } from '../../../support/importing.ts';

const terms = { isWindows: false, around: emptySettings.around, known: new Map() };

function words(line: string, isWindows = false): unknown {
  const split = startCommand(line, isWindows);
  return split.ok ? [split.command, ...split.args] : inEnglish(split.problem);
}

describe('a command line', () => {
  it('is split as the shell would that it was copied for', () => {
    assert.deepEqual(words('  npx -y  @scope/server "/proj/my dir" \'a "b"\' c\\ d '), [
      ...['npx', '-y', '@scope/server', '/proj/my dir', 'a "b"', 'c d'],
    ]);
    assert.deepEqual(words('x "say \\"hi\\"" --name="a b" it\\\'s "" \'\''), [
      ...['x', 'say "hi"', '--name=a b', "it's", '', ''],
    ]);
    assert.deepEqual(words('"C:\\Program Files\\x.exe" C:\\a\\b "say \\"hi\\""', true), [
      ...['C:\\Program Files\\x.exe', 'C:\\a\\b', 'say "hi"'],
    ]);
  });

  it('keeps variables whole, whatever they hold', () => {
    assert.deepEqual(words('x ${workspaceFolder:my folder}/a "${rootsJoined:|}"'), [
      ...['x', '${workspaceFolder:my folder}/a', '${rootsJoined:|}'],
    ]);
  });

  it('is read in no time, however many variables it has', () => {
    assert.match(String(words(`x ${'${a}'.repeat(5000)}|`)), /^Only one program can be started/);
    assert.equal(words(`x "${'\\"'.repeat(5000)}`, true), 'A quote is not closed.');
  });

  it('may begin with variables of the environment', () => {
    assert.deepEqual(startCommand('A=b TOKEN="c d" npx x=y', false), {
      ok: true,
      env: { A: 'b', TOKEN: 'c d' },
      command: 'npx',
      args: ['x=y'],
    });
  });

  it('is refused with a reason when a quote is open, a shell is needed, or nothing is there', () => {
    const shell = (operator: string) =>
      `Only one program can be started here; "${operator}" needs a shell (sh -c "…").`;
    assert.deepEqual(
      [words('x "a'), words("x 'a"), words('cd a && x'), words('x a|b'), words('x > log')],
      ['A quote is not closed.', 'A quote is not closed.', shell('&&'), shell('|'), shell('>')],
    );
    const nothing = 'Enter the program to start and its arguments.';
    assert.deepEqual([words(''), words('  '), words('A=b'), words('""')], Array(4).fill(nothing));
  });

  it('comes back from its words, quoted for either system', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word), rest => {
        const all = ['x', ...rest];
        const posix = all.map(one => `'${one.replaceAll("'", `'\\''`)}'`).join(' ');
        assert.deepEqual(words(posix), all);
      }),
    );
  });
});

describe('a name', () => {
  it('is suggested after the package, the image, the script or the host', () => {
    const named = (line: string) => suggestedName({ ...emptyDraft, line }, false);
    const url = (text: string) =>
      suggestedName({ ...emptyDraft, transport: 'http', url: text }, false);
    assert.deepEqual(
      [
        named('npx -y @modelcontextprotocol/server-filesystem@2.0 /proj'),
        named('npx -y @playwright/mcp@latest'),
        named('uvx mcp-server-git --repository ${workspaceFolder}'),
        named('uv --directory /proj/weather run weather.py'),
        named('docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server'),
        named('python -m mcp_server_time'),
        named('/usr/bin/my-tool serve'),
        named('node build/index.js'),
        url('https://mcp.linear.app/mcp'),
        url('https://mcp.example.co.uk/'),
        url('http://localhost:3000/mcp'),
        url('http://[::1]:3000/mcp'),
      ],
      [
        ...['filesystem', 'playwright', 'git', 'weather', 'github', 'time', 'my-tool', 'server'],
        ...['linear', 'example', 'local', 'local'],
      ],
    );
  });

  it('is suggested after the package that a file is in, else after the file or its folder', () => {
    const named = (line: string, isWindows = false) =>
      suggestedName({ ...emptyDraft, line }, isWindows);
    const installed = '/proj/node_modules';
    assert.deepEqual(
      [
        named(`node ${installed}/@modelcontextprotocol/server-filesystem/dist/index.js /proj`),
        named(`node --enable-source-maps ${installed}/mcp-server-git/build/index.js`),
        named(`node ${installed}/@playwright/mcp/cli.js`),
        named(`node ${installed}/a/node_modules/weather/index.js`),
        named(`node ${installed}/.bin/weather`),
        named('node C:\\proj\\node_modules\\@example\\weather\\index.js', true),
        named('node /proj/forecast.mjs'),
        named('node /proj/weather/dist/index.js'),
        named('python /proj/weather/server.py'),
        named('node ${workspaceFolder}/weather/src/main.ts'),
        named('node ${workspaceFolder}/dist/index.js'),
        named('cmd /c npx -y weather', true),
        named('node /index.js'),
      ],
      [
        ...['server-filesystem', 'mcp-server-git', 'playwright', 'weather', 'weather', 'weather'],
        ...['forecast', 'weather', 'weather', 'weather', 'server', 'weather', 'server'],
      ],
    );
  });

  it('is made free by a number', () => {
    const taken = ['git', 'git-2'];
    assert.equal(
      freeName('git', name => taken.includes(name)),
      'git-3',
    );
  });
});

describe('a draft', () => {
  const draft = (more: Partial<ServerDraft>) => ({ ...emptyDraft, name: 'x', ...more });
  const problem = (more: Partial<ServerDraft>) => {
    const found = draftProblem(draft(more), terms);
    return found && inEnglish(found);
  };

  it('becomes a server whose secrets are kept and not written', () => {
    const line = 'TOKEN=hunter2 npx server --api-key hunter2 ${roots}';
    const values = { PASSWORD: '', MODE: 'fast' };
    const { entry, kept, inputs } = serverOf(draft({ line, values }), terms);
    assert.deepEqual(entry, {
      type: 'stdio',
      command: 'npx',
      args: ['server', '--api-key', '${input:x-api-key}', '${roots}'],
      env: { TOKEN: '${input:x-TOKEN}', MODE: 'fast', PASSWORD: '${input:x-PASSWORD}' },
    });
    assert.deepEqual(
      kept.map(({ inputId }) => inputId),
      ['x-api-key', 'x-TOKEN'],
    );
    assert.deepEqual(inputs.map(({ id }) => id).sort(), ['x-PASSWORD', 'x-TOKEN', 'x-api-key']);
  });

  it('becomes a server called over HTTP with its headers', () => {
    const values = { Authorization: 'Bearer hunter2', 'X-Mode': 'fast' };
    const server = draft({ transport: 'http', url: ' https://example.com/mcp ', values });
    assert.deepEqual(serverOf(server, terms).entry, {
      type: 'http',
      url: 'https://example.com/mcp',
      headers: { Authorization: 'Bearer ${input:x-Authorization}', 'X-Mode': 'fast' },
    });
  });

  it('has no problem with a secret that is asked for at the start, in a header or a variable', () => {
    for (const name of ['Authorization', 'X-Api-Key', 'API_TOKEN']) {
      const values = { [name]: '' };
      const http = { transport: 'http', url: 'https://example.com/mcp', values } as const;
      assert.deepEqual([problem(http), problem({ line: 'x', values })], [undefined, undefined]);
      const asked = { [name]: `\${input:x-${name}}` };
      const called = serverOf(draft(http), terms);
      assert.deepEqual(called.entry?.headers, asked);
      assert.deepEqual(serverOf(draft({ line: 'x', values }), terms).entry?.env, asked);
      assert.deepEqual([called.kept, called.inputs.map(({ id }) => id)], [[], [`x-${name}`]]);
    }
  });

  it('carries how roots travel, unless the command line says so itself', () => {
    const rootsAs = ['roots', 'args'] as const;
    assert.deepEqual(serverOf(draft({ line: 'x', rootsAs }), terms).entry?.rootsAs, rootsAs);
    assert.deepEqual(
      ['x ${roots}', 'x ${rootsJoined::}', 'x ${firstRoot}', 'x ${workspaceFolder}'].map(line =>
        lineNamesRoots(draft({ line })),
      ),
      [true, true, true, false],
    );
  });

  it('is kept in its folders when that was said, which containers can not be', () => {
    const entry = serverOf(draft({ line: 'x', isSandboxed: true }), terms).entry;
    assert.deepEqual(entry, { type: 'stdio', command: 'x', args: [], sandbox: 'on' });
    const drafts = [{ line: 'x' }, { line: 'A=b docker run x' }, { transport: 'http' }] as const;
    assert.deepEqual(
      drafts.map(one => canBeSandboxed(draft(one), false)),
      [true, false, false],
    );
  });

  it('has the problem that the settings would have', () => {
    assert.equal(problem({ line: 'npx server' }), undefined);
    assert.equal(
      problem({ name: 'acme', transport: 'http', url: 'ftp://x' }),
      '"url" must be a URL that begins with http:// or https://.',
    );
    assert.equal(problem({ name: ' ', line: 'x' }), 'Its name must not be empty.');
    assert.match(problem({ line: 'npx ${nothing}' }) ?? '', /is no variable/);
    assert.match(problem({ transport: 'http', url: 'ftp://x' }) ?? '', /http:\/\/ or https:\/\//);
    assert.match(
      problem({ transport: 'http', url: 'https://me:hunter2@example.com' }) ?? '',
      /must hold no user name and no password/,
    );
    assert.match(problem({ line: 'x', values: { 'A=B': 'c' } }) ?? '', /without "="/);
  });
});
