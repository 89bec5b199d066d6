import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide, type Grant } from '../../../../src/domain/consent/grants.ts';
import { identityOf } from '../../../../src/domain/servers/serverIdentity.ts';
import { ServerSecrets } from '../../../../src/extension/secrets/serverSecrets.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import {
  carryOver,
  moveMemory,
  type ServerMemory,
} from '../../../../src/extension/servers/serverMemory.ts';
import type { ServerRecord } from '../../../../src/extension/servers/serverRecords.ts';
import { Memory, recordsIn } from '../../../support/memory.ts';
import { secretStorage } from '../../../support/secretStorage.ts';

const [before, after] = ['setting:files', 'setting:archive'];
const owner = { definition: { id: before }, identity: 'a1' };
const ofUser = { origin: 'user' };
const ofWorkspace = { origin: 'workspace file:///other' };

function grant(serverId: string, more: Partial<Grant> = {}): ServerRecord<'grant'> {
  const answer = {
    folder: 'file:///api',
    decision: 'allowed',
    scope: 'workspace',
    at: 1000,
  } as const;
  return { serverId, identity: 'a1', fields: ofUser, ...answer, ...more, kind: 'grant' };
}

describe('what is kept about a server', () => {
  /** A window on a workspace. */
  function open(workspace: Memory, global: Memory, errors?: unknown[]): ServerMemory {
    const error = (problem: string | Error) => void (errors?.push(problem) ?? assert.fail(problem));
    const records = recordsIn(workspace, global, error);
    return { records, secrets: new ServerSecrets(secretStorage(), records) };
  }

  const kept = { identity: 'a1', about: '', value: true, scope: 'workspace', at: 1000 };
  const offer = { ...kept, kind: 'offer' };
  const asked = () =>
    new Memory({
      answers: [
        grant(before),
        grant('setting:other'),
        { ...offer, serverId: before },
        { ...offer, serverId: 'setting:other' },
      ],
    });
  const shared = () =>
    new Memory({
      'answers@': [
        grant(before, { scope: 'always' }),
        grant(before, { scope: 'always', fields: ofWorkspace }),
      ],
      'answers@ssh:far': [grant(before)],
      other: 1,
    });
  const server = (from: 'user' | 'workspace', fields = ofUser) =>
    ({ definition: { id: before, from }, identity: 'a1', fields }) as unknown as Server;

  /** What a workspace has, as far as it is told apart here. */
  const keptIn = (workspace: Memory) => {
    const kept = ['answers', 'servers'].flatMap<ServerRecord>(key => workspace.get(key) ?? []);
    return kept.map(({ kind, serverId }) => [kind, serverId]).sort();
  };
  const allowedIn = ({ records }: ServerMemory) =>
    records.of('grant').map(({ serverId, folder }) => `${serverId} ${folder}`);
  const everywhere = (serverId: string, fields = ofUser) =>
    grant(serverId, { scope: 'always', fields });

  it('is of the server under its new name, in this workspace', async () => {
    const [here, elsewhere, global] = [asked(), asked(), shared()];
    const { records, secrets } = open(here, global);
    const tokens = () =>
      Promise.all(
        [before, after].map(serverId =>
          secrets.of({ definition: { id: serverId }, identity: 'a1' }).get('token'),
        ),
      );
    await records.setGrants([grant(before, { scope: 'session', folder: 'file:///web' })]);
    await secrets.of(owner).set('token', 'abc');
    const known = keptIn(here);
    const fail = () => Promise.reject(new Error('read only'));
    const memory = { records, secrets };
    await assert.rejects(moveMemory(server('user'), after, memory, fail), /read only/);
    assert.deepEqual([keptIn(here), await tokens()], [known, ['abc', undefined]]);
    await records.setGrants([grant(after, { folder: 'file:///gone' })]);
    await moveMemory(server('user'), after, memory, async () => {
      assert.deepEqual(await tokens(), ['abc', 'abc']);
    });
    assert.deepEqual(
      keptIn(here),
      known.map(([kind, serverId]) => [kind, serverId === before ? after : serverId]),
    );
    assert.deepEqual(await tokens(), [undefined, 'abc']);
    const session = records.of('grant').filter(({ scope }) => scope === 'session');
    assert.deepEqual(
      session.map(({ serverId }) => serverId),
      [after],
    );
    assert.deepEqual(global.get('answers@'), [everywhere(after), everywhere(before, ofWorkspace)]);
    const allowedElsewhere = open(elsewhere, global).records.of('grant', after);
    assert.deepEqual(allowedElsewhere, [everywhere(after)]);
  });

  /** A disk on which nothing is kept, where an editor has all for as long as it runs. */
  class FullDisk extends Memory {
    isFull = false;

    override async update(key: string, value: unknown): Promise<void> {
      await super.update(key, value);
      assert.ok(!this.isFull, 'no space left');
    }
  }

  it('is of the server as it was when it can not be that of another one', async () => {
    const here = new FullDisk();
    const memory = open(here, new Memory());
    const { records, secrets } = memory;
    await records.setGrants([grant(before)]);
    await secrets.of(owner).set('token', 'abc');
    const known = keptIn(here);
    here.isFull = true;
    const move = moveMemory(server('user'), after, memory, async () => assert.fail('renamed'));
    await assert.rejects(move, /no space left/);
    assert.deepEqual(keptIn(here), known);
    assert.equal(await secrets.of(owner).get('token'), 'abc');
    assert.deepEqual(await secrets.namesOf({ ...owner, definition: { id: after } }), []);
  });

  it('is void after a rename that fails when it was revoked meanwhile', async () => {
    const memory = open(asked(), new Memory());
    const fail = async () => {
      await memory.records.revoke(before);
      throw new Error('read only');
    };
    await assert.rejects(moveMemory(server('user'), after, memory, fail), /read only/);
    assert.deepEqual(allowedIn(memory), ['setting:other file:///api']);
  });

  it('holds for what the user agreed to make of the server once it is made', async () => {
    const memory = open(new Memory({ answers: [grant(before)] }), new Memory());
    const { records, secrets } = memory;
    const fields = { ...ofUser, command: 'other' };
    const changed = { ...owner, identity: identityOf(fields) };
    const tokens = () => Promise.all([owner, changed].map(one => secrets.of(one).get('token')));
    await secrets.of(owner).set('token', 'abc');
    const fail = () => Promise.reject(new Error('read only'));
    await assert.rejects(carryOver(server('user'), fields, memory, fail), /read only/);
    assert.deepEqual(await tokens(), ['abc', undefined]);
    await carryOver(server('user'), fields, memory, async () => {
      assert.deepEqual(await tokens(), ['abc', 'abc']);
      const answers = records.of('grant').map(({ identity, at }) => [identity, at]);
      assert.deepEqual(answers, [
        ['a1', 1000],
        [changed.identity, 1000],
      ]);
    });
    assert.deepEqual(await tokens(), [undefined, 'abc']);
  });

  it('holds with each no, also where another workspace has said yes', async () => {
    const refused = grant(before, { decision: 'denied' });
    const memory = open(new Memory({ answers: [refused] }), shared());
    const fields = { ...ofUser, command: 'other' };
    await carryOver(server('user'), fields, memory, async () => {});
    const folder = { uri: refused.folder, disk: 'directory', place: undefined } as const;
    const terms = { forbiddenWithin: [], sessionStart: 0 };
    assert.deepEqual(
      ['a1', identityOf(fields)].map(identity =>
        decide(memory.records.of('grant'), identity, folder, terms),
      ),
      ['denied', 'denied'],
    );
  });

  it('allows nothing elsewhere when it is removed, even if that can not be kept here', async () => {
    const [here, global] = [new FullDisk(), new Memory()];
    const [memory, there] = [open(here, global), open(asked(), global)];
    await memory.records.setGrants([grant(before)]);
    here.isFull = true;
    await assert.rejects(memory.records.forget(server('user'), true), /no space left/);
    assert.deepEqual([memory.records.of('grant'), there.records.of('grant', before)], [[], []]);
  });

  it('is gone when it is removed, and allows nothing in other workspaces, either', async () => {
    const [here, elsewhere, global] = [asked(), asked(), shared()];
    const memory = open(here, global);
    const { records } = memory;
    const about = { serverId: before, identity: '' };
    await records.set({ ...about, kind: 'folder', about: '/far', value: true });
    await records.set({ ...about, kind: 'calls', about: 'order', value: [] });
    await memory.records.forget(server('user'), true);
    const next = open(elsewhere, global);
    assert.deepEqual(
      [allowedIn(memory), allowedIn(next)],
      Array(2).fill(['setting:other file:///api']),
    );
    assert.deepEqual(next.records.of('offer', before), []);
    assert.deepEqual(keptIn(here), [
      ['grant', 'setting:other'],
      ['offer', 'setting:other'],
    ]);
    await next.records.setGrants([grant(before, { folder: 'file:///new' })]);
    assert.deepEqual(allowedIn(next), ['setting:other file:///api', 'setting:files file:///new']);
  });

  it('is that of a workspace alone where the workspace defines it', async () => {
    const global = shared();
    const own = grant(before, { fields: ofWorkspace, folder: 'file:///own' });
    const here = new Memory({ answers: [own, grant(before)] });
    const memory = open(here, global);
    await memory.records.forget(server('workspace', ofWorkspace), false);
    assert.deepEqual(here.get('answers'), [grant(before)]);
    assert.deepEqual(global.get('answers@'), [everywhere(before)]);
    assert.deepEqual(global.get('answers@ssh:far'), [grant(before)]);
  });

  it('allows nothing any more when it is not known what was revoked, until it is allowed again', async () => {
    const global = new Memory({ revocations: 'garbage' });
    const errors: unknown[] = [];
    const memory = open(asked(), global, errors);
    const { records } = memory;
    assert.deepEqual([allowedIn(memory), records.of('offer')], [[], []]);
    assert.deepEqual(errors, [
      'Stored revocations could not be read. All that was allowed is revoked.',
    ]);
    assert.equal(global.get('revocations.unreadable'), 'garbage');
    await records.revoke(before);
    assert.deepEqual(allowedIn(memory), []);
    assert.deepEqual(allowedIn(open(asked(), global)), [], 'nor in another workspace');
    await records.setGrants([grant('setting:other')]);
    assert.deepEqual(allowedIn(memory), ['setting:other file:///api'], 'a new answer does');
  });
});
