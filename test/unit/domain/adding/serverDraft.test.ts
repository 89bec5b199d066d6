import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  askedInput,
  canBeSandboxed,
  type Drafted,
  draftOf,
  draftOfExisting,
  draftOfLine,
  draftOfUrl,
  freeName,
  isSandboxed,
  isValueName,
  lineOf,
  type ServerDraft,
  shownLaunch,
  startCommand,
  valuesOf,
  withLine,
  withName,
  withSandbox,
  withUrl,
  withValue,
} from '../../../../src/domain/adding/serverDraft.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { emptySettings } from '../../../support/importing.ts';

const terms = { isWindows: false, around: emptySettings.around, known: new Map() };

function words(line: string): unknown {
  const split = startCommand(line, false);
  return split.ok ? [split.command, ...split.args] : inEnglish(split.problem);
}

describe('a command line', () => {
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
});

describe('a name', () => {
  const suggested = (names: Readonly<Record<string, string>>, draft: (text: string) => Drafted) => {
    const found = Object.keys(names).map(text => [text, good(draft(text)).name]);
    assert.deepEqual(Object.fromEntries(found), names);
  };

  it('is suggested after the package, the image, the host or the script, else a folder around that', () => {
    const installed = '/proj/node_modules';
    const names = {
      'npx -y @modelcontextprotocol/server-filesystem@2.0 /proj': 'filesystem',
      'npx -y @playwright/mcp@latest': 'playwright',
      'uvx mcp-server-git --repository ${workspaceFolder}': 'git',
      'uv --directory /proj/weather run weather.py': 'weather',
      'docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server': 'github',
      'python -m mcp_server_time': 'time',
      '/usr/bin/my-tool serve': 'my-tool',
      'node build/index.js': 'server',
      [`node ${installed}/@modelcontextprotocol/server-filesystem/dist/index.js /proj`]:
        'filesystem',
      [`node --enable-source-maps ${installed}/mcp-server-git/build/index.js`]: 'git',
      'node /proj/forecast.mjs': 'forecast',
      'python /proj/weather/server.py': 'weather',
      'node ${workspaceFolder}/weather/src/main.ts': 'weather',
      'node ${workspaceFolder}/dist/index.js': 'server',
      'node /index.js': 'server',
    };
    suggested(names, line => draftOfLine(line, terms));
    const onWindows = {
      'node C:\\proj\\node_modules\\@example\\weather\\index.js': 'weather',
      'cmd /c npx -y weather': 'weather',
    };
    suggested(onWindows, line => draftOfLine(line, { ...terms, isWindows: true }));
    const ofUrls = {
      'https://mcp.linear.app/mcp': 'linear',
      'https://mcp.example.co.uk/': 'example',
      'http://localhost:3000/mcp': 'local',
      'http://[::1]:3000/mcp': 'local',
    };
    suggested(ofUrls, url => draftOfUrl(url, terms));
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
  const ofLine = (line: string) => good(draftOfLine(line, terms));
  const ofUrl = (url: string) => good(draftOfUrl(url, terms));
  const ids = ({ inputs }: ServerDraft) => inputs.map(({ id }) => id).sort();

  it('is of a server whose secrets are kept and not written', () => {
    const draft = ofLine('TOKEN=hunter2 npx acme --api-key hunter2 ${roots}');
    assert.deepEqual(draft.entry, {
      command: 'npx',
      args: ['acme', '--api-key', '${input:acme-api-key}', '${roots}'],
      env: { TOKEN: '${input:acme-TOKEN}' },
    });
    assert.deepEqual(draft.kept, [
      { inputId: 'acme-api-key', value: 'hunter2' },
      { inputId: 'acme-TOKEN', value: 'hunter2' },
    ]);
    assert.deepEqual(ids(draft), ['acme-TOKEN', 'acme-api-key']);
    assert.deepEqual(ofUrl(' https://acme.com/mcp ').entry, { url: 'https://acme.com/mcp' });
  });

  it('is refused the name of the server that comes with the extension, however it is written', () => {
    const own = 'The server that comes with the extension has this name. Choose another one.';
    const problem = (name: string) => {
      const { problems } = readServerSettings({ [name]: { command: 'acme' } }, terms.around);
      const named = withName(ofLine('acme'), name, terms);
      const added = draftOf(name, { entry: { command: 'acme' } }, terms);
      return [named, added, { ok: problems.length === 0, problem: problems[0]?.said }].map(read =>
        read.ok || !read.problem ? undefined : inEnglish(read.problem),
      );
    };
    const names = ['MCP Roots Server', ' mcp  ROOTS\u00a0server', 'MCPRoots Server', 'MCP Roots'];
    assert.deepEqual(
      names.map(name => [...new Set(problem(name))]),
      [[own], [own], [own], [undefined]],
    );
  });

  it('is refused for what the settings would refuse', () => {
    const refused = (drafted: Drafted) => (drafted.ok ? undefined : inEnglish(drafted.problem));
    assert.equal(
      refused(draftOfUrl('ftp://x', terms)),
      '"url" must be a URL that begins with http:// or https://.',
    );
    assert.equal(refused(draftOfLine('x "a', terms)), 'A quote is not closed.');
    assert.match(refused(draftOf('x', { entry: { type: 'odd' } }, terms)) ?? '', /"type"/);
    const draft = ofLine('acme');
    assert.equal(refused(withName(draft, ' ', terms)), 'Its name must not be empty.');
    assert.match(refused(withLine(draft, 'npx ${nothing}', terms)) ?? '', /is no variable/);
    assert.match(refused(withValue(draft, 'A=B', 'c', terms)) ?? '', /without "="/);
    assert.deepEqual(
      ['A=B', '', 'A B'].map(name => isValueName(draft, name)),
      [false, false, true],
    );
    assert.equal(isValueName(ofUrl('https://x.com'), 'A B'), false);
    assert.match(
      refused(withUrl(ofUrl('https://x.com'), 'file:///x', terms)) ?? '',
      /^"url" must be/,
    );
  });

  it('is shown by the line that it is changed by, without its secrets', () => {
    const { entry } = ofLine('sh -c "echo $HOME" "two words"');
    const line = `sh -c 'echo $HOME' "two words"`;
    assert.deepEqual(
      [shownLaunch(entry, false), lineOf({ entry } as ServerDraft, false)],
      [line, line],
    );
    const args = ['--api-key', 'hunter2hunter2'];
    assert.doesNotMatch(shownLaunch({ command: 'acme', args }, false), /hunter/);
  });

  it('may come in the form of our own settings, and then keeps all that is in it', () => {
    const entry = {
      command: 'acme',
      args: ['${roots}'],
      rootsAs: ['roots', 'args'],
      roots: ['api'],
    };
    const more = { protocol: 'legacy', autoStart: false, sandbox: { read: ['/opt'] } };
    const draft = good(draftOf('x', { entry: { ...entry, ...more } }, terms));
    assert.deepEqual(draft.entry, { ...entry, ...more });
    assert.deepEqual([draft.name, draft.notes], ['x', []]);
  });

  it('may come in the form of mcp.json, and says what is not taken over', () => {
    const entry = { command: 'acme', env: { TOKEN: '${input:t}', N: 1 }, dev: {} };
    const inputs = [{ id: 't', type: 'promptString', description: 'Token' }];
    const draft = good(draftOf(undefined, { entry, inputs }, terms));
    assert.deepEqual(draft.entry, {
      command: 'acme',
      env: { TOKEN: '${input:t}', N: '1' },
    });
    assert.deepEqual([draft.name, ids(draft)], ['acme', ['t']]);
    assert.deepEqual(draft.notes.map(inEnglish), ['Not taken over: dev.']);
  });

  it('asks at the start for a secret that is empty, and keeps another that is entered for it', () => {
    for (const draft of [ofLine('acme'), ofUrl('https://acme.com')]) {
      for (const name of ['Authorization', 'X-Api-Key', 'API_TOKEN']) {
        const asked = good(withValue(draft, name, '', terms));
        assert.deepEqual(valuesOf(asked), [[name, `\${input:acme-${name}}`]]);
        assert.deepEqual([asked.kept, ids(asked)], [[], [`acme-${name}`]]);
        assert.equal(askedInput(asked, name), `acme-${name}`);
        const given = good(withValue(asked, name, 'hunter2', terms));
        assert.deepEqual(given.entry, asked.entry);
        assert.deepEqual(given.kept, [{ inputId: `acme-${name}`, value: 'hunter2' }]);
        assert.deepEqual(good(withValue(given, name, '', terms)), asked);
      }
    }
  });

  it('keeps a secret of its own for each variable, header and argument', () => {
    const first = good(withValue(ofLine('acme --token one'), 'token', 'two', terms));
    assert.deepEqual(first.kept, [
      { inputId: 'acme-token', value: 'one' },
      { inputId: 'acme-token-2', value: 'two' },
    ]);
    const again = good(withLine(first, 'acme --token three', terms));
    assert.deepEqual(again.kept, [
      { inputId: 'acme-token-2', value: 'two' },
      { inputId: 'acme-token', value: 'three' },
    ]);
    const called = good(withValue(ofUrl('https://acme.com'), 'Authorization', 'Bearer x', terms));
    assert.deepEqual(called.entry['headers'], {
      Authorization: 'Bearer ${input:acme-Authorization}',
    });
  });

  it('adds variables, and takes them away with the last one', () => {
    const draft = good(withLine(ofLine('A=1 acme'), 'B=2 acme serve', terms));
    assert.deepEqual(valuesOf(draft), [
      ['A', '1'],
      ['B', '2'],
    ]);
    const one = good(withValue(draft, 'A', '', terms));
    const { entry } = good(withValue(one, 'B', '', terms));
    assert.deepEqual(entry, { command: 'acme', args: ['serve'] });
  });

  it('is kept in its folders when that was said, which what runs elsewhere can not be', () => {
    const on = withSandbox(ofLine('x'), true);
    assert.deepEqual([on.entry['sandbox'], isSandboxed(on)], ['on', true]);
    const off = withSandbox(on, false);
    assert.deepEqual([off.entry['sandbox'], isSandboxed(off)], ['off', false]);
    const before = { sandbox: { read: ['/opt'] } };
    assert.deepEqual(withSandbox(off, true, before).entry['sandbox'], before.sandbox);
    assert.deepEqual(
      [ofLine('x'), ofLine('A=b docker run x'), ofUrl('https://x.com')].map(canBeSandboxed),
      [true, false, false],
    );
  });

  it('of a server in the settings keeps what it does not know, and the inputs that were there', () => {
    const entry = {
      ...{ command: 'acme', unknown: { a: [1] }, env: { TOKEN: '${input:t}', A: null } },
      ...{ envFile: '/x/.env', args: ['--key', '${input:k}'] },
    };
    const draft = draftOfExisting('acme', entry);
    assert.deepEqual(valuesOf(draft), [['TOKEN', '${input:t}']]);
    const entered = withValue(draft, 'TOKEN', 'hunter2', terms);
    assert.deepEqual(good(entered), { ...draft, kept: [{ inputId: 't', value: 'hunter2' }] });
  });

  it('shows its command line as one that is read as the same words', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('${roots}', 'C:\\a b\\', ''),
    );
    const line = fc.tuple(fc.constantFrom('npx', 'C:\\x y.exe', "it's"), fc.array(word));
    fc.assert(
      fc.property(line, fc.boolean(), ([command, args], isWindows) => {
        const draft = draftOfExisting('x', { command, args });
        const shown = lineOf(draft, isWindows);
        const isOneLine = !args.some(arg => /[\n\r]/.test(arg));
        assert.equal(shown !== undefined, isOneLine);
        if (shown !== undefined) {
          const read = startCommand(shown, isWindows);
          assert.deepEqual(read, { ok: true, env: {}, command, args });
        }
      }),
    );
    assert.equal(lineOf(draftOfExisting('x', { command: 'A=b' }), false), undefined);
    assert.equal(lineOf(draftOfExisting('x', { command: 'x' }), false), 'x');
    const plain = { command: 'npx', args: ['-y', '@a/b@1.0', '--dir=/proj', 'two words'] };
    assert.equal(
      lineOf(draftOfExisting('x', plain), false),
      'npx -y @a/b@1.0 --dir=/proj "two words"',
    );
  });

  it('stays as it is when its line is entered again as it was shown', () => {
    const word = fc.string({ minLength: 1, maxLength: 12 }).filter(text => !/[\n\r\0]/.test(text));
    fc.assert(
      fc.property(fc.array(word), args => {
        const drafted = draftOf('x', { entry: { command: 'acme', args } }, terms);
        if (drafted.ok) {
          const line = lineOf(drafted.draft, false) ?? '';
          const again = withLine(drafted.draft, line, terms);
          assert.deepEqual(good(again).entry, drafted.draft.entry);
        }
      }),
    );
  });
});

function good(drafted: Drafted): ServerDraft {
  assert.ok(drafted.ok, drafted.ok ? '' : inEnglish(drafted.problem));
  return drafted.draft;
}
