import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { accessTo } from '../../src/domain/consent/folderAccess.ts';
import { answer, type Decision, decider, type Grant } from '../../src/domain/consent/grants.ts';
import { diskFolder, type Folder, virtualFolder } from '../../src/domain/folders/folders.ts';
import { identityOf } from '../../src/domain/servers/serverIdentity.ts';
import { allowing } from '../support/access.ts';
import { isSoak } from '../support/effort.ts';
import { callText, recordingConnection } from '../support/recordingConnection.ts';
import { rawServer } from '../support/recordingServer.ts';

/** When the answers come, seen from the process of the server. */
const moments = [
  'before the start',
  'during the start',
  'while it runs',
  'after a start that failed',
  'while it stops to start again',
] as const;
const decisions: readonly Decision[] = ['allowed', 'denied', 'undecided'];
const identity = identityOf({ command: 'raw' });

const folders: readonly Folder[] = [
  ...decisions.map(name => diskFolder(`/proj/${name}-folder`, name, 'directory', 'linux')),
  diskFolder('/proj/gone-folder', 'gone', 'missing', 'linux'),
  virtualFolder('vscode-vfs://host/virtual-folder', 'virtual'),
];

/** One answer on each folder that has one; what is on no disk is allowed, and still must not travel. */
const grants: readonly Grant[] = folders
  .filter(({ name }) => name !== 'undecided')
  .map(({ uri, name }) => ({
    serverId: 'raw',
    identity,
    fields: {},
    folder: uri,
    decision: name === 'denied' ? 'denied' : 'allowed',
    scope: 'workspace',
    at: 0,
  }));

for (const isTrusted of [true, false]) {
  // Without trust, a late answer is most likely to slip through.
  for (const moment of isTrusted || isSoak ? moments : moments.slice(2, 3)) {
    const trust = isTrusted ? 'a trusted' : 'a restricted';
    test(`in ${trust} workspace, with answers ${moment}, only allowed folders are on the wire`, async t => {
      const bytes = await wire(t, isTrusted, moment);
      const seen = [...bytes.matchAll(/\w+-folder/g)].map(([name]) => name);
      assert.deepEqual(new Set(seen), new Set(isTrusted ? ['allowed-folder'] : []));
      assert.doesNotMatch(bytes, /denied|undecided|gone|virtual|vscode-vfs/);
    });
  }
}

test('a revoked folder is off the wire with the next answer', async t => {
  const server = rawServer(t);
  const { connection, answered } = recordingConnection(t);
  await connection.start(server.start, rootsFor(grants, true));
  await answered(1);
  const withdrawn = answer(grants, { ...grants[0]!, decision: 'denied' });
  connection.setRoots(rootsFor(withdrawn, true));
  assert.equal(await callText(connection, 'ask'), '[]');
});

test('folders allowed for another identity of the server are not on the wire', async t => {
  const server = rawServer(t);
  const { connection, answered } = recordingConnection(t);
  const others = grants.map(grant => ({ ...grant, identity: identityOf({ command: 'other' }) }));
  await connection.start(server.start, rootsFor(others, true));
  assert.deepEqual((await answered(1)).roots, []);
  assert.doesNotMatch(server.bytes(), /-folder/);
});

function rootsFor(known: readonly Grant[], isTrusted: boolean) {
  return accessTo(folders, {
    ...allowing(decider(known, { serverId: 'raw', identity }, 0)),
    isTrusted,
  }).roots;
}

/** Every byte that reached a server which asked before and after the answers came. */
async function wire(t: TestContext, isTrusted: boolean, moment: (typeof moments)[number]) {
  const server = rawServer(t);
  const { connection, answered } = recordingConnection(t);
  const first = moment === 'before the start' ? grants : [];
  if (moment === 'after a start that failed') {
    await connection.start({ ...server.start, command: 'no-such-program' }, []);
  }
  if (moment === 'while it stops to start again') {
    await connection.start(server.start, []);
    await answered(1);
    void connection.stop();
  }
  const start = connection.start(server.start, rootsFor(first, isTrusted));
  if (moment !== 'before the start' && moment !== 'while it runs') {
    connection.setRoots(rootsFor(grants, isTrusted));
  }
  await start;
  await answered(moment === 'while it stops to start again' ? 2 : 1);
  connection.setRoots(rootsFor(grants, isTrusted));
  await callText(connection, 'ask');
  return server.bytes();
}
