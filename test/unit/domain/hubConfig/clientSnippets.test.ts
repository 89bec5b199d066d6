import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { parse } from 'jsonc-parser';
import {
  clientSnippet,
  type HubClient,
  snippetDocument,
} from '../../../../src/domain/hubConfig/clientSnippets.ts';

const start = {
  launcher: '/proj/hub/mcp-roots.cjs',
  config: '/proj/hub/servers.json',
  roots: ['/proj/web', '/proj/api'],
  platform: 'linux',
} as const;
const args = ['/proj/hub/mcp-roots.cjs', '--config', '/proj/hub/servers.json'];

describe('what a client is given to start the hub', () => {
  const parsed = (client: HubClient) => JSON.parse(clientSnippet(client, start));

  test('VS Code gets its own form, and names the roots itself', () => {
    deepEqual(parsed('vscode'), {
      servers: { 'mcp-roots-hub': { type: 'stdio', command: 'node', args } },
    });
  });

  test('Cursor gets the common form, and names the roots itself', () => {
    deepEqual(parsed('cursor'), { mcpServers: { 'mcp-roots-hub': { command: 'node', args } } });
  });

  test('clients that may name no roots are given them, each as an option of its own', () => {
    const server = {
      command: 'node',
      args: [...args, '--root', '/proj/web', '--root', '/proj/api'],
    };
    for (const client of ['claude-desktop', 'other'] as const) {
      deepEqual(parsed(client), { mcpServers: { 'mcp-roots-hub': server } });
    }
  });

  test('where no folder is open, a place is held for one', () => {
    const text = clientSnippet('claude-desktop', { ...start, roots: [] });
    deepEqual(JSON.parse(text).mcpServers['mcp-roots-hub'].args, [
      ...args,
      '--root',
      '/path/to/project',
    ]);
  });

  test('Claude Code gets a command line', () => {
    equal(
      clientSnippet('claude-code', start),
      'claude mcp add --scope user mcp-roots-hub -- node /proj/hub/mcp-roots.cjs --config /proj/hub/servers.json',
    );
  });

  test('Windows paths keep their separators in JSON', () => {
    const config = 'C:\\Users\\Ada L\\servers.json';
    const { servers } = JSON.parse(clientSnippet('vscode', { ...start, config }));
    deepEqual(servers['mcp-roots-hub'].args.slice(1), ['--config', config]);
  });
});

describe('the command line for Claude Code', () => {
  const awkward = [
    '/Users/Ada Lovelace/Application Support/x.json',
    "/proj/it's/$HOME/`id`/x.json",
    '/proj/"quoted"/!/*/\\/x.json',
    '/proj/ünï/日本/x.json',
  ];
  for (const config of awkward) {
    test(`survives a POSIX shell with ${config}`, { skip: process.platform === 'win32' }, () => {
      const line = clientSnippet('claude-code', { ...start, config });
      const words = execFileSync('sh', ['-c', `claude() { printf '%s\\0' "$@"; }; ${line}`], {
        encoding: 'utf8',
      });
      deepEqual(words.split('\0').slice(0, -1), [
        ...['mcp', 'add', '--scope', 'user', 'mcp-roots-hub', '--', 'node'],
        ...['/proj/hub/mcp-roots.cjs', '--config', config],
      ]);
    });
  }

  const onWindows = (config: string) =>
    clientSnippet('claude-code', { ...start, config, platform: 'win32' });

  test('quotes on Windows what both of its shells would split', () => {
    equal(
      onWindows('C:\\Users\\Ada L\\servers.json'),
      'claude mcp add --scope user mcp-roots-hub "--" node /proj/hub/mcp-roots.cjs --config "C:\\Users\\Ada L\\servers.json"',
    );
  });

  test('keeps PowerShell from filling in what looks like a variable', () => {
    match(onWindows("C:\\$it's\\x.json"), / --config 'C:\\\$it''s\\x\.json'$/);
  });
});

const advice = ['Some words that are more than a line has room for. '.repeat(4).trim(), 'Others.'];

test('what a client is given can be read with its advice, and still be used as it is', () => {
  const snippet = clientSnippet('other', start);
  const { language, content } = snippetDocument('other', snippet, advice);
  equal(language, 'jsonc');
  deepEqual(parse(content), JSON.parse(snippet));
  const comments = content.split('\n').filter(line => line.startsWith('// '));
  ok(comments.length > 3 && comments.every(({ length }) => length <= 80), content);
  equal(comments.map(line => line.slice(3)).join(' '), advice.join(' '));
});

test('a command line stays one below its comments', () => {
  const snippet = clientSnippet('claude-code', start);
  const { language, content } = snippetDocument('claude-code', snippet, ['Run\nit.']);
  deepEqual([language, content], ['shellscript', `# Run\\u000ait.\n\n${snippet}\n`]);
});
