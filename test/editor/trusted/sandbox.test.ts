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
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs, type Reply } from '../support/quickInputs.ts';
import { setServers } from '../support/recorder.ts';
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

describe('a server that the system keeps in its folders', () => {
  // Before the person leaves.
  afterEach(async () => {
    await run('stopServer');
    person().will('Revoke');
    await run('revokeAll');
    await setBundledSandbox('off');
  });

  const t = testEnds();
  const person = personForEachTest();
  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('may be the one of the extension, which alone runs without where there is none', async () => {
    await setBundledSandbox('auto');
    const show = hideSandboxes();
    await besideAnother();
    const server = await startWith(person(), bundled, 'api').finally(show);
    assert.equal(rowOf(server)[1], 'running');
    assert.match(
      detailsOf(server).join('\n'),
      /^Not kept in its folders by the system: bubblewrap is missing/m,
    );
  });

  it('is not started where there is no sandbox, says why in its row, and starts when there is one', async function () {
    const own = new OwnServer('kept');
    await own.defineAs({ sandbox: { write: [own.folder] } });
    person().will(own.name, 'Choose Folders…', ['api'], 'Until the Window Closes');
    const show = hideSandboxes();
    await run('startServer').then(show, show);
    // The package that its program belongs to.
    assert.match((await person().sees(/^Allow "kept" to see/)).detail, /\nTo run, it reads: \S/);
    await person().sees(/^"kept" could not be started: bubblewrap is missing/);
    const server = await serverNamed(own.name);
    assert.deepEqual(rowOf(server), ['server.failed', 'failed']);
    assert.match(
      String(detailsOf(server)[0]),
      /^kept: could not be started: bubblewrap is missing, with which/,
    );
    assert.deepEqual(own.launches, []);
    await skipWithoutSandbox(this);
    await vscode.commands.executeCommand('mcpRoots.startServer', { kind: 'server', server });
    await becomes(server, ({ state }) => state.kind === 'running');
    assert.equal(rowOf(server)[1], confined);
    const lines = detailsOf(server);
    assert.match(
      lines.join('\n'),
      /^Confined: kept in its folders by the system, with bubblewrap [\d.]+$/m,
    );
    assert.ok(lines.includes('The network is open to it'), lines.join('\n'));
    assert.match(lines.join('\n'), /^It can also read: .*node_modules/m);
    assert.ok(lines.includes(`It can also change: ${own.folder}`), lines.join('\n'));
  });

  it('stays as npx installed it, until it is updated', async function () {
    await skipWithoutSandbox(this);
    skipFor(skipWithoutOpenssl(), this);
    const registry = await privateRegistry(t);
    const env = { NODE_EXTRA_CA_CERTS: registry.authority, npm_config_registry: registry.url };
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
    assert.deepEqual([times(), server.state.kind], [2, 'running']);
  });

  it('may be the one of the extension, which finds and searches files there and takes new folders by itself', async function () {
    await skipWithoutSandbox(this);
    await setBundledSandbox('auto');
    mkdirSync(join(uriOf('api').fsPath, 'src'), { recursive: true });
    writeFileSync(join(uriOf('api').fsPath, 'src', 'kept.ts'), 'const needle = 1;\n');
    await besideAnother();
    const server = await startWith(person(), bundled, 'api');
    assert.equal(rowOf(server)[1], confined);
    assert.ok(detailsOf(server).includes('It has no network'));
    assert.deepEqual(
      server.lastStart?.sandbox?.roots.map(({ name, isReadOnly }) => [name, isReadOnly]),
      [['api', true]],
    );
    const answer = async (name: string, args: object) =>
      textOf(await server.callTool({ name, arguments: { ...args } }));
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

  it('is kept in its folders where that can be had, unless the user says no', async function () {
    await skipWithoutSandbox(this);
    const add = (line: string, ...replies: Reply[]) => {
      const workspace = [{ pick: 'Settings' }, { pick: 'Add' }];
      quick.will({ enter: line }, ...replies, ...workspace);
      return vscode.commands.executeCommand('mcpRoots.addServer');
    };
    await add('true one');
    await add('true two', { pick: 'Sandbox' });
    // Whether this machine has the program or not, it is said that it is not there.
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
    await person().sees(/^"true" was added\. It was not started yet\.$/);
  });

  it('of another client is so, too, and says so where it is shown before', async function () {
    await skipWithoutSandbox(this);
    const folder = join(uriOf('api').fsPath, '.vscode');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'mcp.json');
    const imported = { command: 'imported' };
    const boxed = { command: 'docker', args: ['run', 'image'] };
    writeFileSync(file, JSON.stringify({ servers: { imported, boxed } }));
    const keep = 'Keep Them in Their Folders';
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

/** With a server alone, nobody is asked which one is meant. */
async function besideAnother(): Promise<void> {
  await setServers({ another: { command: 'no-such-program' } });
}

async function setBundledSandbox(value: 'auto' | 'off'): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace
    .getConfiguration('mcpRoots.bundledServer')
    .update('sandbox', value, Global);
}
