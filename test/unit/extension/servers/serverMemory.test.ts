import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Grant } from '../../../../src/domain/consent/grants.ts';
import { keptOf } from '../../../../src/extension/commands/removeServer.ts';
import { GrantStore } from '../../../../src/extension/consent/grantStore.ts';
import { ServerSecrets } from '../../../../src/extension/secrets/serverSecrets.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { moveMemory, type ServerMemory } from '../../../../src/extension/servers/serverMemory.ts';
import { ServerRecords } from '../../../../src/extension/servers/serverRecords.ts';
import { Memory } from '../../../support/memory.ts';
import { secretStorage } from '../../../support/secretStorage.ts';

const logger = { trace() {}, debug() {}, info() {}, warn() {} };
const [before, after] = ['setting:files', 'setting:archive'];
const ofUser = { origin: 'user' };
const ofWorkspace = { origin: 'workspace file:///other' };

function grant(serverId: string, more: Partial<Grant> = {}): Grant {
  const answer = {
    folder: 'file:///api',
    decision: 'allowed',
    scope: 'workspace',
    at: 1000,
  } as const;
  return { serverId, identity: 'a1', fields: ofUser, ...answer, ...more };
}

function stored(...grants: readonly Grant[]) {
  return { version: 1, grants };
}

describe('what is kept about a server', () => {
  const memories: ServerMemory[] = [];
  afterEach(() => memories.splice(0).forEach(({ grants }) => void grants.dispose()));

  /** A window on a workspace. */
  function open(workspace: Memory, global: Memory, errors?: unknown[]): ServerMemory {
    const state = { workspace, global, host: '' };
    const error = (problem: string | Error) => void (errors?.push(problem) ?? assert.fail(problem));
    const records = new ServerRecords(workspace);
    const secrets = new ServerSecrets(secretStorage(), records);
    const memory = { grants: new GrantStore(state, { ...logger, error }), records, secrets };
    memories.push(memory);
    return memory;
  }

  const offer = { kind: 'offer', identity: 'a1', about: '', value: true };
  const asked = () =>
    new Memory({
      grants: stored(grant(before), grant('setting:other')),
      servers: [
        { ...offer, serverId: before },
        { ...offer, serverId: 'setting:other' },
      ],
    });
  const shared = () =>
    new Memory({
      'grants@': stored(
        grant(before, { scope: 'always' }),
        grant(before, { scope: 'always', fields: ofWorkspace }),
      ),
      'grants@ssh:far': stored(grant(before)),
      other: 1,
    });
  const server = (from: 'user' | 'workspace', fields = ofUser) =>
    ({ definition: { id: before, from }, identity: 'a1', fields }) as unknown as Server;

  async function forget(one: Server, memory: ServerMemory): Promise<void> {
    for (const { forget } of await keptOf(one, memory)) {
      await forget();
    }
  }
  const wordsFor = async (one: Server, memory: ServerMemory) =>
    (await keptOf(one, memory)).flatMap(({ words }) => words || []);

  it('is of the server under its new name, in this workspace', async () => {
    const [here, elsewhere, global] = [asked(), asked(), shared()];
    const memory = open(here, global);
    await memory.grants.record([grant(before, { scope: 'session', folder: 'file:///web' })]);
    await memory.secrets.of({ serverId: before, identity: 'a1' }).set('token', 'abc');
    await moveMemory(server('user'), after, memory);
    await memory.secrets.forget(before, 'a1');
    const session = memory.grants.all.filter(({ scope }) => scope === 'session');
    assert.deepEqual(
      session.map(({ serverId }) => serverId),
      [after],
    );
    assert.deepEqual(here.get('grants'), stored(grant(after), grant('setting:other')));
    assert.deepEqual(here.get('servers'), [
      { ...offer, serverId: after },
      { ...offer, serverId: 'setting:other' },
      { ...offer, kind: 'secrets', serverId: after },
    ]);
    const tokenOf = (serverId: string) =>
      memory.secrets.of({ serverId, identity: 'a1' }).get('token');
    assert.deepEqual([await tokenOf(before), await tokenOf(after)], [undefined, 'abc']);
    assert.deepEqual(
      global.get('grants@'),
      stored(
        grant(after, { scope: 'always' }),
        grant(before, { scope: 'always', fields: ofWorkspace }),
      ),
    );
    const allowedElsewhere = open(elsewhere, global).grants.all.filter(
      ({ serverId, scope }) => serverId === after && scope !== 'always',
    );
    assert.deepEqual(allowedElsewhere, []);
  });

  it('is gone when it is removed, and allows nothing in other workspaces, either', async () => {
    const [here, elsewhere, global] = [asked(), asked(), shared()];
    const memory = open(here, global);
    await memory.secrets.of({ serverId: before, identity: 'a1' }).set('token', 'abc');
    const path = { kind: 'folder', serverId: before, identity: '', about: '/far' } as const;
    await memory.records.set({ ...path, value: true });
    const calls = { kind: 'calls', serverId: before, identity: '', about: 'order' } as const;
    await memory.records.set({ ...calls, value: [] });
    assert.deepEqual(await wordsFor(server('user'), memory), [
      'Your answers on what it may see, in all workspaces',
      'Whether it is offered to agents',
      'Which folders you offered to it',
      'What you entered for it, and what it was signed in with',
      'The last calls that you made of its tools',
    ]);
    await forget(server('user'), memory);
    assert.deepEqual(await memory.secrets.namesOf({ serverId: before, identity: 'a1' }), []);
    const left = ({ grants }: ServerMemory) =>
      grants.all.map(({ serverId, folder }) => `${serverId} ${folder}`);
    const next = open(elsewhere, global);
    assert.deepEqual([left(memory), left(next)], Array(2).fill(['setting:other file:///api']));
    assert.deepEqual(here.get('servers'), [{ ...offer, serverId: 'setting:other' }]);
    await next.grants.record([grant(before, { folder: 'file:///new' })]);
    assert.deepEqual(left(next).sort(), ['setting:files file:///new', 'setting:other file:///api']);
  });

  it('is that of a workspace alone where the workspace defines it', async () => {
    const [here, global] = [asked(), shared()];
    const own = grant(before, { fields: ofWorkspace, folder: 'file:///own' });
    await here.update('grants', stored(own, grant(before)));
    const memory = open(here, global);
    await forget(server('workspace', ofWorkspace), memory);
    assert.deepEqual(await wordsFor(server('workspace', ofWorkspace), memory), []);
    assert.deepEqual(here.get('grants'), stored(grant(before)));
    assert.deepEqual(global.get('grants@'), stored(grant(before, { scope: 'always' })));
    assert.deepEqual(global.get('grants@ssh:far'), stored(grant(before)));
  });

  it('allows nothing any more when it is not known what was revoked, until it is allowed again', async () => {
    const global = new Memory({ revocations: 'garbage' });
    const errors: unknown[] = [];
    const { grants } = open(asked(), global, errors);
    assert.deepEqual(grants.all, []);
    assert.deepEqual(errors, [
      'Stored revocations could not be read. All that was allowed is revoked.',
    ]);
    assert.equal(global.get('revocations.unreadable'), 'garbage');
    await grants.revoke([before]);
    assert.deepEqual(grants.all, []);
    assert.deepEqual(open(asked(), global).grants.all, [], 'nor in another workspace');
    await grants.record([grant('setting:other')]);
    const held = grants.all.map(({ serverId }) => serverId);
    assert.deepEqual(held, ['setting:other'], 'a new answer does');
  });
});
