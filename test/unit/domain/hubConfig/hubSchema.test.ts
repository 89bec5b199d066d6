import { deepEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { type ParseError, parse } from 'jsonc-parser';
import { ruleKeys } from '../../../../src/domain/guard/guardRules.ts';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
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
    deepEqual(Object.keys(properties).sort(), Object.keys(ruleKeys).sort());
  });

  test('judges nothing but the form of values: what is wrong is for the hub’s reader to say', () => {
    const isValid = new AjvJsonSchemaValidator().getValidator(schema);
    const entries = [
      ...Object.values(uses),
      { ...url, url: 'HTTP://localhost:1/mcp', alwaysAllow: [], disabledTools: ['a'], zzz: 1 },
      ...[{ ...command, ...url }, { ...command, headers: {} }, { ...url, args: [] }, {}],
      { command: '', args: ['${input:token}'], cwd: '${workspaceFolder}', deny: ['!a', '~', ''] },
      ...[{ read: ['a'] }, { reads: [] }].map(sandbox => ({ ...command, sandbox })),
    ];
    const refused = entries.filter(it => !isValid({ mcpServers: { it }, inputs: [], x: 1 }).valid);
    deepEqual(refused, []);
    const misshaped = [{ args: '-y' }, { env: [] }, { autoStart: 'yes' }, { guard: 'of' }];
    const passed = misshaped.filter(
      one => isValid({ servers: { it: { ...command, ...one } } }).valid,
    );
    deepEqual(passed, []);
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
