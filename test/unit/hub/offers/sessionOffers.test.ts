import assert, { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { offeredName } from '../../../../src/domain/hubConfig/offeredNames.ts';
import { HumanError } from '../../../../src/domain/sentence.ts';
import {
  findTool,
  listTools,
  type OffersSession,
} from '../../../../src/hub/offers/sessionOffers.ts';
import { UpstreamOffers } from '../../../../src/hub/offers/upstreamOffers.ts';

type Lists = Readonly<Record<string, readonly object[]>>;

/** A server that runs and has these lists, or does with the request what the function does. */
function running(name: string, lists: Lists | (() => Promise<Lists>)) {
  const forward = typeof lists === 'function' ? lists : () => Promise.resolve(lists);
  const capabilities = { tools: {} };
  const offerings = new UpstreamOffers({ capabilities, forward });
  return { server: { name }, isUp: true, offerings, comeUp: async () => {} };
}

/** A server that does not run, and what it comes to when it is started. */
function stopped(name: string, lists?: Lists) {
  const comeUp = () => (lists ? Promise.resolve() : Promise.reject(new HumanError('It fails.')));
  return { ...running(name, lists ?? (() => assert.fail('asked'))), isUp: false, comeUp };
}

const context = { mcpReq: {} } as ServerContext;

/** A session with these servers, and others that are not run; what it notes as calls that were not. */
function session(present: () => readonly object[], notRun: readonly string[] = []) {
  const noted: unknown[] = [];
  const problems: string[] = [];
  const upstreams = {
    present: async () => present(),
    started: async () => present(),
  } as unknown as OffersSession['upstreams'];
  const calls = {
    noteUnrun: (names: unknown, error: unknown) => void noted.push([names, error]),
    run: () => assert.fail('called'),
  };
  const config = { leftOut: notRun, switchedOff: [] };
  const logger = { warn: (problem: string) => void problems.push(problem) };
  const offers = { upstreams, calls, config, logger };
  const tools = () => listTools(offers, context);
  const name = (offered: string) => findTool(offers, offered, context);
  return { tools, name, noted, problems };
}

test('a server that fails is left out, and it is said why', async () => {
  const error = new Error('no\ntools');
  const { tools, problems } = session(() => [
    running('broken\n', () => Promise.reject(error)),
    running('files', { tools: [{ name: 'read' }] }),
    stopped('other'),
  ]);
  deepEqual(await tools(), [{ name: 'files__read' }]);
  deepEqual(problems, ['broken\\u000a: It did not say what it offers: no\\u000atools']);
});

test('a plain name is found without asking anybody', async () => {
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

test('a name with a hash is found where it is listed', async () => {
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

test('a server that alone can explain a name with a hash is started, after those that run were asked', async () => {
  const hashed = offeredName('git', 'log.all');
  const git = stopped('git', { tools: [{ name: 'log.all' }] });
  const same = running('git', { tools: [{ name: 'log.all' }] });
  deepEqual(await session(() => [git]).name(hashed), {
    serverName: 'git',
    own: 'log.all',
    upstream: git,
  });
  // Which of both it is, is told by no more than their first letters.
  const [failing, long] = ['long-server-one', 'long-server-two'];
  const target = { ...same, server: { name: long } };
  const both = session(() => [stopped(failing), target]);
  equal((await both.name(offeredName(long, 'log.all')))?.upstream, target);
  const ofFailing = offeredName(failing, 'log.all');
  await rejects(both.name(ofFailing), { message: 'It fails.' });
  deepEqual(both.noted, [
    [{ serverName: failing, toolName: ofFailing }, new HumanError('It fails.')],
  ]);
  const last = session(() => [stopped(failing), stopped(long, { tools: [] })]);
  await rejects(last.name(ofFailing), { message: 'It fails.' });
  deepEqual(last.noted, both.noted);
});

test('a request is taken down as refused when there can be no servers to look it up', async () => {
  const tooMany = new HumanError('The hub serves too many clients.');
  const { name, noted } = session(() => {
    throw tooMany;
  });
  await rejects(name('files__read'), tooMany);
  deepEqual(noted, [[{ serverName: '', toolName: 'files__read' }, tooMany]]);
});

test('what is the bundled server’s own needs no server to be told', async () => {
  const { name, noted } = session(() => {
    throw new Error('Nobody is to be asked.');
  });
  equal(await name('read-file'), undefined);
  deepEqual(noted, []);
});

test('a server that is not run is known by what it would offer, and one of that name that runs goes first', async () => {
  const running = { server: { name: 'both' }, isReady: false };
  const { name } = session(() => [running], ['both', 'off', 'turned off']);
  deepEqual(await name('both__read'), { serverName: 'both', own: 'read', upstream: running });
  deepEqual(await name('off__read'), { serverName: 'off', own: 'read', upstream: undefined });
  // Which tool that is, only the server could tell.
  const hashed = offeredName('turned off', 'read');
  deepEqual(await name(hashed), {
    serverName: 'turned off',
    own: hashed,
    upstream: undefined,
  });
  equal(await name('offer__read'), undefined);
});
