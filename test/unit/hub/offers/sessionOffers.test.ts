import assert, { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import { offeredName, offeredUri } from '../../../../src/domain/hubConfig/offeredNames.ts';
import { HumanError } from '../../../../src/domain/sentence.ts';
import {
  findOffer,
  listOffers,
  type OfferingUpstream,
  SessionOffers,
} from '../../../../src/hub/offers/sessionOffers.ts';
import { type OfferKind, UpstreamOffers } from '../../../../src/hub/offers/upstreamOffers.ts';

type SessionUpstreams = ConstructorParameters<typeof SessionOffers>[0];
type Lists = Readonly<Record<string, readonly object[]>>;

/** A server that runs and has these lists, or does with the request what the function does. */
function running(name: string, lists: Lists | (() => Promise<Lists>)) {
  const forward = typeof lists === 'function' ? lists : () => Promise.resolve(lists);
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const offerings = new UpstreamOffers({ capabilities, ask: forward });
  return { server: { name }, isUp: true, offerings, comeUp: async () => {} };
}

function stopped(name: string) {
  return { ...running(name, () => assert.fail('asked')), isUp: false };
}

function offered<K extends OfferKind>(kind: K) {
  const problems: string[] = [];
  const logger = { warn: (problem: string) => void problems.push(problem) };
  const list = {
    list: (upstreams: readonly OfferingUpstream[]) => listOffers(kind, upstreams, logger),
    find: (upstreams: readonly OfferingUpstream[], name: string) =>
      findOffer(kind, upstreams, name, logger),
  };
  return { list, problems };
}

const context = {} as ServerContext;

/** A session with these servers, and others that are not run; what it notes as calls that were not. */
function session(present: () => readonly object[], notRun: readonly string[] = []) {
  const noted: unknown[] = [];
  const upstreams = { present, started: present } as unknown as SessionUpstreams;
  const calls = { noteUnrun: (names: unknown, error: unknown) => void noted.push([names, error]) };
  const config = { leftOut: notRun, switchedOff: [] };
  const offers = new SessionOffers(upstreams, calls, config, { warn: () => {} });
  const name = (offered: string) => offers.find('tools', offered, offered, context);
  const uri = (offered: string) => offers.find('resources', offered, 'resources/read', context);
  return { offers, name, uri, noted };
}

test('a server that fails is left out, and it is said why', async () => {
  const { list: tools, problems } = offered('tools');
  const error = new Error('no\ntools');
  const listed = await tools.list([
    running('broken\n', () => Promise.reject(error)),
    running('files', { tools: [{ name: 'read' }] }),
  ]);
  assert.deepEqual(listed, [{ name: 'files__read' }]);
  assert.deepEqual(problems, ['broken\\u000a: It did not say what it offers: no\\u000atools']);
});

test('of a server that does not run, those are listed that it had when it ran', async () => {
  const { list: tools } = offered('tools');
  const files = running('files', { tools: [{ name: 'read' }] });
  await tools.list([files]);
  files.offerings.dropAll();
  const servers = [{ ...files, isUp: false }, stopped('other')];
  const names = (await tools.list(servers)).map(({ name }) => name);
  assert.deepEqual(names, ['files__read']);
});

test('a plain name is found without asking anybody', async () => {
  const { list: tools } = offered('tools');
  const files = running('files', () => assert.fail('asked'));
  const git = stopped('git');
  const children = [files, git];
  assert.deepEqual(
    [
      await tools.find(children, 'files__read'),
      await tools.find(children, 'git__log'),
      await tools.find(children, 'other__log'),
      await tools.find(children, 'list-tools'),
    ],
    [{ upstream: files, own: 'read' }, { upstream: git, own: 'log' }, undefined, undefined],
  );
});

test('a name with a hash is found where it is listed', async () => {
  const { list: tools, problems } = offered('tools');
  const one = running('a.b', { tools: [{ name: 'x' }] });
  const other = running('a_b', { tools: [{ name: 'x.y' }, { name: 'x' }] });
  const broken = running('a-b', () => assert.fail('asked'));
  const children = [broken, one, other];
  const names = (await tools.list([one, other])).map(({ name }) => name);
  const found = await Promise.all(names.map(name => tools.find(children, name)));
  assert.deepEqual(found, [
    { upstream: one, own: 'x' },
    { upstream: other, own: 'x.y' },
    { upstream: other, own: 'x' },
  ]);
  assert.equal(await tools.find(children, 'a_b__x_00000000'), undefined);
  assert.deepEqual(problems, []);
});

test('a name with a hash that only a stopped server can explain names that server', async () => {
  const { list: tools } = offered('tools');
  const git = stopped('git');
  const [listed] = await offered('tools').list.list([
    running('git', { tools: [{ name: 'log.all' }] }),
  ]);
  assert.deepEqual(await tools.find([git], listed!.name), { upstream: git, own: undefined });
  const known = running('git', { tools: [{ name: 'log.all' }] });
  await tools.list([known]);
  const ended = { ...known, isUp: false };
  assert.deepEqual(await tools.find([ended], listed!.name), { upstream: ended, own: 'log.all' });
});

const files = running('files', {
  resources: [{ name: 'A', uri: 'file:///proj/a', size: 1 }],
  resourceTemplates: [{ name: 'Any', uriTemplate: 'file:///{+path}', _meta: {} }],
});
const notes = running('My Notes', {
  resources: [{ name: 'A', uri: 'memo://a' }, { uri: 'b' }],
  resourceTemplates: [],
});

test('nobody is told of resources of a server that does not run', async () => {
  const { list: resources } = offered('resources');
  await resources.list([files]);
  assert.deepEqual(await resources.list([{ ...files, isUp: false }]), []);
});

test('a URI is found with the server that it is of', async () => {
  const { list: resources } = offered('resources');
  const children = [files, notes];
  const listed = await resources.list(children);
  assert.deepEqual(await Promise.all(listed.map(({ uri }) => resources.find(children, uri))), [
    { upstream: files, own: 'file:///proj/a' },
    { upstream: notes, own: 'memo://a' },
    { upstream: notes, own: 'b' },
  ]);
  assert.equal(await resources.find(children, 'file:///proj/a'), undefined);
  assert.equal(await resources.find([files], listed[1]!.uri), undefined);
});

test('a request is taken down as refused when there can be no servers to look it up', async () => {
  const tooMany = new HumanError('The hub serves too many clients.');
  const { name, uri, noted } = session(() => {
    throw tooMany;
  });
  await rejects(name('files__read'), tooMany);
  await rejects(uri('files+demo://a'), tooMany);
  deepEqual(noted, [
    [{ serverName: '', toolName: 'files__read' }, tooMany],
    [{ serverName: '', toolName: 'resources/read' }, tooMany],
  ]);
});

test('what is the bundled server’s own needs no server to be told', async () => {
  const { name, uri, noted } = session(() => {
    throw new Error('Nobody is to be asked.');
  });
  equal(await name('read-file'), undefined);
  equal(await uri('FILE:///proj/a+b'), undefined);
  deepEqual(noted, []);
});

test('a server that is not run is known by what it would offer, and one of that name that runs goes first', async () => {
  const running = { server: { name: 'both' }, isReady: false };
  const { name, uri } = session(() => [running], ['both', 'off', 'turned off']);
  deepEqual(await name('both__read'), { serverName: 'both', own: 'read', upstream: running });
  deepEqual(await name('off__read'), { serverName: 'off', own: 'read' });
  // Which tool that is, only the server could tell.
  const hashed = offeredName('turned off', 'read');
  deepEqual(await name(hashed), { serverName: 'turned off', own: hashed });
  equal(await name('offer__read'), undefined);
  for (const serverName of ['off', 'turned off']) {
    deepEqual(await uri(offeredUri(serverName, 'demo://a')), { serverName, own: 'demo://a' });
  }
  equal(await uri('demo://a'), undefined);
});
