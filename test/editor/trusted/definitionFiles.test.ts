import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DefinitionKind } from '../../../src/extension/definitionFiles/definitionKind.ts';
import { readDefinitions } from '../../../src/extension/definitionFiles/definitionText.ts';
import { ServerLenses } from '../../../src/extension/definitionFiles/serverLenses.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { shownServer } from '../../support/shownServer.ts';
import {
  click,
  linesIn,
  openFile,
  shown,
  showsLines,
  showsMarks,
  windowWith,
} from '../support/definitionFile.ts';
import { pathBeside, uriOf } from '../support/folders.ts';
import { hideSandboxes } from '../support/hiddenSandboxes.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs } from '../support/quickInputs.ts';
import { node, Recorder, setServers } from '../support/recorder.ts';
import { serverNamed } from '../support/shownRows.ts';

const stoppedLine = ['stopped', 'Start'];
const alsoStopped = (name: string) => [
  `Bypasses MCP Roots, which has a copy called "${name}": stopped`,
];
const unasked = 'Bypasses MCP Roots';
const schema = join(import.meta.dirname, '..', '..', '..', 'dist', 'hubConfig.schema.json');
const schemaUri = vscode.Uri.file(schema).toString();
describe('a file with definitions of servers', () => {
  const written: string[] = [];
  // Before the settings are written by others, who can't while they have unsaved changes.
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const path of written.splice(0)) {
      rmSync(path, { force: true, recursive: true });
    }
  });
  const person = personForEachTest();

  /** A file in a folder of the window, which is gone after the test. */
  const put = (folder: string, name: string, content: unknown) => {
    const path = join(uriOf(folder).fsPath, name);
    written.push(path);
    return openFile(path, content);
  };
  const workspaceFile = () => shown(vscode.workspace.workspaceFile!);

  describe('says above each server', () => {
    it('its present state, starts it from there, and follows its changes', async () => {
      await new Recorder('recorded').define();
      const document = await workspaceFile();
      await showsLines(document, { recorded: stoppedLine });
      person().will('Choose Folders…', ['api'], 'Until the Window Closes');
      await click(document, 'recorded', 'Start');
      await showsLines(document, { recorded: ['running'] });
      await (await serverNamed('recorded')).stop();
      await showsLines(document, { recorded: stoppedLine });
    });

    it('that this window leaves it out, because of a mistake or its place', async () => {
      await setServers({ files: { command: node }, odd: { comand: 'x' } });
      const odd = ['left out: a mistake in the settings'];
      await showsLines(await workspaceFile(), { files: stoppedLine, odd });
      const settings = { 'mcpRoots.servers': { files: { command: 'x' } } };
      const document = await put('api', '.vscode/settings.json', settings);
      await showsLines(document, { files: ['not in use in this window'] });
    });

    it('that another client starts it without MCP Roots, and imports it', async () => {
      await setServers({ same: { command: 'x' } });
      const document = await put('api', '.vscode/mcp.json', {
        servers: { same: { command: 'x' }, new: { command: 'y' }, odd: { type: 'websocket' } },
      });
      await showsLines(document, {
        same: alsoStopped('same'),
        new: [unasked, 'Import…'],
        odd: [unasked],
      });
      const showSandboxes = hideSandboxes();
      const quick = new QuickInputs();
      quick.will({ check: ['new'] });
      person().will('Workspace');
      await click(document, 'new', 'Import…');
      quick.leave();
      showSandboxes();
      assert.equal(quick.asked[0]?.content, '.vscode/mcp.json (api)\n*new');
      await showsLines(document, {
        same: alsoStopped('same'),
        new: alsoStopped('new'),
        odd: [unasked],
      });
    });

    it('which server of MCP Roots an entry leads to, with nothing to import', async () => {
      await setServers({ 'My Files': { command: node } });
      person().will('Other Client', ['My Files', 'The Hub']);
      await vscode.commands.executeCommand('mcpRoots.connectClient');
      await person().sees(/^Copied/);
      const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText());
      const [connector] = mcpServers['my-fil_gjxs7c'].args;
      const start = { command: 'node', args: [connector, '--server', 'gone'] };
      const document = await put('web', '.mcp.json', {
        mcpServers: { ...mcpServers, gone: start, other: { ...start, command: './node' } },
      });
      await showsLines(document, {
        'my-fil_gjxs7c': ['goes through MCP Roots to "My Files": stopped'],
        'mcp-roots-hub': ['the hub of MCP Roots'],
        gone: ['goes through MCP Roots to "gone"'],
        other: [unasked],
      });
    });
  });

  describe('says in words', () => {
    const from = (kind: DefinitionKind, ...servers: readonly Server[]) => ({
      /** The line above the server `files` in a file of this kind. */
      line: async (entry: object = { command: 'x' }) => {
        const content = JSON.stringify({ 'mcpRoots.servers': { files: entry } });
        const document = await vscode.workspace.openTextDocument({ content, language: 'jsonc' });
        const withId = () => servers[0];
        const read = () => readDefinitions(document, kind);
        const lenses = new ServerLenses(windowWith(withId), read);
        return lenses.provideCodeLenses(document).map(({ command }) => command?.title);
      },
    });
    const user = { kind: 'settings', from: 'user', under: [] } as const;
    const defined = (scope: 'user' | 'workspace', facts: Partial<Server> = {}) => {
      const server = shownServer(facts);
      return shownServer({ ...facts, definition: { ...server.definition, from: scope } });
    };

    it('that the workspace has a server of the same name, or why it does not run and how to start it', async () => {
      const state = { kind: 'failed', failure: { kind: 'silent', seconds: 60 } } as const;
      assert.deepEqual(
        [
          await from(user, defined('workspace')).line(),
          await from(user, defined('user', { state })).line(),
        ],
        [['not in use in this window'], ['failed: did not answer within 60 s', 'Start']],
      );
    });

    it('nothing that the file already says', async () => {
      const content = '{ "mcpRoots.servers": { "files": { "command": "x" } } }';
      const document = await vscode.workspace.openTextDocument({ content, language: 'jsonc' });
      let server: Server = defined('user');
      const read = () => readDefinitions(document, user);
      const lenses = new ServerLenses(
        windowWith(() => server),
        read,
      );
      let drawn = 0;
      lenses.onDidChangeCodeLenses(() => {
        drawn += 1;
        lenses.provideCodeLenses(document);
      });
      lenses.provideCodeLenses(document);
      lenses.refresh();
      assert.equal(drawn, 0);
      server = defined('user');
      lenses.refresh();
      lenses.refresh();
      assert.equal(drawn, 1, 'It is another server, though all that is said of it is the same.');
      server = defined('user', {
        state: { kind: 'failed', failure: { kind: 'silent', seconds: 60 } },
      });
      lenses.refresh();
      lenses.refresh();
      assert.equal(drawn, 2);
      lenses.dispose();
    });
  });

  describe('marks mistakes', () => {
    it('at their places, each once', async () => {
      await setServers({
        files: {
          comand: node,
          env: { DIRS: '${roots}' },
          sandbox: { read: ['data'] },
          url: 'https://example.com/mcp',
          type: 'stdio',
        },
      });
      const document = await workspaceFile();
      await showsMarks(
        document,
        `error "comand": ${JSON.stringify(node)}`,
        'error "DIRS": "${roots}"',
        'error "data"',
        'error "url": "https://example.com/mcp"',
        'error "files"',
      );
    });

    it('in the servers of the hub, also repeated keys', async () => {
      const text = `{ "$schema": "${schemaUri}", "mcpServers": {
        "a": { "command": "${node}", "guard": { "deny": ["src\\\\**", "../x"] } },
        "b": { "command": "${node}", "args": ["\${TOKEN}"], "env": { "API_TOKEN": "hunter22" } },
        "b": { "command": "${node}" }
      } }`;
      const document = await put('api', 'hub.json', text);
      await showsMarks(
        document,
        'error "src\\\\**"',
        'error "../x"',
        ...Array(2).fill('warning "b"'),
      );
      assert.deepEqual(await linesIn(document), {}, 'They run for clients, and not in the window.');
      const other = await put('api', 'other.json', {
        mcpServers: { a: { guard: { deny: ['../x'] } } },
      });
      await vscode.commands.executeCommand('vscode.executeCodeLensProvider', other.uri, 10);
      await showsMarks(other);
    });

    it('where a secret is written in plain text', async () => {
      const token = `s3cret-${randomUUID()}`;
      await setServers({
        files: { command: node, args: ['--token', token, 'x'], env: { API_TOKEN: token, A: 'b' } },
      });
      const document = await workspaceFile();
      await showsMarks(document, `warning "${token}"`, `warning "API_TOKEN": "${token}"`);
    });

    it('not where the file has an unknown form', async () => {
      const folder = mkdtempSync(pathBeside('other-'));
      written.push(folder);
      const settings = { 'mcpRoots.servers': { files: { comand: 'x' } } };
      const document = await openFile(join(folder, 'settings.json'), settings);
      await vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 10);
      await showsMarks(document);
      assert.deepEqual(await linesIn(document), {});
    });
  });
});
