import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { connect, RawSession, rootOf, toolCall } from '../support/bundledServer.ts';
import { share } from '../support/sharing.ts';
import { tempFolder, writeTree } from '../support/temp.ts';

const notShared = /^It is not known which folders are shared/;

describe('the roots of a client', { concurrency: true }, () => {
  test('the server gets exactly the roots its client names', async t => {
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
    const reason =
      'The client does not share folders (it has not declared the roots capability). ' +
      'Start the server with --root PATH to name the folders it may reach.';
    deepEqual((await client.call('get-roots')).structuredContent, {
      supportsRoots: false,
      rootsListChanged: false,
      rootsCount: 0,
      roots: [],
      filePaths: [],
      era: 'legacy',
      source: 'none',
      skipped: [],
      problem: reason,
    });
    equal((await client.call('read-file', { path })).isError, true);
    equal((await client.call('list-directory', { path: folder })).isError, true);
    equal((await client.call('check-path', { path })).structuredContent?.['inside'], false);
    equal(client.timesAsked(), 0);
  });

  test('an empty list is no access', async t => {
    const folder = tempFolder(t);
    writeTree(folder, { 'a.txt': 'a' });
    const client = await connect(t, 'SDK 2 (legacy)', { roots: [] });
    const results = await Promise.all([
      client.call('read-file', { path: join(folder, 'a.txt') }),
      client.call('list-directory', { path: folder }),
      client.call('list-directory', { path: '/' }),
      client.call('read-file', { path: 'a.txt' }),
    ]);
    deepEqual(
      results.map(({ isError }) => isError),
      [true, true, true, true],
    );
    match(results[0]?.content[0]?.text ?? '', /No folder is shared with it/);
  });
});

test('a client of the older protocol is asked once, and again only after a change', async t => {
  const folder = tempFolder(t);
  const client = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(folder)] });
  await client.call('get-roots');
  await client.call('list-directory');
  equal(client.timesAsked(), 1);
  await client.notify();
  await client.call('list-directory');
  equal(client.timesAsked(), 2);
});

test('a client of the newer protocol is asked within each call', async t => {
  const folder = tempFolder(t);
  const client = await connect(t, 'SDK 2 (modern)', { roots: [rootOf(folder)] });
  await client.call('get-roots');
  await client.call('list-directory');
  equal(client.timesAsked(), 2);
});

test('a refresh that is answered with an error refuses, until a later answer is a list', async t => {
  const folder = tempFolder(t);
  writeTree(folder, { 'a.txt': 'a' });
  const client = await connect(t, 'SDK 1 (legacy)', { roots: [rootOf(folder)] });
  equal((await client.call('read-file', { path: 'a.txt' })).isError, undefined);
  client.roots = () => {
    throw new Error('out of order');
  };
  await client.notify();
  const refused = await client.call('read-file', { path: join(folder, 'a.txt') });
  deepEqual([refused.isError, notShared.test(refused.content[0]?.text ?? '')], [true, true]);
  const { structuredContent } = await client.call('get-roots');
  match(
    String(structuredContent?.['problem']),
    /^The client did not name its roots: .*out of order/,
  );
  client.roots = [rootOf(folder)];
  equal((await client.call('read-file', { path: 'a.txt' })).isError, undefined);
});

test('a question for the roots that is never answered refuses within the limit', async t => {
  const session = new RawSession(t, ['--roots-timeout', '0.2']);
  await session.initialize();
  await session.rootsRequest();
  session.send(toolCall(3, 'read-file', { path: join(tempFolder(t), 'a.txt') }));
  const refused = (await session.answerTo(3)).result;
  deepEqual([refused?.isError, notShared.test(refused?.content[0]?.text ?? '')], [true, true]);
});

test('a notice and a call in one piece, with the answer still old, never serve the old roots', async t => {
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

test('other requests are served while the client still thinks about its roots', async t => {
  const session = new RawSession(t);
  await session.initialize();
  await session.rootsRequest();
  session.send({ id: 2, method: 'tools/list' });
  const tools = (await session.answerTo(2)).result?.['tools'] as { name: string }[];
  equal(tools[0]?.name, 'get-roots');
});

test('one root that no schema allows does not cost the others', async t => {
  const folder = tempFolder(t);
  const session = new RawSession(t);
  await session.initialize();
  const { id } = await session.rootsRequest();
  const roots = [{ uri: 'vscode-vfs://github/a' }, 'text', null, { uri: 7 }, rootOf(folder)];
  session.send({ id, result: { roots } }, toolCall(2, 'get-roots'));
  const shown = (await session.answerTo(2)).result?.structuredContent;
  const reason = 'It is not a file: URI.';
  deepEqual(
    [shown?.['roots'], shown?.['skipped']],
    [
      [rootOf(folder)],
      [
        { uri: 'vscode-vfs://github/a', reason },
        { uri: '', reason },
        { uri: '', reason },
        { uri: '7', reason },
      ],
    ],
  );
});

test('an answer that is no list of roots refuses, in both eras', async t => {
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
