import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { renameFolder } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { becomes, rowOf, seenWhen, serverNamed } from '../support/shownRows.ts';

describe('a server that dies', () => {
  const person = personForEachTest();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  const waits = ({ plan }: Server) => plan.kind === 'waiting';

  /** Starts a server and has it die; `look` is called when it waits to be started again. */
  async function startAndKill<T>(own: OwnServer, look: (server: Server) => T) {
    person().will(own.name, 'Choose Folders…', ['api'], 'For This Session');
    await run('startServer');
    const server = await serverNamed(own.name);
    await own.until(({ answers }) => answers.length >= 1);
    const started = Date.now();
    const looking = seenWhen(server, waits, look);
    person().will('die');
    await run('callTool');
    await person().sees(/^The call of die failed: /);
    return { server, started, seen: await looking };
  }

  it('is started again by itself after half a second, and its row says so meanwhile', async () => {
    const own = new OwnServer('mortal');
    await own.defineAs();
    const { server, started, seen } = await startAndKill(own, server => ({
      plan: server.plan,
      row: rowOf(server),
    }));
    const [context, description] = seen.row;
    assert.equal(context, 'server.failed.waiting');
    const words =
      /^starts again at .+ \(deaths: 1\) · ended with exit code 7: panic: index out of range$/;
    assert.match(description, words);
    assert.ok(seen.plan.kind === 'waiting' && seen.plan.at >= started + 500);
    await own.until(({ answers }) => answers.length >= 2);
    await becomes(server, ({ state }) => state.kind === 'running');
    assert.deepEqual(own.answers, [['api'], ['api']]);
    assert.equal(rowOf(server)[0], 'server.running');
  });

  it('stays dead when it is stopped while it waits, and starts when a person starts it', async () => {
    const own = new OwnServer('stopped');
    await own.defineAs();
    const { server } = await startAndKill(own, () => run('stopServer'));
    assert.deepEqual(server.plan, { kind: 'none' });
    assert.equal(rowOf(server)[0], 'server.stopped');
    person().will(own.name);
    await run('startServer');
    await own.until(({ answers }) => answers.length >= 2);
    assert.equal(own.pids.length, 2);
  });

  it('is given up after five deaths, and forgiven them when a person starts it', async () => {
    const own = new OwnServer('hopeless');
    await own.defineAs({ protocol: 'legacy' }, { dies: 'at-start' });
    person().will(own.name, 'Choose Folders…', ['api'], 'For This Session');
    await run('startServer');
    const server = await serverNamed(own.name);
    await becomes(server, ({ plan }) => plan.kind === 'given-up');
    const [context, description] = rowOf(server);
    assert.equal(context, 'server.failed.given-up');
    assert.match(description, /^given up after 5 deaths · ended with exit code 3: no such option/);
    assert.equal(own.pids.length, 5);
    const forgiven = seenWhen(server, waits, ({ plan }) => plan);
    person().will(own.name);
    await run('startServer');
    const plan = await forgiven;
    assert.ok(plan.kind === 'waiting' && plan.deaths === 1);
  });
});

describe('a server that does not ask again', () => {
  const person = personForEachTest();

  it('is shown as such three seconds after its folders changed, with a restart at hand', async () => {
    const own = new OwnServer('forgetful');
    await own.defineAs({}, { asks: 'never' });
    person().will(own.name, 'Choose Folders…', ['api', 'web'], 'For This Session');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const server = await serverNamed(own.name);
    await server.callTool({ name: 'ask', arguments: {} });
    assert.match(rowOf(server)[1], /^running · 2025-11-25/);
    const changed = Date.now();
    await renameFolder('web', 'site');
    await own.until(({ notices }) => notices >= 1);
    await becomes(server, ({ isNeglecting }) => isNeglecting);
    assert.ok(Date.now() - changed >= 3000);
    const [context, description] = rowOf(server);
    assert.equal(context, 'server.running.stale');
    assert.match(description, /^running · has not asked again since its folders changed/);
    await server.callTool({ name: 'ask', arguments: {} });
    await becomes(server, ({ isNeglecting }) => !isNeglecting);
    assert.equal(rowOf(server)[0], 'server.running');
    await renameFolder('site', 'web');
  });
});
