import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  privateRegistry,
  registeredServer,
  skipWithoutOpenssl,
} from '../../support/privateRegistry.ts';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { textOf } from '../../support/sandbox/sandboxedServer.ts';
import { uriOf } from '../support/folders.ts';
import { hideSandboxes } from '../support/hiddenSandboxes.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs, type Reply } from '../support/quickInputs.ts';
import { Recorder, setServers } from '../support/recorder.ts';
import {
  answerRow,
  becomes,
  detailsOf,
  rowOf,
  serverNamed,
  startWith,
} from '../support/shownRows.ts';
import { testEnds } from '../support/testEnds.ts';

const confined = 'running · confined';
const bundled = 'MCP Roots Server';

describe('a confined server', () => {
  // Before the person leaves.
  afterEach(async () => {
    await run('stopServer');
    person().will('Revoke');
    await run('revokeAll');
    await setBundledSandbox('off');
  });

  const t = testEnds();
  const person = personForEachTest();
  const run = (command: string, row?: object) =>
    vscode.commands.executeCommand(`mcpRoots.${command}`, row);

  it('starts only where a sandbox is available, and says so in its row', async function () {
    const own = new Recorder('kept');
    await own.define({ sandbox: { write: [own.folder] } });
    person().will(own.name, 'Choose Folders…', ['api'], 'Until the Window Closes');
    const show = hideSandboxes();
    await run('startServer').then(show, show);
    // The package that its program belongs to.
    assert.match((await person().sees(/^Allow "kept" to see/)).detail, /\nNeeds to read: \S/);
    await person().sees(/^"kept" .*: bubblewrap is missing/);
    const server = await serverNamed(own.name);
    assert.deepEqual(rowOf(server), ['server.failed', 'failed']);
    assert.match(String(detailsOf(server)[0]), /^kept: .*: bubblewrap is missing/);
    assert.deepEqual(own.launches, []);
    await skipWithoutSandbox(this);
    await vscode.commands.executeCommand('mcpRoots.startServer', { kind: 'server', server });
    await becomes(server, ({ state }) => state.kind === 'running');
    assert.equal(rowOf(server)[1], confined);
    const lines = detailsOf(server);
    assert.match(lines.join('\n'), /^Confined: .* bubblewrap [\d.]+\nThe network is open/m);
    assert.match(lines.join('\n'), /^Also reads: .*node_modules/m);
    assert.ok(lines.join('\n').includes(`Also changes: ${own.folder}, `), lines.join('\n'));
  });

  it('stays as npx installed it until the user updates it', async function () {
    await skipWithoutSandbox(this);
    skipFor(skipWithoutOpenssl(), this);
    const code = "require('node:fs').appendFileSync(__dirname + '/stored', 'x');";
    const registry = await privateRegistry(t, '', code);
    const { env } = registry;
    await setServers({
      fetched: {
        command: 'npx',
        args: ['-y', registeredServer],
        env,
        sandbox: { read: [registry.authority] },
      },
    });
    const server = await startWith(person(), 'fetched', 'api');
    assert.equal(rowOf(server)[0], 'server.running.installed');
    const times = () => registry.asked.filter(path => path === '/server.tgz').length;
    await run('restartServer');
    assert.equal(times(), 1);
    await run('updateServer');
    const update = await person().sees(/^Update server "fetched"\?$/);
    assert.match(update.detail ?? '', new RegExp(`program: "${registeredServer}/stored"`));
    assert.equal(times(), 1);
    person().will('Update');
    await run('updateServer');
    assert.deepEqual([times(), server.state.kind], [2, 'running']);
    await run('removeServer', { kind: 'server', server });
    const removal = await person().sees(/^Remove server "fetched"\?$/);
    assert.match(removal.detail ?? '', /stored in its sandbox: "private-server\/stored"/);
  });

  it('can be the bundled server, which searches files and takes new folders', async function () {
    await skipWithoutSandbox(this);
    await setBundledSandbox('auto');
    mkdirSync(join(uriOf('api').fsPath, 'src'), { recursive: true });
    writeFileSync(join(uriOf('api').fsPath, 'src', 'kept.ts'), 'const needle = 1;\n');
    await besideAnother();
    const server = await startWith(person(), bundled, 'api');
    assert.equal(rowOf(server)[1], confined);
    assert.ok(detailsOf(server).includes('No network'));
    assert.deepEqual(
      server.lastStart?.sandbox?.roots.map(({ name, isReadOnly }) => [name, isReadOnly]),
      [['api', true]],
    );
    const answer = async (name: string, args: object) =>
      textOf(await server.requests.callTool({ name, arguments: { ...args } }));
    assert.match(await answer('find-files', { pattern: '**/*.ts' }), /kept\.ts/);
    assert.match(await answer('search-text', { query: 'needle' }), /kept\.ts/);
    const { pid } = server.state as { pid?: number };
    await answerRow(server, 'web', true);
    await becomes(server, ({ state }) => state.kind === 'running' && state.pid !== pid);
    assert.match(await answer('get-roots', {}), /web/);
    assert.equal(person().seen.filter(({ text }) => /restart/i.test(text)).length, 0);
  });
});

describe('a new server', () => {
  const person = personForEachTest();
  let quick: QuickInputs;
  beforeEach(() => {
    quick = new QuickInputs();
  });
  afterEach(() => quick.leave());

  it('gets a sandbox where one is available, unless the user says no', async function () {
    await skipWithoutSandbox(this);
    const add = (line: string, ...replies: Reply[]) => {
      const workspace = [{ pick: 'Settings' }, { pick: 'Add' }];
      quick.will({ enter: line }, ...replies, ...workspace);
      return vscode.commands.executeCommand('mcpRoots.addServer');
    };
    await add('true one');
    await add('true two', { pick: 'Sandbox' });
    // The test reports the program as missing, even if this machine has it.
    const container = 'PATH=/nowhere docker run image';
    await add(container, { enter: container });
    const review = quick.asked.at(-1)?.content ?? '';
    assert.match(review, /^Add\n/);
    assert.doesNotMatch(review, /Sandbox/);
    const plain = { command: 'true' };
    assert.deepEqual(vscode.workspace.getConfiguration('mcpRoots').get('servers'), {
      image: {
        command: 'docker',
        args: ['run', 'image'],
        env: { PATH: '/nowhere' },
      },
      true: { ...plain, args: ['one'], sandbox: 'on' },
      'true-2': { ...plain, args: ['two'], sandbox: 'off' },
    });
    await person().sees(/^"true" was added, but not started yet\.$/);
  });

  it('from another client gets a sandbox too, and the import shows it', async function () {
    await skipWithoutSandbox(this);
    const folder = join(uriOf('api').fsPath, '.vscode');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'mcp.json');
    const imported = { command: 'imported' };
    const boxed = { command: 'docker', args: ['run', 'image'] };
    writeFileSync(file, JSON.stringify({ servers: { imported, boxed } }));
    const keep = 'Keep Servers in Their Folders';
    quick.will({ check: ['imported', 'boxed'] }, { pick: keep });
    person().will('Workspace');
    await vscode.commands.executeCommand('mcpRoots.importServers');
    rmSync(file);
    assert.deepEqual(
      quick.asked.map(({ content }) => content),
      ['.vscode/mcp.json (api)\n*imported\n*boxed', `${keep}\nNo Sandbox`],
    );
    assert.deepEqual(vscode.workspace.getConfiguration('mcpRoots').get('servers'), {
      imported: { ...imported, sandbox: 'on' },
      boxed,
    });
  });
});

async function skipWithoutSandbox(context: Mocha.Context): Promise<void> {
  skipFor((await sandboxHere()).skip, context);
}

function skipFor(reason: string | false, context: Mocha.Context): void {
  if (reason) {
    console.log(reason);
    context.skip();
  }
}

/** With a single server, the command does not ask which one is meant. */
async function besideAnother(): Promise<void> {
  await setServers({ another: { command: 'no-such-program' } });
}

async function setBundledSandbox(value: 'auto' | 'off'): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace
    .getConfiguration('mcpRoots.bundledServer')
    .update('sandbox', value, Global);
}
