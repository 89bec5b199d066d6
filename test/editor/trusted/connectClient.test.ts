import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { pathBeside } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { serverNamed } from '../support/shownRows.ts';

const connectClient = () => vscode.commands.executeCommand('mcpRoots.connectClient');
const bundled = ['MCP Roots Server'];

describe('a client of a window', () => {
  const person = personForEachTest();
  const home = homeAt(homedir());
  const file = join(pathBeside('home'), '.copilot', 'mcp-config.json');
  const copilot = ['Copilot CLI', bundled, 'Write to ~/.copilot/mcp-config.json'] as const;

  beforeEach(() => {
    // Otherwise the tests would write the files of the person who runs them.
    Object.assign(process.env, homeAt(pathBeside('home')));
  });

  afterEach(async () => {
    Object.assign(process.env, home);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(pathBeside('home'), { recursive: true, force: true });
  });

  it('gets an entry in its file that starts the connector', async () => {
    person().will(...copilot);
    await connectClient();
    assert.equal(vscode.window.activeTextEditor?.document.fileName, file);
    await person().sees(/^"Copilot CLI" knows .*: roots_e6rnv6\.$/);
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
    const [connector, ...args] = mcpServers['roots_e6rnv6'].args;
    assert.deepEqual(args, ['--server', 'roots_e6rnv6']);
    assert.equal(vscode.workspace.asRelativePath(connector), connector);
    const { stderr, status } = spawnSync(process.execPath, [connector], { encoding: 'utf8' });
    assert.match(stderr, /\nUsage: mcp-roots-connect --server NAME/);
    assert.equal(status, 2);
  });

  it('gets a reason when the user checked no server', async () => {
    person().will('Copilot CLI', []);
    await connectClient();
    await person().sees(/^Nothing was connected.* "Copilot CLI"/);
  });

  it('keeps an entry of the same name until the user replaces it', async () => {
    const mine =
      '{\n  // Mine.\n  "mcpServers": { "roots_e6rnv6": { "command": "mine" }, "b": 1 }\n}\n';
    write(mine);
    person().will(...copilot);
    await connectClient();
    await person().sees(/^~\/\.copilot\/mcp-config\.json has .*: roots_e6rnv6\.$/);
    assert.equal(readFileSync(file, 'utf8'), mine);
    person().will(...copilot, 'Replace');
    await connectClient();
    const after = readFileSync(file, 'utf8');
    assert.match(after, /^\{\n {2}\/\/ Mine\.\n {2}"mcpServers"/);
    assert.match(after, /"--server",\s+"roots_e6rnv6".*"b": 1/s);
  });

  it('gets the entry on the clipboard when its file is broken', async () => {
    write('{ "mcpServers": ');
    person().will(...copilot);
    await connectClient();
    await person().sees(/^~\/\.copilot\/mcp-config\.json was not changed.* line 1, .* Copied\./);
    assert.equal(readFileSync(file, 'utf8'), '{ "mcpServers": ');
    const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText());
    assert.deepEqual(Object.keys(mcpServers), ['roots_e6rnv6']);
  });

  it('does not write its file through a link that leads out of the workspace', async () => {
    const [api, bashrc] = [pathBeside('api'), join(pathBeside('home'), '.bashrc')];
    const intoCursor = ['Cursor', bundled, 'Write to api/.cursor/mcp.json'] as const;
    write('');
    writeFileSync(bashrc, '{}');
    // A file, the folder that it lies in, and a file that is not there yet.
    const links = { 'mcp.json': bashrc, '.': dirname(bashrc), ' ': join(dirname(bashrc), 'new') };
    for (const [name, target] of Object.entries(links)) {
      const link = join(api, '.cursor', name === ' ' ? 'mcp.json' : name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(target, link);
      person().will(...intoCursor);
      await connectClient();
      await person().sees(/mcp\.json was not changed.* a link out of the workspace/);
      assert.deepEqual(readdirSync(pathBeside('home')).sort(), ['.bashrc', '.copilot']);
      assert.equal(readFileSync(bashrc, 'utf8'), '{}');
      rmSync(join(api, '.cursor'), { recursive: true });
    }
    const inside = join(api, 'config', 'mcp.json');
    mkdirSync(dirname(inside));
    writeFileSync(inside, '{ "mcpServers": {} }', { mode: 0o640 });
    symlinkSync('config', join(api, '.cursor'));
    person().will(...intoCursor);
    await connectClient();
    await person().sees(/knows these servers/);
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(inside, 'utf8')).mcpServers), [
      'roots_e6rnv6',
    ]);
    assert.deepEqual(readdirSync(dirname(inside)), ['mcp.json']);
    assert.equal(lstatSync(join(api, '.cursor')).isSymbolicLink(), true);
    for (const name of ['.cursor', 'config']) {
      rmSync(join(api, name), { recursive: true });
    }
  });

  it('starts with the server of the row checked, or with the only server', async () => {
    await setServers({ mine: { command: 'mine' } });
    const server = await serverNamed('mine');
    const { showQuickPick } = vscode.window;
    const picked: unknown[] = [];
    const watching = async (items: readonly vscode.QuickPickItem[], options: object) => {
      picked.push(items.filter(item => item.picked).map(({ label }) => label));
      return showQuickPick(items, options);
    };
    Object.assign(vscode.window, { showQuickPick: watching });
    person().will('Claude Code', ['mine'], 'Copy');
    await vscode.commands.executeCommand('mcpRoots.connectClientTo', { kind: 'server', server });
    assert.deepEqual(picked, [[], ['mine'], []]);
    assert.match(
      await vscode.env.clipboard.readText(),
      /^claude mcp add .* mine .* --server mine$/,
    );
    await setServers({});
    person().will('Claude Code', bundled, 'Copy');
    await connectClient();
    assert.deepEqual(picked.slice(3), [[], bundled, []], 'There is no other.');
  });

  function write(text: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
});

/** Where the user's own files are, on every system. */
function homeAt(path: string): Record<string, string> {
  return { HOME: path, USERPROFILE: path };
}
