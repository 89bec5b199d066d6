import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { type ParseError, parse } from 'jsonc-parser';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import { ruleKeys } from '../../../../src/domain/hubConfig/hubConfigGuard.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { configTemplate } from '../../../../src/extension/hub/hubConfigFile.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const schema = JSON.parse(readFileSync(join(root, 'media', 'hubConfig.schema.json'), 'utf8'));
const { server } = schema.definitions;

const command = { command: 'node' };
const url = { url: 'https://mcp.example.com/mcp' };

/** Every key that is offered, with an entry that makes use of it. */
const uses = {
  type: { type: 'stdio', ...command },
  disabled: { disabled: true, ...command },
  enabled: { enabled: true, ...command },
  command,
  args: { ...command, args: ['--root=${roots}', '${rootsJoined:,}', '${firstRoot}'] },
  env: { ...command, env: { TEXT: '${env:NAME}', NUMBER: 1, NONE: null } },
  cwd: { ...command, cwd: '/proj' },
  envFile: { ...command, envFile: '/proj/.env' },
  url,
  headers: { ...url, headers: { Authorization: 'Bearer ${env:TOKEN}' } },
  rootsAs: { ...command, rootsAs: ['roots', 'args'] },
  sandbox: {
    ...command,
    sandbox: { read: ['~/a', '${userHome}/b'], write: ['/c'], network: false },
  },
  sandboxEnabled: { ...command, sandboxEnabled: true },
  protocol: { ...command, protocol: '2026-07-28' },
  autoStart: { ...command, autoStart: true },
  guard: { ...command, guard: 'off' },
  checkNames: { ...command, checkNames: ['location'] },
  leaveNames: { ...command, leaveNames: ['target'] },
  pathPatterns: { ...command, pathPatterns: ['--out (\\S+)'] },
  allow: { ...command, allow: ['src/**'] },
  deny: { ...command, deny: ['**/.env'] },
  tools: { ...command, tools: { search: { guard: 'off' } } },
};

/** What the reader complains about. */
function mistakesIn(value: unknown): string[] {
  return readHubConfig(value, '/home/ada').mistakes.map(({ text }) => inEnglish(text));
}

const mistakesOf = (entry: object) => mistakesIn({ mcpServers: { it: entry } });

describe('the schema of the hub’s configuration', () => {
  test('offers exactly the keys that the hub has a use for', () => {
    deepEqual(Object.keys(server.properties).sort(), Object.keys(uses).sort());
    deepEqual(
      Object.entries(uses).filter(([, entry]) => mistakesOf(entry).length > 0),
      [],
    );
    const known = [command, url].flatMap(entry =>
      mistakesOf({ ...entry, zzzzzzzzzz: 1 }).flatMap(
        text => /Known keys: (.+)\.$/.exec(text)?.[1]?.split(', ') ?? [],
      ),
    );
    deepEqual(
      [...new Set([...known, 'disabled', 'enabled', 'sandboxEnabled'])].sort(),
      Object.keys(uses).sort(),
    );
  });

  test('offers a tool exactly the keys of rules', () => {
    const { properties } = server.properties.tools.additionalProperties;
    deepEqual(Object.keys(properties).sort(), [...ruleKeys].sort());
  });

  test('complains about no key that the hub passes over in silence', () => {
    const silent = (pattern: string) => pattern.match(/[$\w]{2,}/g) ?? [];
    const [keys = ''] = Object.keys(server.patternProperties);
    deepEqual(mistakesOf({ ...command, ...valued(silent(keys)) }), []);
    const [beside = ''] = Object.keys(schema.patternProperties);
    deepEqual(mistakesIn({ mcpServers: {}, ...valued(silent(beside)) }), []);
    equal(silent(keys).length + silent(beside).length, 14);
  });

  test('marks in the editor what the hub would complain about, and nothing else', () => {
    const isValid = new AjvJsonSchemaValidator().getValidator(schema);
    const text = '${input:token}';
    const entries = [
      ...Object.values(uses),
      { ...url, url: 'HTTP://localhost:1/mcp' },
      { ...url, url: '${env:URL}' },
      ...[{ ...command, ...url }, { ...command, headers: {} }, { ...url, args: [] }, {}],
      ...['ftp://example.com', 'example.com', `https://${text}`].map(one => ({ url: one })),
      { command: text },
      { ...command, args: ['a', `line\n${text}`] },
      { ...command, env: { A: text } },
      { ...command, cwd: '${workspaceFolder}' },
      { ...command, cwd: '${workspaceFolder:web}/a' },
      { ...command, envFile: text },
      { ...url, headers: { A: `Bearer ${text}` } },
      { ...url, sandbox: 'on' },
      ...['on', 'off', {}, { read: ['~', '${userHome}'] }].map(sandbox => ({
        ...command,
        sandbox,
      })),
      ...[true, 'yes', { reads: [] }, { read: '/a' }, { network: 1 }].map(sandbox => ({
        ...command,
        sandbox,
      })),
      ...['a', './a', '~b', '', '${env:A}/b', '/a/${workspaceFolder}'].map(path => ({
        ...command,
        sandbox: { write: [path] },
      })),
      ...['!a', '~', '~/a', 'C:\\a', 'File:///a', 'a/${userHome}', 'a\\b', 'a\\*', ''].map(
        glob => ({
          ...command,
          deny: [glob],
        }),
      ),
      ...['/.env', '~a', 'a~/b', 'ab:/b', '\\[a\\]', '\\{a\\,b\\}', '$a', 'file'].map(glob => ({
        ...command,
        allow: [glob],
      })),
    ];
    const marked = entries.map(entry => !isValid({ mcpServers: { it: entry } }).valid);
    deepEqual(
      marked,
      entries.map(entry => mistakesOf(entry).length > 0),
    );
    equal(marked.filter(Boolean).length, 35);
  });

  test('says of every key what it is for, and of every choice what it means', () => {
    const { definitions } = schema;
    const silent = Object.entries<Described>(server.properties).filter(([, written]) => {
      const key = written.$ref ? definitions[written.$ref.split('/').at(-1) ?? ''] : written;
      const choices = [key, ...(key.anyOf ?? [])];
      return (
        !(key.description ?? key.markdownDescription) ||
        choices.some(one => one.enum?.length !== one.enumDescriptions?.length)
      );
    });
    deepEqual(silent, []);
  });
});

describe('the configuration that a person starts with', () => {
  test('is right as it stands, and with its example', () => {
    const example = configTemplate.replace(/^ {4}\/\/ /gm, '    ');
    const names = [configTemplate, example].map(text => {
      const errors: ParseError[] = [];
      const value = parse(text, errors, { allowTrailingComma: true });
      deepEqual([errors, mistakesIn(value)], [[], []]);
      return readHubConfig(value, '/home/ada').servers.map(({ name }) => name);
    });
    deepEqual(names, [[], ['files']]);
  });

  test('has no line that a narrow window would break', () => {
    deepEqual(
      configTemplate.split('\n').filter(({ length }) => length > 80),
      [],
    );
  });
});

interface Described {
  readonly $ref?: string;
}

function valued(keys: readonly string[]): object {
  return Object.fromEntries(keys.map(key => [key, []]));
}
