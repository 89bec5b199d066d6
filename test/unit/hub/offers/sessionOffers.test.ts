import assert, { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { offeredName } from '../../../../src/domain/hubConfig/offeredNames.ts';
import { HumanError } from '../../../../src/domain/sentence.ts';
import {
  findTool,
  listTools,
  type OffersSession,
  offerAnswers,
} from '../../../../src/hub/offers/sessionOffers.ts';
import { UpstreamOffers } from '../../../../src/hub/offers/upstreamOffers.ts';
import type { HubHost } from '../../../../src/server/hubHost.ts';

type Lists = Readonly<Record<string, readonly object[]>>;

/** A running server with these lists, or with this function for requests. */
function running(name: string, lists: Lists | (() => Promise<Lists>)) {
  const forward = typeof lists === 'function' ? lists : () => Promise.resolve(lists);
  const capabilities = { tools: {} };
  const offerings = new UpstreamOffers({ capabilities, forward });
  return { server: { name }, isUp: true, offerings, comeUp: async () => {} };
}

/** A stopped server, and the outcome of its start. */
function stopped(name: string, lists?: Lists) {
  const comeUp = () => (lists ? Promise.resolve() : Promise.reject(new HumanError('It fails.')));
  return { ...running(name, lists ?? (() => assert.fail('asked'))), isUp: false, comeUp };
}

const context = { mcpReq: {} } as ServerContext;

/** A session with these servers and others that do not run, and its refused calls. */
function session(present: () => readonly object[], notRun: readonly string[] = []) {
  const noted: unknown[] = [];
  const problems: string[] = [];
  const upstreams = {
    present: async () => present(),
    started: async () => present(),
  } as unknown as OffersSession['upstreams'];
  const calls = {
    noteUnrun: (names: unknown, error: unknown) => void noted.push([names, error]),
    run: async (call: object) => ({ ...call }),
  };
  const config = { leftOut: notRun, switchedOff: [] };
  const logger = { warn: (problem: string) => void problems.push(problem) };
  const offers = { upstreams, calls, config, logger };
  const tools = () => listTools(offers, context);
  const name = (offered: string) => findTool(offers, offered, context);
  const host = { fitted: (result: object) => result } as unknown as HubHost;
  const answers = new Map(offerAnswers(host, offers));
  /** The answer to a request of the client, where this is the bundled server's own. */
  const answer = (method: string, own: Record<string, unknown>, params = {}) =>
    answers.get(method)!({ method, params }, context, async () => own);
  return { tools, name, answer, noted, problems };
}

test('leaves out a server that fails, with the reason', async () => {
  const error = new Error('no\ntools');
  const { tools, problems } = session(() => [
    running('broken\n', () => Promise.reject(error)),
    running('files', { tools: [{ name: 'read' }] }),
    stopped('other'),
  ]);
  deepEqual(await tools(), [{ name: 'files__read', inputSchema: { type: 'object' } }]);
  match(problems.join(), /^broken\\u000a: .* no\\u000atools$/);
});

test('lists the tools of servers after its last page, and passes calls on', async () => {
  const files = running('files', { tools: [{ name: 'read' }] });
  const { answer } = session(() => [files]);
  const own = { tools: [{ name: 'read-file' }] };
  const names = async (page: Record<string, unknown>) =>
    ((await answer('tools/list', page))['tools'] as { name: string }[]).map(({ name }) => name);
  deepEqual(await names({ ...own, nextCursor: 'x' }), ['read-file']);
  deepEqual(await names(own), ['read-file', 'files__read']);
  deepEqual(await answer('tools/call', own, { name: 'read-file' }), own);
  const call = { name: 'files__read', arguments: { a: 1 }, path: '/x' };
  deepEqual(await answer('tools/call', own, call), {
    serverName: 'files',
    toolName: 'read',
    args: { a: 1 },
    params: { name: 'read', arguments: { a: 1 } },
  });
});

test('finds a plain name without asking a server', async () => {
  const files = running('files', () => assert.fail('asked'));
  const git = stopped('git');
  const { name } = session(() => [files, git]);
  const names = ['files__read', 'git__log', 'other__log', 'list-tools'];
  deepEqual(await Promise.all(names.map(name)), [
    { serverName: 'files', own: 'read', upstream: files },
    { serverName: 'git', own: 'log', upstream: git },
    undefined,
    undefined,
  ]);
});

test('finds a name with a hash where it is listed', async () => {
  const one = running('a.b', { tools: [{ name: 'x' }] });
  const other = running('a_b', { tools: [{ name: 'x.y' }, { name: 'x' }] });
  const broken = running('a-b', () => assert.fail('asked'));
  const { tools } = session(() => [one, other]);
  const { name } = session(() => [broken, one, other]);
  const names = (await tools()).map(tool => tool.name);
  deepEqual(await Promise.all(names.map(name)), [
    { serverName: 'a.b', own: 'x', upstream: one },
    { serverName: 'a_b', own: 'x.y', upstream: other },
    { serverName: 'a_b', own: 'x', upstream: other },
  ]);
  equal(await name('a_b__x_00000000'), undefined);
});

test('starts the one server that can explain a name with a hash, after asking those that run', async () => {
  const hashed = offeredName('git', 'log.all');
  const git = stopped('git', { tools: [{ name: 'log.all' }] });
  const same = running('git', { tools: [{ name: 'log.all' }] });
  const target = { serverName: 'git', own: 'log.all', upstream: git };
  deepEqual(await session(() => [git]).name(hashed), target);
  // Only the first letters tell the two apart.
  const [failing, long] = ['long-server-one', 'long-server-two'];
  const other = { ...same, server: { name: long } };
  const both = session(() => [stopped(failing), other]);
  equal((await both.name(offeredName(long, 'log.all')))?.upstream, other);
  const ofFailing = offeredName(failing, 'log.all');
  await rejects(both.name(ofFailing), { message: 'It fails.' });
  deepEqual(both.noted, [
    [{ serverName: failing, toolName: ofFailing }, new HumanError('It fails.')],
  ]);
  const last = session(() => [stopped(failing), stopped(long, { tools: [] })]);
  await rejects(last.name(ofFailing), { message: 'It fails.' });
  deepEqual(last.noted, both.noted);
});

test('records a request as refused when no server could resolve it', async () => {
  const tooMany = new HumanError('The hub serves too many clients.');
  const { name, noted } = session(() => {
    throw tooMany;
  });
  // No server is looked up for a tool of the bundled server.
  equal(await name('read-file'), undefined);
  await rejects(name('files__read'), tooMany);
  deepEqual(noted, [[{ serverName: '', toolName: 'files__read' }, tooMany]]);
});

test('knows the offers of a stopped server, and prefers a running one of that name', async () => {
  const running = { server: { name: 'both' }, isReady: false };
  const { name } = session(() => [running], ['both', 'off', 'turned off']);
  deepEqual(await name('both__read'), { serverName: 'both', own: 'read', upstream: running });
  deepEqual(await name('off__read'), { serverName: 'off', own: 'read', upstream: undefined });
  // Which tool that is, only the server could tell.
  const hashed = offeredName('turned off', 'read');
  const off = { serverName: 'turned off', own: hashed, upstream: undefined };
  deepEqual(await name(hashed), off);
  equal(await name('offer__read'), undefined);
});
