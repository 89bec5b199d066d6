import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { SkippedRoot } from '../../src/server/roots/rootFolders.ts';
import { connect, RawSession, refusedFor, rootOf, toolCall } from '../support/bundledServer.ts';
import { share } from '../support/sharing.ts';
import { tempFolder, writeTree } from '../support/temp.ts';
import { said } from '../support/texts.ts';

describe('the roots of a client', { concurrency: true }, () => {
  test('the server gets exactly the roots of its client', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'one two/': '', 'ünï#%/': '' });
    const [one, two] = [join(folder, 'one two'), join(folder, 'ünï#%')];
    const client = await connect(t, 'SDK 2 (legacy)', { roots: [rootOf(one, 'One'), rootOf(two)] });
    const { structuredContent } = await client.call('get-roots');
    deepEqual(structuredContent, {
      supportsRoots: true,
      rootsListChanged: true,
      rootsCount: 2,
      roots: [{ uri: pathToFileURL(one).href, name: 'One' }, { uri: pathToFileURL(two).href }],
      filePaths: [one, two],
      workingDirectory: one,
      era: 'legacy',
      source: 'client',
      skipped: [],
    });
  });

  test('a client without the capability is never asked and gives no access', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'a' });
    const client = await connect(t, 'SDK 2 (legacy)', {});
    const path = join(folder, 'a.txt');
    const { problem, ...shown } = (await client.call('get-roots')).structuredContent ?? {};
    equal(said(String(problem)), 'rootsView.viewWithoutRoots()');
    deepEqual(shown, {
      supportsRoots: false,
      rootsListChanged: false,
      rootsCount: 0,
      roots: [],
      filePaths: [],
      era: 'legacy',
      source: 'none',
      skipped: [],
    });
    equal((await client.call('read-file', { path })).isError, true);
    equal((await client.call('list-directory', { path: folder })).isError, true);
    equal((await client.call('check-path', { path })).structuredContent?.['inside'], false);
    equal(client.timesAsked(), 0);
  });
});

test('asks a legacy client once until a change, and a modern client within each call', async t => {
  const folder = tempFolder(t);
  const legacy = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(folder)] });
  const modern = await connect(t, 'SDK 2 (modern)', { roots: [rootOf(folder)] });
  for (const client of [legacy, modern]) {
    await client.call('get-roots');
    await client.call('list-directory');
  }
  deepEqual([legacy.timesAsked(), modern.timesAsked()], [1, 2]);
  await legacy.notify();
  await legacy.call('list-directory');
  equal(legacy.timesAsked(), 2);
});

test('refuses calls after an error on a refresh, until a later answer is a list', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const client = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(folder)] });
  equal((await client.call('read-file', { path: 'a.txt' })).isError, undefined);
  client.roots = () => {
    throw new Error('list is broken');
  };
  await client.notify();
  const refused = await client.call('read-file', { path: join(folder, 'a.txt') });
  match(
    refusedFor(refused),
    /^toolSet\.ToolSet\.2\(cachedAnswer\.CachedAnswer\.reason\(.*list is broken/,
  );
  client.roots = [rootOf(folder)];
  equal((await client.call('read-file', { path: 'a.txt' })).isError, undefined);
});

test('never serves old roots to a call that comes in one piece with the notice', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const session = new RawSession(t);
  await session.initialize();
  const first = await session.rootsRequest();
  // The answer that is on its way when the roots change is outdated before it arrives.
  session.send(
    { method: 'notifications/roots/list_changed' },
    { id: first.id, result: { roots: [rootOf(folder)] } },
    toolCall(2, 'read-file', { path: join(folder, 'a.txt') }),
  );
  await share(session, []);
  equal((await session.answerTo(2)).result?.isError, true);
  session.send({ method: 'notifications/roots/list_changed' }, toolCall(3, 'get-roots'));
  await share(session, [rootOf(folder)]);
  equal((await session.answerTo(3)).result?.structuredContent?.['rootsCount'], 1);
});

test('serves other requests while the client has not answered on its roots', async t => {
  const session = new RawSession(t);
  await session.initialize();
  await session.rootsRequest();
  session.send({ id: 2, method: 'tools/list' });
  const tools = (await session.answerTo(2)).result?.['tools'] as { name: string }[];
  equal(tools[0]?.name, 'get-roots');
});

test('keeps the other roots when one is invalid', async t => {
  const folder = tempFolder(t);
  const session = new RawSession(t);
  await session.initialize();
  const { id } = await session.rootsRequest();
  const roots = [{ uri: 'vscode-vfs://github/a' }, 'text', null, { uri: 7 }, rootOf(folder)];
  session.send({ id, result: { roots } }, toolCall(2, 'get-roots'));
  const { roots: inForce, skipped } = (await session.answerTo(2)).result?.structuredContent ?? {};
  const uris = (skipped as readonly SkippedRoot[]).map(({ uri }) => uri);
  deepEqual([inForce, uris], [[rootOf(folder)], ['vscode-vfs://github/a', '', '', '7']]);
});

test('refuses calls when the answer is not a list of roots, in both eras', async t => {
  const session = new RawSession(t);
  await session.initialize();
  const { id } = await session.rootsRequest();
  session.send({ id, result: { roots: 'all' } }, toolCall(2, 'list-directory', { path: '/' }));
  equal((await session.answerTo(2)).result?.isError, true);

  const modern = new RawSession(t);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { roots: {} },
  };
  const params = { name: 'list-directory', arguments: { path: '/' }, _meta };
  modern.send({ id: 1, method: 'tools/call', params });
  deepEqual((await modern.answerTo(1)).result?.['inputRequests'], {
    roots: { method: 'roots/list' },
  });
  const inputResponses = { roots: { roots: 'all' } };
  modern.send({ id: 2, method: 'tools/call', params: { ...params, inputResponses } });
  equal((await modern.answerTo(2)).result?.isError, true);
});
