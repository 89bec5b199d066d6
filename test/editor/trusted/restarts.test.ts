import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { renameFolder, uriOf } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import {
  answerRow,
  becomes,
  detailsOf,
  rowOf,
  seenWhen,
  serverNamed,
  startWith,
} from '../support/shownRows.ts';

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
    await assert.rejects(server.callTool({ name: 'die', arguments: {} }));
    return { server, started, seen: await looking };
  }

  it('is started again by itself after half a second, and its row says so meanwhile', async () => {
    const own = new OwnServer('mortal');
    await own.defineAs();
    const { server, started, seen } = await startAndKill(own, server => ({
      plan: server.plan,
      row: rowOf(server),
      details: detailsOf(server),
    }));
    const [context, description] = seen.row;
    assert.equal(context, 'server.failed.waiting');
    assert.match(description, /^starts again at \S+/);
    const words = /: ended with exit code 7: panic: index out of range$/;
    assert.match(String(seen.details[0]), words);
    assert.match(String(seen.details[1]), /^Starts again at .+ \(deaths: 1\)$/);
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

  it('is given up after three starts, and forgiven them when a person starts it', async () => {
    const own = new OwnServer('hopeless');
    await own.defineAs({ protocol: 'legacy' }, { dies: 'at-start' });
    person().will(own.name, 'Choose Folders…', ['api'], 'For This Session');
    await run('startServer');
    const server = await serverNamed(own.name);
    await becomes(server, ({ plan }) => plan.kind === 'given-up');
    assert.deepEqual(rowOf(server), ['server.failed.given-up', 'failed']);
    const [first, second] = detailsOf(server);
    assert.match(String(first), /: ended with exit code 3: no such option/);
    assert.equal(second, 'It did not start in 3 tries: start it by hand');
    assert.equal(own.pids.length, 3);
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
    await becomes(server, ({ isSilent }) => isSilent);
    assert.match(
      detailsOf(server).join(),
      /It has never asked for its roots, though it had time to/,
    );
    await server.callTool({ name: 'ask', arguments: {} });
    assert.equal(rowOf(server)[1], 'running');
    const changed = Date.now();
    await renameFolder('web', 'site');
    await own.until(({ notices }) => notices >= 1);
    await becomes(server, ({ isNeglecting }) => isNeglecting);
    assert.ok(Date.now() - changed >= 3000);
    assert.deepEqual(rowOf(server), ['server.running.stale', 'restart']);
    assert.match(String(detailsOf(server)[1]), /^It has not asked again since its folders changed/);
    await server.callTool({ name: 'ask', arguments: {} });
    await becomes(server, ({ isNeglecting }) => !isNeglecting);
    assert.equal(rowOf(server)[0], 'server.running');
    await renameFolder('site', 'web');
  });
});

describe('a server that works in its first folder, and loses that', () => {
  const person = personForEachTest();

  it('is started again by itself in the first that is left', async () => {
    const own = new OwnServer('displaced');
    await own.defineAs();
    const server = await startWith(person(), own.name, 'api', 'web');
    await answerRow(server, 'api', false);
    await own.until(({ launches }) => launches.length >= 2);
    assert.equal(own.launches[1]?.cwd, uriOf('web').fsPath);
    await becomes(server, ({ state }) => state.kind === 'running');
    assert.equal(rowOf(server)[0], 'server.running');
  });
});
