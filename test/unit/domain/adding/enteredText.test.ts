import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import {
  enteredText,
  isLikeAddress,
  serversIn,
} from '../../../../src/domain/adding/enteredText.ts';
import { readJson } from '../../../../src/extension/commands/adding/readPlaces.ts';

const one = { command: 'npx', args: ['-y', 'acme'] };
const two = { url: 'https://example.com/mcp' };

test('takes an entered text for a command line, a URL or JSON by its beginning', () => {
  const texts = {
    line: ['npx -y acme', ' "C:\\x y.exe" a:b', 'TOKEN=x npx acme', 'https'],
    url: [' https://x.com/mcp ', 'HTTP://localhost:3000'],
    json: ['{ "command": "x" }', '"x": { "command": "x" }', '{'],
  };
  for (const [kind, all] of Object.entries(texts)) {
    assert.deepEqual(new Set(all.map(text => enteredText(text).kind)), new Set([kind]));
  }
});

describe('a text of several lines in a one-line field', () => {
  /** As VS Code's field has it: a blank for each line break. */
  const pasted = (text: string) => enteredText(text.replaceAll('\n', ' '));

  it('is JSON without its comments', () => {
    const { command, args } = one;
    for (const text of [
      '{\n  // Pin it.\n  "command": "npx",\n  "args": ["-y", "acme"]\n}',
      '{\n  "command": "npx", // from "npm" {1}, see https://x.com\n  "args": ["-y", "acme"] // its words\n}',
      '{\n  "command": "npx",\n  // "cwd": "/x",\n\t"args": ["-y", "acme"],\n}\n// the end',
      '/* mine */\n{\n  /* "a": 1, */ "command": "npx", "args": ["-y", "acme"] }',
      '// mine\n  {\n  "command": "npx",\n  "args": ["-y", "acme"]\n}',
    ]) {
      const entered = pasted(text);
      const read = entered.kind === 'json' && readJson(entered.json);
      assert.deepEqual(read, { ok: true, value: { command, args } }, text);
    }
    const url = '{ "url": "https://x.com//mcp" }';
    assert.deepEqual(pasted(url), { kind: 'json', json: url });
  });

  it('stays the same when the end of a comment is unknown', () => {
    for (const text of [
      '{\n"command": "npx", // from npm\n"args": [] }',
      '{\n  //\n  "command": "npx"\n}',
    ]) {
      const entered = pasted(text);
      assert.ok(entered.kind === 'json' && !readJson(entered.json).ok, text);
    }
  });

  it('is a command line that goes on after a backslash', () => {
    const line = 'npx -y acme --root .';
    const parted = ['npx -y acme \\\n  --root .', 'npx \\\n-y acme\\\n    --root .'];
    for (const text of [...parted, 'npx -y acme ^\n --root .', 'npx -y acme `\n --root .']) {
      assert.deepEqual(pasted(text), { kind: 'line', line });
    }
    const quoted = ['bash -c "echo a ^ b"', 'srv "x ` y"', "srv 'a \\  b'"];
    for (const line of [...quoted, '/opt/my\\ tools/server --root .']) {
      assert.deepEqual(pasted(line), { kind: 'line', line });
    }
  });
});

test('a word that is not a program looks like an address or a path', () => {
  const addresses = ['ftp://x', 'example.com/mcp', 'localhost:3000', '127.0.0.1:80/mcp'];
  const paths = ['./run.sh', '../x/y', '/opt/a.b/c', 'C:\\x\\y.exe', 'C:/x', 'bin/server', 'a.js'];
  assert.deepEqual([...addresses, ...paths].filter(isLikeAddress), addresses);
});

describe('JSON that is entered', () => {
  const found = (text: string) => {
    const entered = enteredText(text);
    assert.ok(entered.kind === 'json');
    const read = readJson(entered.json);
    assert.ok(read.ok);
    return serversIn(read.value);
  };
  const asOne = (name: string | undefined, inputs?: unknown) => {
    return { kind: 'one', name, server: { entry: one, inputs } };
  };
  const acme = { acme: one };
  const both = { acme: one, other: two };

  it('can be one server, with or without its name', () => {
    const text = JSON.stringify(one);
    const unnamed = (name?: string) => ({ kind: 'one', name, server: { entry: one } });
    assert.deepEqual(found(text), unnamed());
    assert.deepEqual(found(`{ "name": "acme", ${text.slice(1)}`), unnamed('acme'));
    for (const named of [`{ "acme": ${text} }`, `"acme": ${text}`, `"acme": ${text},`]) {
      assert.deepEqual(found(named), asOne('acme'));
    }
    assert.deepEqual(found(`{ /* mine */ "acme": ${text}, }`), asOne('acme'));
    // A server may have the name of a list.
    assert.deepEqual(found(`{ "servers": ${text} }`), asOne('servers'));
  });

  it('can be a list of one or several servers, as in files', () => {
    const inputs = [{ id: 'token' }];
    assert.deepEqual(found(JSON.stringify({ servers: acme, inputs })), asOne('acme', inputs));
    for (const file of [
      ...[{ mcpServers: both }, { context_servers: both }, { mcp: { servers: both } }, both],
      ...[{ servers: {}, mcpServers: both }, { mcp: both }, { 'mcpRoots.servers': both }],
      { $schema: 'https://x', 'amp.mcpServers': both },
    ]) {
      const several = { kind: 'several', file: { servers: both, inputs: undefined } };
      assert.deepEqual(found(JSON.stringify(file)), several);
    }
    assert.equal(found(`"mcpServers": ${JSON.stringify(both)}`).kind, 'several');
  });

  it('can contain comments, and entries of an unknown form, which are reported', () => {
    const remarks = { mcpServers: { '//': 'mine', ...acme } };
    assert.deepEqual(found(JSON.stringify(remarks)), asOne('acme'));
    const servers = { _: 'mine', odd: { script: 'x' }, ...acme };
    const several = { kind: 'several', file: { servers, inputs: undefined } };
    assert.deepEqual(found(JSON.stringify({ servers })), several);
  });

  it('can be settings with other programs, which do not count as servers', () => {
    const others = { gemini: { command: 'gemini' }, go: { command: ['gopls'] } };
    const statusLine = { type: 'command', command: '~/x.sh' };
    for (const file of [
      { agent_servers: others, context_servers: acme },
      { statusLine, mcpServers: acme },
      { disabledServers: others, 'amp.mcpServers': acme },
      { lsp: others, mcp: acme },
      { projects: { '/x': { mcpServers: others } }, mcpServers: acme },
    ]) {
      assert.deepEqual(found(JSON.stringify(file)), asOne('acme'));
    }
    const none = ['{}', '{ "a": 1 }', '{ "mcpServers": {} }', '{ "a": { "b": 1 } }'];
    for (const text of [...none, JSON.stringify({ statusLine, mcpServers: {} })]) {
      assert.equal(found(text).kind, 'none');
    }
  });
});
