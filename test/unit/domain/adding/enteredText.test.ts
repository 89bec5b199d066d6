import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  enteredText,
  isLikeAddress,
  serversIn,
} from '../../../../src/domain/adding/enteredText.ts';
import { readJson } from '../../../../src/extension/commands/adding/readPlaces.ts';

const one = { command: 'npx', args: ['-y', 'acme'] };
const two = { url: 'https://example.com/mcp' };

describe('what is entered for a new server', () => {
  const kinds = (...texts: string[]) => texts.map(text => enteredText(text).kind);

  it('is a command line, a URL or JSON, by how it begins', () => {
    assert.deepEqual(kinds('npx -y acme', ' "C:\\x y.exe" a:b', 'TOKEN=x npx acme', 'https'), [
      ...['line', 'line', 'line', 'line'],
    ]);
    assert.deepEqual(kinds(' https://x.com/mcp ', 'HTTP://localhost:3000'), ['url', 'url']);
    assert.deepEqual(kinds('{ "command": "x" }', '"x": { "command": "x" }', '{'), [
      ...['json', 'json', 'json'],
    ]);
  });
});

describe('a word that names no program', () => {
  it('looks like an address or like a path', () => {
    const addresses = ['ftp://x', 'example.com/mcp', 'localhost:3000', '127.0.0.1:80/mcp'];
    const programs = [
      './run.sh',
      '../x/y',
      '/opt/a.b/c',
      'C:\\x\\y.exe',
      'C:/x',
      'bin/server',
      'a.js',
    ];
    assert.deepEqual([...addresses, ...programs].filter(isLikeAddress), addresses);
  });
});

describe('JSON that is entered', () => {
  const found = (text: string) => {
    const entered = enteredText(text);
    assert.ok(entered.kind === 'json');
    const read = readJson(entered.json);
    assert.ok(read.ok);
    return serversIn(read.value);
  };
  const asOne = (name: string | undefined, entry: object, inputs?: unknown) => {
    const server = inputs === undefined ? { entry } : { entry, inputs };
    return { kind: 'one', name, server };
  };

  it('may be one server, with its name or without', () => {
    const text = JSON.stringify(one);
    assert.deepEqual(found(text), asOne(undefined, one));
    assert.deepEqual(found(`{ "name": "acme", ${text.slice(1)}`), asOne('acme', one));
    const named = { ...asOne('acme', one), server: { entry: one, inputs: undefined } };
    assert.deepEqual(found(`{ "acme": ${text} }`), named);
    assert.deepEqual(found(`"acme": ${text}`), named);
    assert.deepEqual(found(`"acme": ${text},`), named);
    assert.deepEqual(found(`{ /* mine */ "acme": ${text}, }`), named);
  });

  it('may be a list as files have them, of one or of several', () => {
    const inputs = [{ id: 'token' }];
    assert.deepEqual(
      found(JSON.stringify({ servers: { acme: one }, inputs })),
      asOne('acme', one, inputs),
    );
    for (const file of [
      { mcpServers: { acme: one, other: two } },
      { context_servers: { acme: one, other: two } },
      { mcp: { servers: { acme: one, other: two } } },
      { servers: {}, mcpServers: { acme: one, other: two } },
      { 'mcpRoots.servers': { acme: one, other: two } },
      { acme: one, other: two },
    ]) {
      const several = { servers: { acme: one, other: two }, inputs: undefined };
      assert.deepEqual(found(JSON.stringify(file)), { kind: 'several', file: several });
    }
    const lists = found(`"mcpServers": ${JSON.stringify({ acme: one, other: two })}`);
    assert.equal(lists.kind, 'several');
  });

  it('may be a server that is called like a list', () => {
    assert.deepEqual(found(`{ "servers": ${JSON.stringify(one)} }`), {
      ...asOne('servers', one),
      server: { entry: one, inputs: undefined },
    });
  });

  it('is refused when no server is in it', () => {
    for (const text of ['{}', '{ "a": 1 }', '{ "mcpServers": {} }', '{ "a": { "b": 1 } }']) {
      assert.equal(found(text).kind, 'none');
    }
  });
});
