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
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { emptySettings, noteBy } from '../../../support/importing.ts';
import { saidBy } from '../../../support/texts.ts';

const terms = { isWindows: false, around: emptySettings.around, known: new Map() };

function words(line: string): unknown {
  const split = startCommand(line, false);
  return split.ok ? [split.command, ...split.args] : saidBy(split.problem);
}

describe('a command line', () => {
  it('can begin with environment variables', () => {
    const read = { ok: true, env: { A: 'b', TOKEN: 'c d' }, command: 'npx', args: ['x=y'] };
    assert.deepEqual(startCommand('A=b TOKEN="c d" npx x=y', false), read);
  });

  it('is refused with a reason when it is empty, has an open quote or needs a shell', () => {
    const refusals = {
      ...{ 'x "a': 'open()', "x 'a": 'open()' },
      ...{ 'cd a && x': 'shell(&&)', 'x a|b': 'shell(|)', 'x > log': 'shell(>)' },
      ...{ '': 'nothing()', '  ': 'nothing()', 'A=b': 'nothing()', '""': 'nothing()' },
    };
    for (const [line, why] of Object.entries(refusals)) {
      assert.equal(words(line), `serverDraft.refusals.${why}`);
    }
  });
});

describe('a name', () => {
  const suggested = (names: Readonly<Record<string, string>>, draft: (text: string) => Drafted) => {
    const found = Object.keys(names).map(text => [text, good(draft(text)).name]);
    assert.deepEqual(Object.fromEntries(found), names);
  };

  it('is suggested from the package, image, host or script, else from its folder', () => {
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
});

describe('a draft', () => {
  const ofLine = (line: string) => good(draftOfLine(line, terms));
  const ofUrl = (url: string) => good(draftOfUrl(url, terms));
  const ids = ({ inputs }: ServerDraft) => inputs.map(({ id }) => id).sort();

  it('keeps the secrets of a server and does not write them', () => {
    const draft = ofLine('TOKEN=hunter2 npx acme --api-key hunter2 ${roots}');
    const args = ['acme', '--api-key', '${input:acme-api-key}', '${roots}'];
    const env = { TOKEN: '${input:acme-TOKEN}' };
    const inputs = ['acme-api-key', 'acme-TOKEN'];
    assert.deepEqual(draft.entry, { command: 'npx', args, env });
    assert.deepEqual(
      draft.kept,
      inputs.map(inputId => ({ inputId, value: 'hunter2' })),
    );
    assert.deepEqual(ids(draft), inputs.sort());
    assert.deepEqual(ofUrl(' https://acme.com/mcp ').entry, { url: 'https://acme.com/mcp' });
  });

  it('cannot have the name of the bundled server in any spelling', () => {
    const isTaken = (name: string) => {
      const { problems } = readServerSettings({ [name]: { command: 'acme' } }, terms.around);
      const named = withName(ofLine('acme'), name, terms);
      const added = draftOf(name, { entry: { command: 'acme' } }, terms);
      return [!named.ok, !added.ok, problems.length > 0];
    };
    const names = ['MCP Roots Server', ' mcp  ROOTS\u00a0server', 'MCPRoots Server', 'MCP Roots'];
    assert.deepEqual(
      names.map(name => [...new Set(isTaken(name))]),
      [[true], [true], [true], [false]],
    );
  });

  it('is refused when the settings would refuse it', () => {
    const refused = (drafted: Drafted) => drafted.ok || noteBy(drafted.problem);
    const draft = ofLine('acme');
    const called = ofUrl('https://x.com');
    foundAsExpected({
      'a URL': [refused(draftOfUrl('ftp://x', terms)), 'url urlProblem()'],
      'another URL': [refused(withUrl(called, 'file:///x', terms)), 'url urlProblem()'],
      'a line': [refused(draftOfLine('x "a', terms)), 'serverDraft.refusals.open()'],
      'a type': [
        refused(draftOf('x', { entry: { type: 'odd' } }, terms)),
        'type readChoice("stdio", "http", "sse")',
      ],
      'a name': [refused(withName(draft, ' ', terms)), 'definitionKeys.readEntry()'],
      'a variable': [
        refused(withLine(draft, 'npx ${nothing}', terms)),
        'args[0] unknownVariable(${nothing})',
      ],
      'the name of one': [refused(withValue(draft, 'A=B', 'c', terms)), 'env.A=B stdio()'],
      names: [['A=B', '', 'A B'].map(name => isValueName(draft, name)), [false, false, true]],
      headers: [isValueName(called, 'A B'), false],
    });
  });

  it('is shown as its editable line, without its secrets', () => {
    const { entry } = ofLine('sh -c "echo $HOME" "two words"');
    const line = `sh -c 'echo $HOME' "two words"`;
    assert.equal(shownLaunch(entry, false), line);
    assert.equal(lineOf({ entry } as ServerDraft, false), line);
    const args = ['--api-key', 'hunter2hunter2'];
    assert.doesNotMatch(shownLaunch({ command: 'acme', args }, false), /hunter/);
  });

  it('can come in the form of the settings, and then keeps every key', () => {
    const roots = { args: ['${roots}'], rootsAs: ['roots', 'args'], roots: ['api'] };
    const more = { protocol: 'legacy', autoStart: false, sandbox: { read: ['/opt'] } };
    const entry = { command: 'acme', ...roots, ...more };
    const draft = good(draftOf('x', { entry }, terms));
    assert.deepEqual([draft.entry, draft.name, draft.notes], [entry, 'x', []]);
  });

  it('can come in the form of mcp.json, and names what is left out', () => {
    const entry = { command: 'acme', env: { TOKEN: '${input:t}', N: 1 }, dev: {} };
    const inputs = [{ id: 't', type: 'promptString', description: 'Token' }];
    const draft = good(draftOf(undefined, { entry, inputs }, terms));
    const taken = { command: 'acme', env: { TOKEN: '${input:t}', N: '1' } };
    assert.deepEqual([draft.entry, draft.name, ids(draft)], [taken, 'acme', ['t']]);
    assert.deepEqual(draft.notes.map(noteBy), ['dropped(dev)']);
  });

  it('asks for an empty secret at the start, and keeps an entered secret', () => {
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

  it('keeps a separate secret for each variable, header and argument', () => {
    const first = good(withValue(ofLine('acme --token one'), 'token', 'two', terms));
    const two = { inputId: 'acme-token-2', value: 'two' };
    assert.deepEqual(first.kept, [{ inputId: 'acme-token', value: 'one' }, two]);
    const again = good(withLine(first, 'acme --token three', terms));
    assert.deepEqual(again.kept, [two, { inputId: 'acme-token', value: 'three' }]);
    const called = good(withValue(ofUrl('https://acme.com'), 'Authorization', 'Bearer x', terms));
    const headers = { Authorization: 'Bearer ${input:acme-Authorization}' };
    assert.deepEqual(called.entry['headers'], headers);
  });

  it('adds variables, and takes them away with the last one', () => {
    const draft = good(withLine(ofLine('A=1 acme'), 'B=2 acme serve', terms));
    assert.deepEqual(valuesOf(draft).flat(), ['A', '1', 'B', '2']);
    const one = good(withValue(draft, 'A', '', terms));
    const { entry } = good(withValue(one, 'B', '', terms));
    assert.deepEqual(entry, { command: 'acme', args: ['serve'] });
  });

  it('is confined when the user says so, unless the server runs elsewhere', () => {
    const on = withSandbox(ofLine('x'), true);
    const off = withSandbox(on, false);
    const before = { sandbox: { read: ['/opt'] } };
    foundAsExpected({
      on: [[on.entry['sandbox'], isSandboxed(on)].join(), 'on,true'],
      off: [[off.entry['sandbox'], isSandboxed(off)].join(), 'off,false'],
      again: [withSandbox(off, true, before).entry['sandbox'], before.sandbox],
      started: [canBeSandboxed(ofLine('x')), true],
      contained: [canBeSandboxed(ofLine('A=b docker run x')), false],
      called: [canBeSandboxed(ofUrl('https://x.com')), false],
    });
  });

  it('of a server in the settings keeps unknown keys and existing inputs', () => {
    const entry = {
      ...{ command: 'acme', unknown: { a: [1] }, env: { TOKEN: '${input:t}', A: null } },
      ...{ envFile: '/x/.env', args: ['--key', '${input:k}'] },
    };
    const draft = draftOfExisting('acme', entry);
    assert.deepEqual(valuesOf(draft), [['TOKEN', '${input:t}']]);
    const entered = withValue(draft, 'TOKEN', 'hunter2', terms);
    assert.deepEqual(good(entered), { ...draft, kept: [{ inputId: 't', value: 'hunter2' }] });
  });

  it('shows a command line that reads back as the same words', () => {
    const odd = fc.constantFrom('${roots}', 'C:\\a b\\', '');
    const words = fc.array(fc.oneof(fc.string({ maxLength: 12 }), odd));
    const line = fc.tuple(fc.constantFrom('npx', 'C:\\x y.exe', "it's"), words);
    const shown = (entry: object, isWindows = false) =>
      lineOf(draftOfExisting('x', { ...entry }), isWindows);
    fc.assert(
      fc.property(line, fc.boolean(), ([command, args], isWindows) => {
        const text = shown({ command, args }, isWindows);
        assert.equal(text !== undefined, !args.some(arg => /[\n\r]/.test(arg)));
        if (text !== undefined) {
          const read = startCommand(text, isWindows);
          assert.deepEqual(read, { ok: true, env: {}, command, args });
        }
      }),
    );
    const plain = { command: 'npx', args: ['-y', '@a/b@1.0', '--dir=/proj', 'two words'] };
    assert.deepEqual(
      [shown({ command: 'A=b' }), shown({ command: 'x' }), shown(plain)],
      [undefined, 'x', 'npx -y @a/b@1.0 --dir=/proj "two words"'],
    );
  });

  it('stays the same when its shown line is entered again', () => {
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
  assert.ok(drafted.ok, drafted.ok ? '' : saidBy(drafted.problem));
  return drafted.draft;
}
