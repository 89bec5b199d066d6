import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import nls from '../../package.nls.json' with { type: 'json' };
import { hubLists } from '../domain/hubConfig/hubConfig.ts';
import { hubKeys, offKeys, sandboxKey } from '../domain/hubConfig/hubServer.ts';
import { definitionKeys } from '../domain/settings/definitionKeys.ts';
import { inputKeys } from '../domain/settings/inputs.ts';
import { type Form, text } from '../domain/settings/mistakes.ts';
import { readServerSettings } from '../domain/settings/serverSettings.ts';
import { knownVariables } from '../domain/variables.ts';

// Makes the JSON schemas of settings and files that people write, from the keys that we read.
// `npm run schemas` writes the schemas of settings, and each build the schemas of files. The texts
// of keys are in package.nls.json. For the two files, `ofHub` and `ofShared` overrule these texts.

type Keys = Readonly<Record<string, { readonly form: Form }>>;
type Texts = Readonly<Record<string, string>>;
type Snippets = readonly object[];
type SnippetsByKey = Readonly<Record<string, Snippets>>;

/** What an editor shows: the text of a key or choice, and snippets for texts and whole values. */
interface Words {
  readonly textOf: (key: string) => string;
  readonly snippetsOf?: (key: string, form: Form) => Snippets;
  readonly wholes?: SnippetsByKey;
}

const texts: Texts = nls;
const { stdio, http, both } = definitionKeys;

/** Returns the manifest `text` with schemas for the keys of servers and inputs in its settings. */
export function withSchemas(text: string): string {
  const changed = JSON.parse(text);
  const { properties } = changed.contributes.configuration;
  const ofServer = { textOf: (key: string) => `%setting.servers.${key}%`, snippetsOf, wholes };
  const keys = { ...stdio, ...http, ...both };
  properties['mcpRoots.servers'].additionalProperties.properties = schemasOf(keys, ofServer);
  const ofInput = { textOf: (key: string) => `%setting.inputs.${key}%` };
  properties['mcpRoots.inputs'].items.properties = schemasOf(inputKeys, ofInput);
  return `${JSON.stringify(changed, null, 2)}\n`;
}

/** Returns the schemas of the hub's file and of .mcp.json, by the file names of the schemas. */
export function fileSchemas() {
  const { oauth: _, ...called } = http;
  const hub = {
    ...{ ...stdio, ...called, ...hubKeys(), ...offKeys, ...sandboxKey },
    // A hub also accepts files of other clients: any `type`, and a list as `command`.
    type: { form: { anyOf: [both.type.form, text] } },
    command: { form: { anyOf: [stdio.command.form, stdio.args.form] } },
    autoStart: { form: { type: 'boolean', default: false } },
  };
  // Other clients read only these keys and ignore our keys.
  const { command, args, env } = stdio;
  const headers = { form: { type: 'object', additionalProperties: text } };
  const shared = { type: both.type, command, args, env, url: http.url, headers };
  return {
    'hubConfig.schema.json': {
      ...{ allowComments: true, allowTrailingCommas: true },
      ...fileSchema(hubLists, hub, ofHub, hubSnippets),
    },
    'mcpJson.schema.json': fileSchema(['mcpServers'], shared, ofShared, sharedSnippets),
  };
}

function fileSchema(
  lists: readonly string[],
  keys: Keys,
  { title = '', servers = '', ...own }: Texts,
  defaultSnippets: Snippets,
) {
  const textOf = (key: string) =>
    own[key.replace(/^guard\.(?:tools\.)?/, 'guard.')] ?? nlsText(`%setting.servers.${key}%`);
  const server = { type: 'object', defaultSnippets, properties: schemasOf(keys, { textOf }) };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    type: 'object',
    properties: Object.fromEntries(lists.map(list => [list, { $ref: '#/definitions/servers' }])),
    definitions: {
      servers: { ...described(servers), type: 'object', additionalProperties: server },
    },
  };
}

/** The text that package.nls.json has for a reference like `%key%`. @throws if there is none. */
function nlsText(shown: string): string {
  const text = texts[shown.slice(1, -1)];
  if (!text) {
    throw new Error(`package.nls.json has no ${shown}; a text for hubs alone stands in ofHub.`);
  }
  return text;
}

function described(text: string): object {
  const isMarkdown = /[`*]/.test(text.startsWith('%') ? nlsText(text) : text);
  return { [isMarkdown ? 'markdownDescription' : 'description']: text };
}

/** @param outer the key of the object with these keys, and a dot: `guard.`. Empty at the top. */
function schemasOf(keys: Keys, words: Words, outer = ''): object {
  const schemas = Object.entries(keys).map(([name, { form }]) => {
    const key = outer + name;
    const schema = schemaOf(form, key, words, words.snippetsOf?.(key, form));
    return [name, { ...schema, ...offering(words.wholes?.[key]), ...described(words.textOf(key)) }];
  });
  return Object.fromEntries(schemas);
}

function schemaOf(form: Form, key: string, words: Words, snippets?: Snippets): object {
  const { anyOf, items, additionalProperties, properties, ...rest } = form;
  const inner = (part: Form) => schemaOf(part, key, words, snippets);
  const meanings = rest.enum?.map(choice => words.textOf(`${key}.${choice}`));
  return {
    ...rest,
    ...(meanings && { enumDescriptions: meanings }),
    ...([rest.type].flat().includes('string') && offering(snippets)),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(items && { items: inner(items) }),
    ...(additionalProperties && { additionalProperties: inner(additionalProperties) }),
    ...(properties && { properties: schemasOf(properties, words, `${key}.`) }),
  };
}

function offering(snippets: Snippets = []): object {
  return snippets.length > 0 ? { defaultSnippets: snippets } : {};
}

/** The snippets for a key of a server: the key's own, and the variables that its texts may hold. */
function snippetsOf(key: string, { items, additionalProperties }: Form): Snippets {
  const around = { folders: [{ name: 'name', path: '/name' }], userHome: '/home' };
  const variables = knownVariables.filter(text => {
    const launch = key in http ? { url: 'https://example.com' } : { command: 'a' };
    const value = items ? [text] : additionalProperties ? { NAME: text } : text;
    return readServerSettings({ it: { ...launch, [key]: value } }, around).problems.length === 0;
  });
  const ofVariables = variables.map(label => {
    const body = label.replace('separator', ',').replace(/:(.+)\}$/, ':${1:$1}}');
    const name = label.slice(2, -1).replace(':', '.');
    return { label, description: `%snippet.variable.${name}%`, body: `^"\\${body}"` };
  });
  return [...(parts[key] ?? []), ...ofVariables];
}

function titled(name: string, body: unknown): object {
  return { label: `%snippet.${name}%`, description: `%snippet.${name}.description%`, body };
}

const bearer = '^"Bearer \\${input:${1:token}}"';
const description = '%snippet.authorization%';

const parts: SnippetsByKey = {
  url: [{ label: 'https://', description: '%snippet.url%', body: '${1:https://example.com/mcp}' }],
  headers: [{ label: 'Bearer ${input:token}', description, body: bearer }],
  roots: [titled('folderName', '${1:name}')],
};

const wholes: SnippetsByKey = {
  headers: [{ label: 'Authorization', description, body: { Authorization: bearer } }],
  roots: [titled('folderNames', ['${1:name}'])],
};

const ofHub: Texts = {
  title: 'The servers of the MCP Roots hub',
  servers: 'The servers that the hub runs for its clients, by name.',
  disabled: 'Whether the hub ignores the server. The entry stays for later.',
  enabled: 'The opposite of `disabled`.',
  args: 'The arguments of the program. An argument with `${roots}` is repeated for each root. `${rootsJoined:,}` stands for all roots, with commas between them. `${firstRoot}` stands for the first root.',
  env: 'Environment variables for the server. The server also gets the few variables that programs need to run at all. A variable that is `null` counts as left out.',
  cwd: 'The working directory. By default, it is the first root.',
  envFile:
    'A file with more environment variables, one `NAME=value` per line. Variables in `env` overrule the file.',
  url: 'The address of the server. If the server runs on another machine, the paths of the roots leave this machine.',
  headers: 'Headers of every request, such as `"Authorization": "Bearer ${env:TOKEN}"`.',
  rootsAs:
    'How the server learns its roots. With `args` or `env`, a change of the roots restarts the server. If this key is left out, the server can ask for its roots. If the keys `args` or `env` of the server name the roots, it also gets them there.',
  'rootsAs.args':
    'The server gets its roots as arguments. If no argument names the roots, the hub adds each root at the end.',
  'rootsAs.env': 'The server gets its roots in a variable, which `env` must define.',
  sandbox:
    'Whether the system keeps the server in its roots (Linux, with bubblewrap or Landlock). The server then sees no other files of yours. If no sandbox is available, the server does not start. An object names what else the server may reach: `{ "read": ["~/.config/tool"], "network": false }`.',
  'sandbox.off': 'The server runs with your rights, and its roots are only guidance.',
  'sandbox.on':
    'The system keeps the server in its roots. Outside of them, the server sees only what it needs to run. The network is open.',
  sandboxEnabled: 'The key that VS Code uses. `true` means `"sandbox": "on"`.',
  autoStart: 'Whether the server starts without waiting for a call.',
  guard: 'How the hub checks the paths in calls.',
  'guard.check': 'Whether the hub checks the paths in calls.',
  'guard.check.on': 'The hub refuses calls with a path outside the roots.',
  'guard.check.off': 'The hub checks no paths.',
  'guard.checkNames': 'More names of arguments that hold paths.',
  'guard.leaveNames': 'Names of arguments that never hold local paths.',
  'guard.pathPatterns':
    'Regular expressions that find paths within texts. The path is the first group. Without a group, it is the whole match.',
  'guard.allow':
    'Globs. The hub lets only matching paths pass. `*.md` matches at any depth. `src/**` and `/README.md` begin at each root.',
  'guard.deny':
    'Globs. The hub refuses matching paths. `.env` and `*.key` match at any depth. `config/*.json` and `/.env` begin at each root.',
  'guard.tools': 'More rules for single tools, by name. The rules of the server apply, too.',
};

const ofShared: Texts = {
  title: 'The MCP servers of a project, for the clients that read .mcp.json',
  servers:
    'Servers by name. These servers bypass MCP Roots: each client that reads this file starts the servers, and shares folders without a question. To use them in MCP Roots, run **MCP Roots: Import Servers…**.',
  type: 'How clients reach the server. If this key is left out, clients start a process.',
  'type.stdio': 'Clients start the server and talk to it over standard input and output.',
  'type.http': 'Clients call the server at a URL by Streamable HTTP.',
  args: 'The arguments of the program.',
  env: 'Environment variables for the server. Other people may get this file: write `${NAME}` instead of a secret.',
  url: 'The address of the server.',
  headers: 'Headers of every request, such as `"Authorization": "Bearer ${TOKEN}"`.',
};

const settings = manifest.contributes.configuration.properties;
const { defaultSnippets } = settings['mcpRoots.servers'].additionalProperties;

/** Returns a snippet of `mcpRoots.servers`, with English texts instead of references. */
function snippet(name: string) {
  const label = `%snippet.${name}%`;
  const found = defaultSnippets.find(one => one.label === label);
  const description = nlsText(`%snippet.${name}.description%`);
  return { label: nlsText(label), description, body: found?.body };
}

function calledWith(description: string, Authorization: string) {
  const { label, body } = snippet('http');
  return { label, description, body: { ...body, headers: { Authorization } } };
}

const hubSnippets = [
  snippet('filesystem'),
  { ...snippet('rootsAsArguments'), label: 'A server that gets its roots as arguments' },
  calledWith('The hub reads the token from its own environment.', '^"Bearer \\${env:${2:TOKEN}}"'),
];

const sharedSnippets = [
  { ...snippet('stdio'), description: 'It speaks over standard input and output.' },
  calledWith('The client reads the token from its own environment.', '^"Bearer \\${${2:TOKEN}\\}"'),
];

if (import.meta.main) {
  const file = join(import.meta.dirname, '..', '..', 'package.json');
  writeFileSync(file, withSchemas(readFileSync(file, 'utf8')));
}
