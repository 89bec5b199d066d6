import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { hubName } from '../../src/domain/gateway/clientEntries.ts';
import { rootOf, type ToolResult } from '../support/bundledServer.ts';
import { readManual } from '../support/manual.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

// The Node of the person who runs this: npm's scripts prefer the project's Node.
const node = process.env['npm_node_execpath'] ?? process.execPath;
const archive = join(import.meta.dirname, '..', '..', 'dist', 'mcp-roots.tgz');
const isWindows = process.platform === 'win32';

describe(`the package for npm, on ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`, () => {
  const ends: (() => void)[] = [];
  let installed = '';

  before(() => {
    installed = tempFolder({ after: end => ends.push(end as () => void) });
    writeFileSync(join(installed, 'package.json'), '{}');
    const args = ['install', '--offline', '--no-audit', '--no-fund', archive];
    execFileSync('npm', args, { cwd: installed, shell: isWindows, stdio: 'ignore' });
  });
  after(() => {
    for (const end of ends) {
      end();
    }
  });

  test('holds these files', () => {
    const listed = execFileSync('npm', ['pack', archive, '--dry-run', '--json'], {
      cwd: installed,
      encoding: 'utf8',
      shell: isWindows,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [packed] = JSON.parse(listed) as { readonly files: { readonly path: string }[] }[];
    deepEqual(packed?.files.map(({ path }) => path).sort(), [
      'LICENSE',
      'LICENSES.txt',
      'README.md',
      'connect.js',
      'hub.js',
      'hubConfig.schema.json',
      'package.json',
      'server.js',
      'waysOut.js',
    ]);
  });

  test('runs under its name, with the first Node on the path or a chosen Node', () => {
    const { version } = JSON.parse(
      readFileSync(join(packageOf(installed), 'package.json'), 'utf8'),
    );
    const program = join(
      installed,
      'node_modules',
      '.bin',
      isWindows ? 'mcp-roots.cmd' : 'mcp-roots',
    );
    const run = (command: string, args: readonly string[], path: string) => {
      const env = { ...process.env, PATH: path };
      const options = { cwd: installed, encoding: 'utf8', env, shell: isWindows } as const;
      return spawnSync(command, [...args, '--version'], options).stdout;
    };
    equal(run(program, [], join(node, '..')), `${version}\n`);
    if (!isWindows) {
      equal(run(node, [program], ''), `${version}\n`, 'without a PATH');
    }
  });

  test('serves a folder to the SDK’s client', async t => {
    writeTree(installed, { 'shared/a.txt': 'inside', 'b.txt': 'outside' });
    const shared = join(installed, 'shared');
    const client = await connected(t, installed, '--root', shared);
    const reading = (path: string) =>
      client.callTool({ name: 'read-file', arguments: { path: join(installed, path) } });
    match(JSON.stringify(await reading(join('shared', 'a.txt'))), /inside/);
    equal((await reading('b.txt')).isError, true);
  });

  test('is a hub for another server that learns its roots', async t => {
    writeTree(installed, { 'project/': '' });
    const project = join(installed, 'project');
    const files = { command: node, args: [join(packageOf(installed), 'server.js')] };
    const config = join(installed, 'servers.json');
    writeFileSync(config, JSON.stringify({ servers: { files } }));
    const client = await connected(t, installed, 'hub', '--config', config, '--root', project);
    const asked = { serverName: 'files', toolName: 'get-roots', toolArgs: {} };
    const answer = await client.callTool({ name: 'call-tool', arguments: asked });
    deepEqual(
      [answer.isError ?? false, JSON.stringify(answer).includes(rootOf(project).uri)],
      [false, true],
    );
  });

  test('answers the Inspector as the manual of the hub shows', () => {
    writeTree(installed, { 'tried/note.txt': '', 'none.json': '{ "servers": {} }' });
    const tried = join(installed, 'tried');
    const { blocks } = readManual('hub');
    const [npx, yes, inspector, ...words] =
      blocks
        .find(({ text }) => text.startsWith('npx '))
        ?.text.trim()
        .split(' ') ?? [];
    deepEqual([npx, yes, inspector], ['npx', '-y', '@modelcontextprotocol/inspector']);
    const entries = JSON.parse(blocks.find(({ text }) => text.includes('"roots"'))?.text ?? '');
    const entry = entries.mcpServers[hubName];
    const places = new Map([
      ['/path/to/servers.json', join(installed, 'none.json')],
      ['/path/to/project', tried],
    ]);
    entry.args = entry.args.map((arg: string) => places.get(arg) ?? arg);
    entry.roots = [rootOf(tried)];
    writeFileSync(join(installed, 'inspector.json'), JSON.stringify(entries));
    const { structuredContent } = runInspector(words, {
      cwd: installed,
      path: [join(installed, 'node_modules', '.bin'), join(node, '..')].join(delimiter),
    });
    deepEqual(structuredContent?.['files'], ['note.txt']);
  });

  test('has a connector that says which arguments it needs', () => {
    const connector = join(packageOf(installed), 'connect.js');
    const { stderr } = spawnSync(node, [connector], { encoding: 'utf8' });
    match(stderr, /--server NAME/);
  });
});

function packageOf(installed: string): string {
  return join(installed, 'node_modules', 'mcp-roots');
}

async function connected(t: TestContext, cwd: string, ...args: readonly string[]) {
  const client = new Client({ name: 'test', version: '1' });
  t.after(() => client.close());
  const server = join(packageOf(cwd), 'server.js');
  await client.connect(
    new StdioClientTransport({ command: node, args: [server, ...args], cwd, stderr: 'ignore' }),
  );
  return client;
}

/** The Inspector's output for these words on its command line: the result in several lines. */
function runInspector(
  words: readonly string[],
  { cwd, path }: { readonly cwd: string; readonly path: string },
): ToolResult {
  const inspector = join(
    import.meta.dirname,
    '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  );
  const env = { ...process.env, PATH: path, HOME: cwd, USERPROFILE: cwd };
  const options = { cwd, encoding: 'utf8', env } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [inspector, ...words], options);
  ok(stdout, stderr);
  return JSON.parse(stdout);
}
