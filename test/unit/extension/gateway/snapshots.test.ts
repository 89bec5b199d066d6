import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { lastSaid, readSnapshots, snapshotsFolder } from '../../../../src/connect/snapshot.ts';
import type { Asking } from '../../../../src/domain/gate/gate.ts';
import { isSameJson } from '../../../../src/domain/json.ts';
import { forgetLastSaid, Snapshots } from '../../../../src/extension/gateway/snapshots.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { noLogger } from '../../../support/noLogger.ts';
import { until } from '../../../support/processes.ts';
import { publishable } from '../../../support/publishing.ts';
import { tempFolder } from '../../../support/temp.ts';

const listed = { method: 'tools/list', params: {}, result: { tools: [] } };

function files(identity: string, from: 'user' | 'workspace' = 'workspace') {
  const server: Pick<Server, 'identity'> & { readonly definition: object } = {
    definition: { id: 'f', label: 'files', from },
    identity,
  };
  return server as Server;
}

const noClients = () => [];

/** A window with one server and a snapshot of it. */
function windowOf(
  home: string,
  id: string,
  server = files('a1'),
  askings: () => readonly Asking[] = noClients,
) {
  const snapshots = new Snapshots(home, id, noLogger, askings);
  snapshots.describe({ name: id, folders: [`/${id}`] });
  snapshots.note('files', server, listed);
  return snapshots;
}

const inFile = (home: string, id: string) =>
  readSnapshots(join(snapshotsFolder(home), `${id}.json`));
const identity = (home: string, id: string) => inFile(home, id)?.servers['files']?.identity;

test('keeps snapshots of servers with the same name by window', t => {
  const home = tempFolder(t);
  windowOf(home, 'a').describe({ name: 'a', folders: ['/moved'] });
  windowOf(home, 'b', files('b2', 'user'));
  const { writtenAt: _, ...first } = inFile(home, 'a')!;
  const answers = { 'tools/list legacy': { tools: [] } };
  const servers = { files: { identity: 'a1', isOfUser: false, answers, shown: {} } };
  deepEqual(first, { name: 'a', folders: ['/moved'], servers });
  deepEqual(inFile(home, 'b')?.servers['files']?.isOfUser, true);
});

test('a window keeps the snapshots of its unchanged servers', t => {
  const home = tempFolder(t);
  windowOf(home, 'a');
  const again = (server: object, isUsable: boolean) => {
    const servers = { all: [server], onDidChange: new Emitter<undefined>().event };
    new Snapshots(home, 'a', noLogger, noClients)
      .follow(servers as never, () => isUsable)
      .dispose();
    return identity(home, 'a');
  };
  equal(again(files('a1'), true), 'a1');
  equal(again(files('b2'), true), undefined);
  windowOf(home, 'a');
  equal(again(files('a1'), false), undefined);
  deepEqual(readdirSync(snapshotsFolder(home)), []);
});

test('forgetting a user server cleans the files of all windows', t => {
  const home = tempFolder(t);
  const forget = () => forgetLastSaid(home, 'files', 'c3');
  forget();
  windowOf(home, 'a');
  const b = windowOf(home, 'b', files('b2', 'user'));
  b.note('other', files('d4', 'user'), listed);
  b.note('files-2', files('c3', 'user'), listed);
  windowOf(home, 'c', files('c3', 'user'));
  const path = join(snapshotsFolder(home), 'b.json');
  utimesSync(path, 1000, 1000);
  writeFileSync(join(snapshotsFolder(home), 'd.json'), '{"folders":[],"servers":null}');
  forget();
  deepEqual(
    [identity(home, 'a'), Object.keys(inFile(home, 'b')?.servers ?? {}), inFile(home, 'c')],
    ['a1', ['other'], undefined],
  );
  equal(statSync(path).mtimeMs, 1_000_000, 'it is not kept longer for that');
});

test('removes a snapshot when its server can no longer be used', async t => {
  const home = tempFolder(t);
  let isUsable = true;
  const didChange = new Emitter<undefined>();
  const servers = { all: [files('a1')], onDidChange: didChange.event };
  const following = windowOf(home, 'a').follow(servers as never, () => isUsable);
  t.after(() => following.dispose());
  equal(identity(home, 'a'), 'a1');
  isUsable = false;
  didChange.fire(undefined);
  await until('it is gone', () => identity(home, 'a') === undefined);
});

test('keeps what the gate shows each client, and asks the gate again after a change', async t => {
  const home = tempFolder(t);
  let isAllowed = false;
  const server = files('a1');
  const askings = (): Asking[] => [
    {},
    { server: publishable('files'), client: { name: 'codex', isAllowed, isWithdrawn: false } },
  ];
  const snapshots = windowOf(home, 'a', server, askings);
  const tools = [{ name: 'read' }];
  snapshots.note('files', server, { ...listed, result: { tools } });
  const seenBy = (client: string) => {
    const wish = { cwd: '/a', client };
    const { snapshot } = lastSaid(home, 'files', wish, process.platform) ?? {};
    return snapshot?.answers['tools/list legacy'];
  };
  const initialize = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
  snapshots.note('files', server, { method: 'initialize', params: initialize, result: initialize });
  deepEqual([seenBy('codex'), seenBy('other')], [{ tools: [] }, { tools }]);
  const didChange = new Emitter<undefined>();
  const servers = { all: [server], onDidChange: didChange.event };
  const following = snapshots.follow(servers as never, () => true);
  t.after(() => following.dispose());
  isAllowed = true;
  didChange.fire(undefined);
  await until('it is allowed', () => isSameJson(seenBy('codex'), { tools }));
});

test('names the tools that the server listed, until the server changes', t => {
  const snapshots = windowOf(tempFolder(t), 'a');
  const tools = [{ name: 'read' }];
  snapshots.note('files', files('a1'), { ...listed, result: { tools } });
  deepEqual(snapshots.toolsOf('files', files('a1')), tools);
  deepEqual(snapshots.toolsOf('files', files('b2')), []);
});

test('keeps a page of a list while the page before names it', t => {
  const home = tempFolder(t);
  const snapshots = windowOf(home, 'a');
  const pages = (params: object, nextCursor?: string) => {
    snapshots.note('files', files('a1'), {
      method: 'tools/list',
      params: { ...params },
      result: { tools: [], ...(nextCursor && { nextCursor }) },
    });
    return Object.keys(inFile(home, 'a')?.servers['files']?.answers ?? {});
  };
  deepEqual(pages({ cursor: 'any' }), ['tools/list legacy']);
  deepEqual(pages({}, 'two'), ['tools/list legacy']);
  deepEqual(pages({ cursor: 'two' }), ['tools/list legacy', 'tools/list legacy two']);
  deepEqual(pages({}, 'two'), ['tools/list legacy', 'tools/list legacy two']);
  deepEqual(pages({}, '2'), ['tools/list legacy']);
});

test('keeps handshakes of known revisions only', t => {
  const home = tempFolder(t);
  const snapshots = windowOf(home, 'a');
  const shake = (asked: string, answered: string) =>
    snapshots.note('files', files('a1'), {
      method: 'initialize',
      params: { protocolVersion: asked },
      result: { protocolVersion: answered },
    });
  for (let count = 0; count < 200; count++) {
    shake(`2099-${count}`, '2025-06-18');
    shake(`2099-${count}`, `2099-${count}`);
  }
  shake('2025-11-25', '2025-06-18');
  deepEqual(Object.keys(inFile(home, 'a')?.servers['files']?.answers ?? {}), [
    'tools/list legacy',
    'initialize 2025-06-18',
    'initialize 2025-11-25',
  ]);
});

test('writes a changed snapshot, and keeps a long one in memory', t => {
  const home = tempFolder(t);
  const snapshots = windowOf(home, 'a');
  const inode = () => statSync(join(snapshotsFolder(home), 'a.json')).ino;
  const before = inode();
  snapshots.note('files', files('a1'), { ...listed, result: { tools: [] } });
  const page = (number: number) => ({
    method: 'tools/list',
    params: number > 0 ? { cursor: `${number}` } : {},
    result: { tools: ['x'.repeat(100_000)], nextCursor: `${number + 1}` },
  });
  equal(inode(), before);
  const pagesAfter = (pages: number) => {
    for (let number = 0; number < pages; number++) {
      snapshots.note('files', files('a1'), page(number));
    }
    const known = [inFile(home, 'a')?.servers['files'], snapshots.of('files', files('a1'))];
    return known.map(one => Object.keys(one?.answers ?? {}).length);
  };
  deepEqual(pagesAfter(20), [20, 20]);
  deepEqual(pagesAfter(21), [0, 21]);
  deepEqual(pagesAfter(100), [0, 83]);
});

test('removes snapshots of a workspace after a month without a window', t => {
  const home = tempFolder(t);
  for (const id of ['old', 'young']) {
    windowOf(home, id);
  }
  const before = Date.now() / 1000 - 31 * 24 * 3600;
  utimesSync(join(snapshotsFolder(home), 'old.json'), before, before);
  new Snapshots(home, 'other', noLogger, noClients);
  deepEqual(readdirSync(snapshotsFolder(home)), ['young.json']);
});
