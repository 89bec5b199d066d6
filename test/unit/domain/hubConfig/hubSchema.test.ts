import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { type ParseError, parse } from 'jsonc-parser';
import manifest from '../../../../package.json' with { type: 'json' };
import { fileSchemas } from '../../../../src/build/schemas.ts';
import { readHubConfig } from '../../../../src/domain/hubConfig/hubConfig.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { readServerSettings } from '../../../../src/domain/settings/serverSettings.ts';
import { configTemplate } from '../../../../src/extension/hub/hubConfigFile.ts';

const command = { command: 'node' };
const url = { url: 'https://mcp.example.com/mcp' };

/** Values of all kinds; every key of a definition accepts some of them. */
const values = [
  ...['x', url.url, 'stdio', 'streamable-http', 'auto', 'roots', 'on', true, 1, null],
  ...[[], ['x'], ['roots'], [1], { NAME: 'x' }, { NAME: 1 }, { NAME: null }, { NAME: true }],
  ...[{ read: ['/x'], network: false }, { read: 'x' }, { network: 'x' }, { clientId: 'x' }],
  ...[{ check: 'on' }, { check: 'x' }, { deny: 'x' }, { tools: { x: { check: 'x' } } }],
];

const kindOf = (value: unknown) =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

/** The reader's complaints. */
function mistakesIn(value: unknown): string[] {
  return readHubConfig(value, '/home/ada').mistakes.map(({ text }) => inEnglish(text));
}

const asJson = (value: object) => JSON.parse(JSON.stringify(value));
const hubSchema = asJson(fileSchemas()['hubConfig.schema.json']);
const hub = {
  schema: hubSchema,
  keys: hubSchema.definitions.servers.additionalProperties.properties,
  whole: (it: object) => ({ mcpServers: { it } }),
  mistakes: (it: object) => mistakesIn({ mcpServers: { it } }),
};
const servers = asJson(manifest.contributes.configuration.properties['mcpRoots.servers']);
const settings = {
  schema: servers,
  keys: servers.additionalProperties.properties,
  whole: (it: object) => ({ it }),
  mistakes: (it: object) =>
    readServerSettings({ it }, { folders: [], userHome: '/home/ada' }).problems,
};

describe('the schema of a definition', () => {
  for (const [of, { schema, keys, whole, mistakes }] of Object.entries({ hub, settings })) {
    test(`accepts exactly the kinds of values that are read: ${of}`, () => {
      const isValid = new AjvJsonSchemaValidator().getValidator(schema);
      const wrong = Object.keys(keys).flatMap(key => {
        const entries = (value: unknown) => [command, url].map(one => ({ ...one, [key]: value }));
        const read = values.filter(value => entries(value).some(one => !mistakes(one).length));
        const valid = values.filter(value =>
          entries(value).every(one => isValid(whole(one)).valid),
        );
        const kinds = new Set(read.map(kindOf));
        return [
          ...(read.length > 0 ? [] : [[key, 'is never read']]),
          ...read.filter(value => !valid.includes(value)).map(value => [key, 'refuses', value]),
          ...valid.filter(value => !kinds.has(kindOf(value))).map(value => [key, 'takes', value]),
        ];
      });
      deepEqual(wrong, []);
    });
  }

  test('judges only the form of values, and leaves other mistakes to the hub’s reader', () => {
    const isValid = new AjvJsonSchemaValidator().getValidator(hubSchema);
    const entries = [
      { ...url, url: 'HTTP://localhost:1/mcp', alwaysAllow: [], disabledTools: ['a'], zzz: 1 },
      ...[{ ...command, ...url }, { ...command, headers: {} }, { ...url, args: [] }, {}],
      {
        command: '',
        args: ['${input:token}'],
        cwd: '${workspaceFolder}',
        guard: { deny: ['!a', '~', ''] },
      },
      ...[{ read: ['a'] }, { reads: [] }].map(sandbox => ({ ...command, sandbox })),
    ];
    const refused = entries.filter(it => !isValid({ mcpServers: { it }, inputs: [], x: 1 }).valid);
    deepEqual(refused, []);
  });
});

describe('the initial configuration', () => {
  test('is valid with and without its example', () => {
    const example = configTemplate.replace(/^ {4}\/\/ /gm, '    ');
    const names = [configTemplate, example].map(text => {
      const errors: ParseError[] = [];
      const value = parse(text, errors, { allowTrailingComma: true });
      deepEqual([errors, mistakesIn(value)], [[], []]);
      return readHubConfig(value, '/home/ada').servers.map(({ name }) => name);
    });
    deepEqual(names, [[], ['files']]);
  });

  test('has no line too long for a narrow window', () => {
    deepEqual(
      configTemplate.split('\n').filter(({ length }) => length > 80),
      [],
    );
  });
});
