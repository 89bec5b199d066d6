import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { authorizationServer, protectedServer } from '../../support/authorizationServer.ts';
import { until } from '../../support/processes.ts';
import { rawHttpServer, sendJson } from '../../support/rawHttpServer.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { replacing } from '../support/replacing.ts';
import { detailsOf, rowOf, seenWhen, serverNamed } from '../support/shownRows.ts';
import { testEnds } from '../support/testEnds.ts';
import { filesWith } from '../support/writtenFiles.ts';

describe('a server over HTTP', () => {
  const t = testEnds();
  const person = personForEachTest();
  unsetAfterEachTest('trace');
  const replace = replacing();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  async function start(name: string, definition: object, ...answers: (string | string[])[]) {
    await define(name, definition);
    person().will(name, ...answers);
    await run('startServer');
    return serverNamed(name);
  }
  const define = (name: string, definition: object) =>
    setServers({ [name]: { type: 'http', ...definition } });
  /** The server's plan, and its row, when it waits after so many deaths. */
  const waiting = (server: Server, count: number) =>
    seenWhen(
      server,
      ({ plan }) => plan.kind === 'waiting' && plan.deaths === count,
      ({ plan }) => ({
        at: plan.kind === 'waiting' ? plan.at : 0,
        row: rowOf(server),
        details: detailsOf(server),
      }),
    );
  const allow = ['Choose Folders…', ['api', 'web'], 'Until the Window Closes'];

  it('on another machine needs an answer to a warning, and is retried while it is away', async () => {
    const url = 'http://mcp.example.invalid/mcp';
    await define('far', { url });
    const server = await serverNamed('far');
    const [first, second] = [waiting(server, 1), waiting(server, 2)];
    person().will('far', ...allow);
    await run('startServer');
    const { detail } = await person().sees(/^Allow "far" to see/);
    assert.match(detail, /WARNING: .* LEAVE THIS MACHINE/);
    await person().sees(/^"far" can't be reached: mcp\.example\.invalid: /);
    const { at, row, details } = await first;
    const [context, description] = row;
    assert.equal(context, 'server.failed.waiting');
    assert.match(description, /^retry at \S+/);
    assert.match(String(details[0]), /^far: can't be reached: /);
    assert.match(String(details[1]), /^The server starts again at .+ \(failed tries: 1\)$/);
    assert.ok((await second).at > at);
    await run('stopServer');
    assert.deepEqual([rowOf(server)[0], server.plan], ['server.stopped', { kind: 'none' }]);
  });

  it('gets secrets in headers, which no file or message repeats', async () => {
    await set('trace', true);
    const token = `s3cret/${randomUUID()}`;
    replace(vscode.window, { showInputBox: async () => token });
    const remote = await rawHttpServer(t, ({ message: { id, method } = {} }, response) => {
      const tools = [{ name: 'say', inputSchema: { type: 'object' } }];
      const error = { code: -32000, message: `nothing to say to ${token}` };
      return method === 'tools/list' || method === 'tools/call'
        ? sendJson(response, 200, {
            ...{ jsonrpc: '2.0', id },
            ...(method === 'tools/list' ? { result: { tools } } : { error }),
          })
        : false;
    });
    const headers = { Authorization: 'Bearer ${input:token}' };
    const server = await start('headed', { url: remote.url, headers }, ...allow);
    const { detail } = await person().sees(/^Allow "headed" to see/);
    assert.ok(detail.includes(`: ${remote.url}\n`), detail);
    assert.ok(detail.endsWith('\nHeaders: "Authorization=Bearer ${input:token}"'), detail);
    assert.doesNotMatch(detail, /WARNING/);
    assert.equal(rowOf(server)[0], 'server.running');
    const sent = remote.requests.map(({ headers: { authorization } }) => authorization);
    assert.deepEqual(new Set(sent), new Set([`Bearer ${token}`]));
    await until('it listens', () => remote.streams.size > 0);
    const params = { level: 'info', data: `hello ${token}` };
    remote.push({ jsonrpc: '2.0', method: 'notifications/message', params });
    await eventually(() => assert.match(filesWith('hello •••').join(), /headed\.log/));
    const say = server.requests.callTool({ name: 'say', arguments: {} });
    await assert.rejects(say, /nothing to say to •••/);
    await run('stopServer');
    assert.equal(rowOf(server)[0], 'server.stopped');
    assert.deepEqual(filesWith(token, encodeURIComponent(token)), []);
    assert.ok(!JSON.stringify(person().seen).includes(token));
  });

  it('signs the user in once through the browser, and keeps the tokens out of files', async () => {
    await set('trace', true);
    const authorization = await authorizationServer(t);
    const remote = await protectedServer(t, authorization);
    const pages: string[] = [];
    const openExternal = async (url: string) => {
      pages.push(new URL(url).host);
      return (await fetch(url)).ok;
    };
    replace(vscode.env, { openExternal });
    const server = await start('signed-in', { url: remote.url }, ...allow);
    assert.equal(rowOf(server)[0], 'server.running');
    await run('restartServer');
    assert.deepEqual(pages, [new URL(authorization.url).host]);
    person().will('signed-in');
    await run('forgetSecrets');
    await run('restartServer');
    assert.equal(rowOf(server)[0], 'server.running');
    assert.equal(pages.length, 2);
    await run('stopServer');
    assert.ok(authorization.secrets.length >= 8);
    assert.deepEqual(filesWith(...authorization.secrets), []);
    const seen = JSON.stringify(person().seen);
    assert.ok(!authorization.secrets.some(secret => seen.includes(secret)));
  });
});
