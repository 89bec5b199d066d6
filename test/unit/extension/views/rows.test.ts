import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { liveRow, type Row } from '../../../../src/extension/views/rows.ts';

const access = (uri: string, kind = 'allowed') => ({ folder: { uri }, kind });
const server = {
  definition: { id: 'files' },
  access: { folders: [access('file:///a'), access('file:///b', 'denied')] },
} as unknown as Server;
const present = { name: 'codex', session: undefined, server, isAllowed: true };
const clients = { of: () => [present] } as unknown as Parameters<typeof liveRow>[2];
const live = (handed: unknown) => liveRow(handed, [server], clients);

test('what is made up of names alone is no row, whatever it says of itself', () => {
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

test('of a row is taken whose it is, and the rest is looked up as it is now', () => {
  const stale = { kind: 'folder', server, access: access('file:///b', 'allowed') };
  deepEqual(live(stale), { kind: 'folder', server, access: access('file:///b', 'denied') });
  equal(live({ kind: 'folder', server, access: access('file:///elsewhere') }), undefined);
  const client = { kind: 'client', server, client: { name: 'codex', isAllowed: false } };
  deepEqual((live(client) as Extract<Row, { kind: 'client' }>).client, present);
  equal(live({ ...client, client: { name: 'other' } }), undefined);
});

test('of a row for several folders those are taken that are there', () => {
  const folders = ['file:///a', 'file:///gone'].map(uri => ({
    kind: 'folder',
    server,
    access: access(uri),
  }));
  const row = live({ kind: 'folders', server, folders }) as Extract<Row, { kind: 'folders' }>;
  deepEqual(
    row.folders.map(one => one.access.folder.uri),
    ['file:///a'],
  );
});
