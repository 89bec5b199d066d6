import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enteredText, serversIn } from '../../../../src/domain/adding/enteredText.ts';
import { planImport } from '../../../../src/domain/adding/importPlan.ts';
import { readJson } from '../../../../src/extension/commands/adding/readPlaces.ts';
import { emptySettings, noteBy } from '../../../support/importing.ts';

/** The import of a file's servers: the entry of each, or `undefined`, and then all notes. */
function imported(text: string): unknown[] {
  const entered = enteredText(text);
  assert.ok(entered.kind === 'json', text);
  const read = readJson(entered.json);
  assert.ok(read.ok, text);
  const found = serversIn(read.value);
  assert.ok(found.kind !== 'none', text);
  const servers =
    found.kind === 'one' ? { [found.name ?? 'it']: found.server.entry } : found.file['servers'];
  const source = { label: 'a file', at: [], scope: 'user' } as const;
  const { candidates } = planImport([{ source, value: { servers } }], emptySettings);
  assert.deepEqual(
    candidates.filter(({ kept, ...shown }) =>
      kept.some(({ value }) => JSON.stringify(shown).includes(value)),
    ),
    [],
  );
  return candidates.flatMap(({ entry, notes }) => [entry, ...notes.map(noteBy)]);
}

const npx = { command: 'npx', args: ['-y', 'docs-mcp'] };
const url = 'https://mcp.example.com/mcp';
const off = 'off()';
const secret = 'k3y-k3y-k3y-k3y';
const keptText = (name: string) => `kept(${name})`;
const askedText = (name: string) => `asked(${name})`;

/** Files in the forms that the clients document, and the import of each. */
const files: Readonly<Record<string, readonly [file: object | string, ...made: unknown[]]>> = {
  'Claude Desktop': [{ mcpServers: { docs: npx } }, npx],
  'Claude Desktop, with a placeholder': [
    { mcpServers: { docs: { ...npx, env: { DOCS_API_KEY: 'YOUR_API_KEY_HERE' } } } },
    { ...npx, env: { DOCS_API_KEY: '${input:docs-DOCS_API_KEY}' } },
    askedText('DOCS_API_KEY'),
  ],
  'Claude Code, with a sign-in': [
    { mcpServers: { docs: { type: 'http', url, oauth: { clientId: 'a', callbackPort: 3118 } } } },
    { type: 'http', url, oauth: { clientId: 'a', callbackPort: '3118' } },
  ],
  'Claude Code, with more of a sign-in than we take': [
    {
      mcpServers: { docs: { url, oauth: { clientId: 'a', scopes: 'read', clientSecret: secret } } },
    },
    { url, oauth: { clientId: 'a' } },
    'dropped(oauth.scopes, oauth.clientSecret)',
  ],
  'VS Code': [
    { servers: { docs: { type: 'stdio', ...npx, dev: { watch: '*.ts' } } } },
    { type: 'stdio', ...npx },
    'dropped(dev)',
  ],
  'VS Code, in its settings': [{ mcp: { servers: { docs: npx } } }, npx],
  'VS Code, with comments and trailing commas': [
    '{\n  // Mine.\n  "servers": { "docs": { "command": "npx", /* it */ "args": ["-y", "docs-mcp",], }, },\n}',
    npx,
  ],
  Cursor: [
    { mcpServers: { docs: { url, headers: { Authorization: `Bearer ${secret}` } } } },
    { url, headers: { Authorization: 'Bearer ${input:docs-Authorization}' } },
    keptText('Authorization'),
  ],
  'Cursor, with a client of its own': [
    { mcpServers: { docs: { url, auth: { CLIENT_ID: 'a', CLIENT_SECRET: secret } } } },
    { url },
    'dropped(auth)',
  ],
  Cline: [
    { mcpServers: { docs: { ...npx, disabled: true, alwaysAllow: ['a'], timeout: 60 } } },
    { ...npx, autoStart: false },
    off,
    'dropped(alwaysAllow, timeout)',
  ],
  'Cline, of a remote server': [
    { mcpServers: { docs: { type: 'streamableHttp', url, disabled: false } } },
    { type: 'http', url },
  ],
  'Roo Code': [
    { mcpServers: { docs: { type: 'streamable-http', url, headers: { 'X-API-Key': '<key>' } } } },
    { type: 'http', url, headers: { 'X-API-Key': '${input:docs-X-API-Key}' } },
    askedText('X-API-Key'),
  ],
  Windsurf: [{ mcpServers: { docs: { serverUrl: url } } }, { url }],
  'Windsurf, with a key in the URL': [
    { mcpServers: { docs: { serverUrl: `${url}?api_key=${secret}` } } },
    { url: `${url}?api_key=\${input:docs-api_key}` },
    keptText('api_key'),
  ],
  Zed: [
    { context_servers: { docs: { source: 'custom', ...npx, enabled: false } } },
    { ...npx, autoStart: false },
    off,
    'dropped(source)',
  ],
  Goose: [
    {
      extensions: {
        docs: { type: 'stdio', cmd: 'npx', args: npx.args, envs: { A: 1 }, timeout: 300 },
      },
    },
    { type: 'stdio', ...npx, env: { A: '1' } },
    'dropped(timeout)',
  ],
  OpenCode: [
    {
      $schema: 'https://opencode.ai/config.json',
      mcp: {
        docs: { type: 'local', command: ['npx', '-y', 'docs-mcp'], environment: { A: 'b' } },
        far: { type: 'remote', url, enabled: false, headers: {} },
      },
    },
    { type: 'stdio', ...npx, env: { A: 'b' } },
    { type: 'http', url, headers: {}, autoStart: false },
    off,
  ],
  'Copilot CLI': [
    { mcpServers: { docs: { type: 'local', ...npx, tools: ['*'] } } },
    { type: 'stdio', ...npx, tools: ['*'] },
  ],
  'Gemini CLI': [
    { mcpServers: { docs: { httpUrl: url, timeout: 5000, trust: false } } },
    { url },
    'dropped(timeout, trust)',
  ],
  'Qwen Code': [
    {
      mcpServers: { docs: { ...npx, cwd: null, env: { QWEN_TOKEN: '{token}', MAX_TOKENS: 100 } } },
    },
    { ...npx, env: { QWEN_TOKEN: '${input:docs-QWEN_TOKEN}', MAX_TOKENS: '100' } },
    askedText('QWEN_TOKEN'),
  ],
  'LM Studio': [
    { mcpServers: { docs: { url, headers: { Authorization: 'Bearer <YOUR_HF_TOKEN>' } } } },
    { url, headers: { Authorization: 'Bearer ${input:docs-Authorization}' } },
    askedText('Authorization'),
  ],
  Continue: [
    { name: 'docs', type: 'SSE', url, apiKey: secret },
    { type: 'sse', url },
    'dropped(apiKey)',
  ],
  FastMCP: [{ mcpServers: { docs: { url, transport: 'streamable-http' } } }, { url, type: 'http' }],
  'a wallet': [
    {
      mcpServers: { it: { ...npx, env: { SEED_PHRASE: 'alpha bravo hotel kilo', CHAIN: 'main' } } },
    },
    { ...npx, env: { SEED_PHRASE: '${input:it-SEED_PHRASE}', CHAIN: 'main' } },
    keptText('SEED_PHRASE'),
  ],
  'a webhook, and a database': [
    {
      mcpServers: {
        it: {
          command: 'npx',
          args: ['db-mcp', `postgres://me:${secret}@db/x`],
          env: { HOOK: 'https://hooks.slack.com/services/T0000/B0000/a1b2c3d4e5f6g7h8' },
        },
      },
    },
    {
      command: 'npx',
      args: ['db-mcp', 'postgres://me:${input:it-password}@db/x'],
      env: { HOOK: 'https://hooks.slack.com/${input:it-HOOK}' },
    },
    keptText('password, HOOK'),
  ],
};

for (const [what, [file, ...made]] of Object.entries(files)) {
  test(`imports entries of ${what} without secrets in plain text, and names what it drops`, () => {
    assert.deepEqual(imported(typeof file === 'string' ? file : JSON.stringify(file)), made);
  });
}
