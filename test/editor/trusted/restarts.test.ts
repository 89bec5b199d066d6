import assert from 'node:assert/strict';
import * as vscode from 'vscode';
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

  it('is started again by itself after half a second, and its row says so meanwhile', async () => {
    const own = new OwnServer('mortal');
    await own.defineAs();
    const server = await startWith(person(), own.name, 'api');
    await own.until(({ answers }) => answers.length >= 1);
    const started = Date.now();
    const looking = seenWhen(
      server,
      ({ plan }) => plan.kind === 'waiting',
      ({ plan }) => ({ plan, row: rowOf(server), details: detailsOf(server) }),
    );
    await assert.rejects(server.callTool({ name: 'die', arguments: {} }));
    const seen = await looking;
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
