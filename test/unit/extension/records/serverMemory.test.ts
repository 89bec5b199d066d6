import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide, type Grant } from '../../../../src/domain/consent/grants.ts';
import { identityOf } from '../../../../src/domain/servers/serverIdentity.ts';
import {
  carryOver,
  moveMemory,
  type ServerMemory,
} from '../../../../src/extension/records/serverMemory.ts';
import { ServerSecrets } from '../../../../src/extension/records/serverSecrets.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { answered, answersIn, Memory, recordsIn } from '../../../support/memory.ts';
import { secretStorage } from '../../../support/secretStorage.ts';
import { said } from '../../../support/texts.ts';

const [before, after] = ['setting:files', 'setting:archive'];
const owner = { definition: { id: before }, identity: 'a1' };
const ofUser = { origin: 'user' };
const ofWorkspace = { origin: 'workspace file:///other' };

function grant(serverId: string, more: Partial<Grant> = {}): Grant & { readonly kind: 'grant' } {
  const answer = {
    folder: 'file:///api',
    decision: 'allowed',
    scope: 'workspace',
    at: 1000,
  } as const;
  return { serverId, identity: 'a1', fields: ofUser, ...answer, ...more, kind: 'grant' };
}

describe('the memory of a server', () => {
  /** A window on a workspace. */
  function open(workspace: Memory, global: Memory, errors?: unknown[]): ServerMemory {
    const error = (problem: string | Error) => void (errors?.push(problem) ?? assert.fail(problem));
    const records = recordsIn(workspace, global, error);
    return { records, secrets: new ServerSecrets(secretStorage(), records) };
  }

  const kept = { identity: 'a1', about: '', value: true, scope: 'workspace', at: 1000 };
  const offer = { ...kept, kind: 'offer' };
  /** The answers in workspaces. */
  const asked = (...workspaces: readonly Memory[]) =>
    workspaces.flatMap(({ id: where }) => [
      { ...grant(before), where },
      { ...grant('setting:other'), where },
      { ...offer, serverId: before, where },
      { ...offer, serverId: 'setting:other', where },
    ]);
  const everywhere = (serverId: string, fields = ofUser) => ({
    ...grant(serverId, { scope: 'always', fields, ...(fields !== ofUser && { identity: 'b2' }) }),
    where: '',
  });
  const far = { ...grant(before), where: 'ssh:far' };
  const shared = [everywhere(before), everywhere(before, ofWorkspace), far];
  const server = (from: 'user' | 'workspace', fields = ofUser) =>
    ({ definition: { id: before, from }, identity: 'a1', fields }) as unknown as Server;

  /** The parts of a workspace that matter here. */
  const keptIn = (workspace: Memory, global: Memory) =>
    answersIn(global)
      .filter(({ where }) => where === workspace.id)
      .map(({ kind, serverId }) => `${kind} ${serverId}`)
      .sort();
  const withoutCounts = (all: readonly object[]) =>
    all.map(one => ({ ...one, version: undefined, under: undefined }));
  const allowedIn = ({ records }: ServerMemory) =>
    records.of('grant').map(({ serverId, folder }) => `${serverId} ${folder}`);

  it('follows the server to its new name in this workspace', async () => {
    const [here, elsewhere] = [new Memory(), new Memory()];
    const global = answered(...asked(here, elsewhere), ...shared);
    const { records, secrets } = open(here, global);
    const tokens = () =>
      Promise.all(
        [before, after].map(serverId =>
          secrets.of({ definition: { id: serverId }, identity: 'a1' }).get('token'),
        ),
      );
    await records.setGrants([grant(before, { scope: 'session', folder: 'file:///web' })]);
    await secrets.of(owner).set('token', 'abc');
    const known = keptIn(here, global);
    const fail = () => Promise.reject(new Error('read only'));
    const memory = { records, secrets };
    await assert.rejects(moveMemory(server('user'), after, memory, fail), /read only/);
    assert.deepEqual([keptIn(here, global), await tokens()], [known, ['abc', undefined]]);
    await records.setGrants([grant(after, { folder: 'file:///gone' })]);
    await moveMemory(server('user'), after, memory, async () => {
      assert.deepEqual(await tokens(), ['abc', 'abc']);
    });
    assert.deepEqual(keptIn(here, global), known.map(one => one.replace(before, after)).sort());
    assert.deepEqual(await tokens(), [undefined, 'abc']);
    const session = records.of('grant').filter(({ scope }) => scope === 'session');
    const ids = session.map(({ serverId }) => serverId);
    assert.deepEqual(ids, [after]);
    const onMachines = answersIn(global).filter(({ where }) => !where.startsWith('workspace'));
    assert.deepEqual(
      new Set(withoutCounts(onMachines)),
      new Set(withoutCounts([everywhere(before, ofWorkspace), far, everywhere(after)])),
    );
    const allowedElsewhere = open(elsewhere, global).records.of('grant', after);
    assert.deepEqual(withoutCounts(allowedElsewhere), withoutCounts([everywhere(after)]));
  });

  /** A disk that saves nothing, under an editor that keeps everything while it runs. */
  class FullDisk extends Memory {
    isFull = false;

    override async update(key: string, value: unknown): Promise<void> {
      await super.update(key, value);
      assert.ok(!this.isFull, 'no space left');
    }
  }

  it('stays with the server when the move fails', async () => {
    const [here, disk] = [new Memory(), new FullDisk()];
    const memory = open(here, disk);
    const { records, secrets } = memory;
    await records.setGrants([grant(before)]);
    await secrets.of(owner).set('token', 'abc');
    const known = keptIn(here, disk);
    disk.isFull = true;
    const move = moveMemory(server('user'), after, memory, async () => assert.fail('renamed'));
    await assert.rejects(move, /no space left/);
    assert.deepEqual(keptIn(here, disk), known);
    assert.equal(await secrets.of(owner).get('token'), 'abc');
    assert.deepEqual(await secrets.namesOf({ ...owner, definition: { id: after } }), []);
  });

  it('stays revoked after a rename that fails', async () => {
    const here = new Memory();
    const memory = open(here, answered(...asked(here)));
    const fail = async () => {
      await memory.records.revoke(before);
      throw new Error('read only');
    };
    await assert.rejects(moveMemory(server('user'), after, memory, fail), /read only/);
    assert.deepEqual(allowedIn(memory), ['setting:other file:///api']);
  });

  it('carries over to the change that the user agreed to', async () => {
    const here = new Memory();
    const memory = open(here, answered({ ...grant(before), where: here.id }));
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
      const answers = records.of('grant').map(({ identity, at }) => `${identity} ${at}`);
      assert.deepEqual(answers, ['a1 1000', `${changed.identity} 1000`]);
    });
    assert.deepEqual(await tokens(), [undefined, 'abc']);
  });

  it('carries over each no, even if another workspace has said yes', async () => {
    const refused = grant(before, { decision: 'denied' });
    const here = new Memory();
    const memory = open(here, answered({ ...refused, where: here.id }, ...shared));
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

  it('is revoked everywhere with a removed server, even if the disk is full', async () => {
    const [here, elsewhere, disk] = [new Memory(), new Memory(), new FullDisk()];
    const [memory, there] = [open(here, disk), open(elsewhere, disk)];
    await memory.records.setGrants([grant(before)]);
    await there.records.setGrants([grant(before)]);
    disk.isFull = true;
    await assert.rejects(memory.records.forget(server('user'), true), /no space left/);
    assert.deepEqual([memory.records.of('grant'), there.records.of('grant', before)], [[], []]);
  });

  it('is forgotten with a removed server, and revoked in other workspaces', async () => {
    const [here, elsewhere] = [new Memory(), new Memory()];
    const global = answered(...asked(here, elsewhere), ...shared);
    const memory = open(here, global);
    const { records } = memory;
    const about = { serverId: before, identity: '' };
    await records.set({ ...about, kind: 'folder', about: '/far', value: true });
    await records.set({ ...about, kind: 'secrets', about: '', value: true });
    await memory.records.forget(server('user'), true);
    const next = open(elsewhere, global);
    assert.deepEqual(
      [allowedIn(memory), allowedIn(next)],
      Array(2).fill(['setting:other file:///api']),
    );
    assert.deepEqual(next.records.of('offer', before), []);
    assert.deepEqual(keptIn(here, global), ['grant setting:other', 'offer setting:other']);
    await next.records.setGrants([grant(before, { folder: 'file:///new' })]);
    assert.deepEqual(allowedIn(next), ['setting:other file:///api', 'setting:files file:///new']);
  });

  it('of a workspace server is forgotten in that workspace only', async () => {
    const here = new Memory();
    const own = grant(before, { fields: ofWorkspace, folder: 'file:///own' });
    const [mine, users] = [own, grant(before)].map(one => ({ ...one, where: here.id }));
    const global = answered(mine!, users!, ...shared);
    const memory = open(here, global);
    await memory.records.forget(server('workspace', ofWorkspace), false);
    assert.deepEqual(
      new Set(withoutCounts(answersIn(global))),
      new Set(withoutCounts([users!, everywhere(before), far])),
    );
  });

  it('allows nothing when the revocations cannot be read', async () => {
    const here = new Memory();
    const global = answered(...asked(here));
    const profiles = new Memory({ revocations: 'garbage' });
    const errors: unknown[] = [];
    const records = recordsIn(here, global, error => errors.push(error), '', profiles);
    assert.deepEqual([records.of('grant'), records.of('offer')], [[], []]);
    assert.deepEqual(errors.map(String).map(said), ['serverRecords.ServerRecords()']);
    await records.revoke(before);
    assert.equal(profiles.get('revocations.unreadable'), 'garbage');
    assert.deepEqual(open(here, global).records.of('grant'), [], 'nor after a restart');
    await records.setGrants([grant('setting:other')]);
    assert.equal(records.of('grant').length, 1, 'a new answer does');
  });
});
