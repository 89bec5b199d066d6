import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { authorizationServer, protectedServer } from '../../support/authorizationServer.ts';
import { until } from '../../support/processes.ts';
import { rawHttpServer, sendJson } from '../../support/rawHttpServer.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { answerRow, detailsOf, rowOf, seenWhen, serverNamed } from '../support/shownRows.ts';
import { testEnds } from '../support/testEnds.ts';
import { filesWith } from '../support/writtenFiles.ts';

describe('a server over HTTP', () => {
  const t = testEnds();
  const person = personForEachTest();
  unsetAfterEachTest('trace');
  const { openExternal } = vscode.env;
  const { showInputBox } = vscode.window;
  afterEach(() => {
    Object.assign(vscode.env, { openExternal });
    Object.assign(vscode.window, { showInputBox });
  });

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  async function start(name: string, definition: object, ...answers: (string | string[])[]) {
    await define(name, definition);
    person().will(name, ...answers);
    await run('startServer');
    return serverNamed(name);
  }
  const define = (name: string, definition: object) =>
    setServers({ [name]: { type: 'http', ...definition } });
  /** What the server plans, and its row, when it waits after so many deaths. */
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

  it('on this machine is told of its folders and of changes, and nothing is left of it', async () => {
    const remote = await rawHttpServer(t);
    const server = await start('near', { url: remote.url }, ...allow);
    const { detail } = await person().sees(/^Allow "near" to see/);
    assert.ok(
      detail.includes(`The settings of this workspace reach it at: ${remote.url}\n`),
      detail,
    );
    assert.match(detail, /This server is another program, reached over HTTP\. The names and paths/);
    assert.doesNotMatch(detail, /WARNING/);
    assert.equal(rowOf(server)[0], 'server.running');
    const told: unknown[] = [];
    const ask = async () => {
      const id = `roots-${told.length}`;
      const answers = () => remote.requests.filter(({ message }) => message?.id === id);
      remote.push({ jsonrpc: '2.0', id, method: 'roots/list' });
      await until('it is answered', () => answers().length > 0);
      told.push(...answers().map(({ message }) => message?.['result']));
    };
    const roots = (...names: string[]) => ({
      roots: names.map(name => ({ uri: uriOf(name).toString(), name })),
    });
    await until('it can ask', () => remote.streams.size > 0);
    await ask();
    await answerRow(server, 'web', false);
    await until('it is told', () => remote.got('notifications/roots/list_changed').length === 1);
    await ask();
    assert.deepEqual(told, [roots('api', 'web'), roots('api')]);
    await run('stopServer');
    assert.equal(remote.requests.at(-1)?.method, 'DELETE');
    assert.equal(rowOf(server)[0], 'server.stopped');
    await until('nobody listens', () => remote.streams.size === 0);
  });

  it('elsewhere is asked about in stronger words, and tried again after a while if it is not there', async () => {
    const url = 'http://mcp.example.invalid/mcp';
    await define('far', { url });
    const server = await serverNamed('far');
    const [first, second] = [waiting(server, 1), waiting(server, 2)];
    person().will('far', ...allow);
    await run('startServer');
    const { detail } = await person().sees(/^Allow "far" to see/);
    assert.match(detail, /WARNING: this server runs on another machine\..* LEAVE THIS MACHINE/);
    await person().sees(/^"far" can't be reached: mcp\.example\.invalid: /);
    const { at, row, details } = await first;
    const [context, description] = row;
    assert.equal(context, 'server.failed.waiting');
    assert.match(description, /^retry at \S+/);
    assert.match(String(details[0]), /^far: can't be reached: /);
    assert.match(String(details[1]), /^Tried again at .+ \(failed tries: 1\)$/);
    assert.ok((await second).at > at);
    await run('stopServer');
    assert.deepEqual([rowOf(server)[0], server.plan], ['server.stopped', { kind: 'none' }]);
  });

  it('gets headers with secrets, which are nowhere else, though it repeats them', async () => {
    await set('trace', true);
    const token = `s3cret/${randomUUID()}`;
    Object.assign(vscode.window, { showInputBox: async () => token });
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
    assert.ok(detail.endsWith('\nHeaders: "Authorization=Bearer ${input:token}"'), detail);
    assert.equal(rowOf(server)[0], 'server.running');
    const sent = remote.requests.map(({ headers: { authorization } }) => authorization);
    assert.deepEqual(new Set(sent), new Set([`Bearer ${token}`]));
    await until('it listens', () => remote.streams.size > 0);
    const params = { level: 'info', data: `hello ${token}` };
    remote.push({ jsonrpc: '2.0', method: 'notifications/message', params });
    await eventually(() => assert.match(filesWith('hello •••').join(), /headed\.log/));
    const say = server.callTool({ name: 'say', arguments: {} });
    await assert.rejects(say, /nothing to say to •••/);
    await run('stopServer');
    assert.deepEqual(filesWith(token, encodeURIComponent(token)), []);
    assert.ok(!JSON.stringify(person().seen).includes(token));
  });

  it('lets a person sign in through the browser once, and what comes of it is in no file', async () => {
    await set('trace', true);
    const authorization = await authorizationServer(t);
    const remote = await protectedServer(t, authorization);
    const pages: string[] = [];
    const openExternal = async (url: string) => {
      pages.push(new URL(url).host);
      return (await fetch(url)).ok;
    };
    Object.assign(vscode.env, { openExternal });
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
