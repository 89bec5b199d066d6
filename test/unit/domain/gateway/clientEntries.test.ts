import { deepEqual, equal, match } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import {
  type ClientEntry,
  clientSnippet,
  entryValue,
  hubEntry,
  hubName,
  isLikeOurs,
  nameThroughUs,
  serverEntry,
} from '../../../../src/domain/gateway/clientEntries.ts';
import type { Client } from '../../../../src/domain/gateway/clientFiles.ts';
import { onlyOn } from '../../../support/systems.ts';

const folders = ['/proj/web', '/proj/api'];
const clients: readonly Client[] = [
  ...(['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'cursor'] as const),
  ...(['claude-desktop', 'windsurf', 'zed', 'other'] as const),
];
const connector = '/proj/hub/connect.cjs';
const entryOf = (client: Client) => serverEntry(client, 'files', connector, folders);
const snippetOf = (client: Client, ...entries: readonly ClientEntry[]) =>
  clientSnippet(client, entries.length > 0 ? entries : [entryOf(client)], 'linux');

describe('the entry for a server of a window', () => {
  test('is the connector with a name, and with a folder only if nothing else names the window', () => {
    const args = [connector, '--server', 'files'];
    const pinned = [...args, '--workspace', '/proj/web'];
    deepEqual(
      clients.filter(client => entryOf(client).args.length > args.length),
      ['claude-desktop'],
    );
    deepEqual(entryOf('claude-desktop'), { name: 'files', args: pinned });
    deepEqual(entryOf('cursor'), { name: 'files', args });
    deepEqual(serverEntry('claude-desktop', 'files', connector, []).args, args);
  });

  test('is recognized by its server’s name as clients write it, unlike other entries', () => {
    const files = { connector, hub: '/proj/hub/mcp-roots.cjs', config: '/proj/hub/servers.json' };
    const nameOf = (entry: unknown) => nameThroughUs(entry, files);
    const hub = hubEntry('claude-desktop', files.hub, files.config, folders);
    const ours = { command: 'node', args: [connector, '--server', 'files'] };
    const entries = [entryOf('claude-desktop'), hub].map(one => entryValue('cursor', one));
    const asWritten = { ...ours, type: 'stdio', env: {} };
    deepEqual([...entries, ours, asWritten].map(nameOf), ['files', hubName, 'files', 'files']);
    const [, ...more] = ours.args;
    const others = [
      { ...ours, command: './evil.sh' },
      { ...ours, args: ['./hub/connect.cjs', ...more] },
      { ...ours, args: ['/other/hub/connect.cjs', ...more] },
      { ...ours, args: [...ours.args, '--server', 'other'] },
      { ...ours, args: [connector, '--server'] },
      { ...ours, env: { NODE_OPTIONS: '--require ./evil.cjs' } },
      { ...ours, envFile: './evil.env' },
      { ...ours, cwd: '/evil' },
      { command: 'node', args: [files.hub, '--config', './evil.json'] },
      { command: 'node', args: 'a' },
      {},
      'node',
    ];
    deepEqual(
      others.filter(one => nameOf(one) !== undefined),
      [],
    );
  });

  test('is recognized as one of MCP Roots on every system and for every editor', () => {
    const onWindows = serverEntry('cursor', 'files', 'C:\\x\\hub\\connect.cjs', []);
    const hub = hubEntry('cursor', '/x/hub/mcp-roots.cjs', '/x/hub/servers.json', folders);
    const others = [['/x/connect.cjs', '--server', 'a'], ['/x/hub/connect.cjs', 'a'], 'a'];
    const all = [entryOf('other'), onWindows, hub, ...others.map(args => ({ args })), {}, 'node'];
    deepEqual(all.map(isLikeOurs), [true, true, true, false, false, false, false, false]);
  });

  test('has the form of each client', () => {
    const args = [connector, '--server', 'files'];
    const value = { command: 'node', args };
    for (const client of ['gemini-cli', 'cursor', 'windsurf', 'other'] as const) {
      deepEqual(JSON.parse(snippetOf(client)), { mcpServers: { files: value } });
    }
    deepEqual(JSON.parse(snippetOf('zed')), { context_servers: { files: value } });
    deepEqual(entryValue('copilot-cli', entryOf('copilot-cli')), {
      type: 'local',
      ...value,
      tools: ['*'],
    });
    const line = 'claude mcp add --scope user files -- node /proj/hub/connect.cjs --server files';
    equal(snippetOf('claude-code'), line);
    const toml =
      '[mcp_servers.files]\ncommand = "node"\nargs = ["/proj/hub/connect.cjs", "--server", "files"]\n';
    equal(snippetOf('codex'), toml);
    const both = [entryOf('cursor'), { name: 'web', args: [connector, '--server', 'web'] }];
    deepEqual(Object.keys(JSON.parse(snippetOf('cursor', ...both)).mcpServers), ['files', 'web']);
    equal(snippetOf('claude-code', ...both), `${line}\n${line.replaceAll('files', 'web')}`);
    equal(snippetOf('codex', ...both), `${toml}\n${toml.replaceAll('files', 'web')}`);
  });

  test('keeps the separators of Windows paths', () => {
    const path = 'C:\\Users\\Ada L\\connect.cjs';
    const entry = serverEntry('cursor', 'files', path, folders);
    equal(JSON.parse(snippetOf('cursor', entry)).mcpServers.files.args[0], path);
    match(snippetOf('codex', entry), /^args = \["C:\\\\Users\\\\Ada L\\\\connect\.cjs", /m);
  });
});

describe('the entry for the hub', () => {
  const args = ['/proj/hub/mcp-roots.cjs', '--config', '/proj/hub/servers.json'];
  const hubOf = (client: Client, named = folders) =>
    hubEntry(client, '/proj/hub/mcp-roots.cjs', '/proj/hub/servers.json', named);

  test('names each root as a separate option for clients without roots', () => {
    const named = [...args, '--root', '/proj/web', '--root', '/proj/api'];
    deepEqual(
      clients.map(client => [client, hubOf(client).args]),
      clients.map(client => {
        const tells = ['claude-code', 'gemini-cli', 'cursor'].includes(client);
        return [client, tells ? args : named];
      }),
    );
    equal(hubOf('cursor').name, 'mcp-roots-hub');
  });

  test('has a placeholder when no folder is open', () => {
    deepEqual(hubOf('other', []).args, [...args, '--root', '/path/to/project']);
  });
});

describe('the command line for Claude Code', () => {
  const lineOf = (path: string, platform: NodeJS.Platform = 'linux') =>
    clientSnippet('claude-code', [serverEntry('claude-code', 'files', path, [])], platform);
  const skip = onlyOn('posix', 'a shell reads the line');
  const awkward = [
    '/Users/Ada Lovelace/Application Support/x.cjs',
    "/proj/it's/$HOME/`id`/x.cjs",
    '/proj/"quoted"/!/*/\\/x.cjs',
    '/proj/ünï/日本/x.cjs',
  ];
  for (const path of awkward) {
    test(`survives a POSIX shell with ${path}`, { skip }, () => {
      const script = `claude() { printf '%s\\0' "$@"; }; ${lineOf(path)}`;
      const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
      deepEqual(words.split('\0').slice(0, -1), [
        ...['mcp', 'add', '--scope', 'user', 'files', '--', 'node'],
        ...[path, '--server', 'files'],
      ]);
    });
  }

  test('quotes text on Windows that its shells would split or expand', () => {
    const start = 'claude mcp add --scope user files "--" node';
    const path = 'C:\\Users\\Ada L\\x.cjs';
    equal(lineOf(path, 'win32'), `${start} "${path}" --server files`);
    equal(lineOf("C:\\$it's\\x.cjs", 'win32'), `${start} 'C:\\$it''s\\x.cjs' --server files`);
  });
});
