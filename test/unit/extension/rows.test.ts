import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { LeftOutServer } from '../../../src/domain/settings/serverSettings.ts';
import { liveRow, type Row } from '../../../src/extension/rows.ts';
import type { Server } from '../../../src/extension/servers/server.ts';

const access = (uri: string, kind = 'allowed') => ({ folder: { uri }, kind });
const server = {
  definition: { id: 'files' },
  access: { folders: [access('file:///a'), access('file:///b', 'denied')] },
} as unknown as Server;
const present = { name: 'codex', session: undefined, server, isAllowed: true };
const leftOut = { name: 'odd' } as unknown as LeftOutServer;
const clients = { of: () => [present] } as unknown as Parameters<typeof liveRow>[2];
const live = (handed: unknown) => liveRow(handed, { all: [server], leftOut: [leftOut] }, clients);

test('ignores a row made up by another extension', () => {
  const real = { kind: 'folder', server, access: access('file:///a') };
  const handed = [
    JSON.parse(JSON.stringify(real)),
    { ...real, server: { ...server } },
    { kind: 'server', server: { definition: { id: 'files' } } },
    { kind: 'folders', server: JSON.parse(JSON.stringify(server)), folders: [real] },
    'files',
    7,
    null,
    [],
    {},
  ];
  deepEqual(
    handed.map(one => live(one)),
    handed.map(() => undefined),
  );
});

test('finds the present object of a row', () => {
  const stale = { kind: 'folder', server, access: access('file:///b', 'allowed') };
  deepEqual(live(stale), { kind: 'folder', server, access: access('file:///b', 'denied') });
  equal(live({ kind: 'folder', server, access: access('file:///elsewhere') }), undefined);
  const client = { kind: 'client', server, client: { name: 'codex', isAllowed: false } };
  deepEqual((live(client) as Extract<Row, { kind: 'client' }>).client, present);
  equal(live({ ...client, client: { name: 'other' } }), undefined);
});

test('keeps the existing folders of a row of several', () => {
  const folders = ['file:///a', 'file:///gone'].map(uri => ({
    kind: 'folder',
    server,
    access: access(uri),
  }));
  const row = live({ kind: 'folders', server, folders }) as Extract<Row, { kind: 'folders' }>;
  const uris = row.folders.map(one => one.access.folder.uri);
  deepEqual(uris, ['file:///a']);
});
