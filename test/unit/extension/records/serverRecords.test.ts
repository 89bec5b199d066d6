import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServerRecords } from '../../../../src/extension/records/serverRecords.ts';
import { Memory, recordsIn } from '../../../support/memory.ts';

const one = { identity: 'a1', fields: {}, definition: { id: 'setting:one' } };
const changed = { ...one, identity: 'b2' };
const twin = { ...one, definition: { id: 'setting:twin' } };

/** The record of a path that is offered to a server. */
function offered(serverId: string, about: string) {
  return { kind: 'folder', serverId, identity: '', about } as const;
}

function pathsOf(records: ServerRecords, serverId?: string): readonly string[] {
  return records.of('folder', serverId).map(({ about }) => about);
}

describe('the records of servers', () => {
  it('hold for the present identity, and refusals of clients or paths for every identity', async () => {
    const records = recordsIn();
    await records.setAnswer('client', one, true, 'codex');
    await records.setAnswer('client', one, false, 'zed');
    await records.setAnswer('offer', one, false);
    await records.setAnswer('read', one, false, '/etc/tool');
    deepEqual(
      [one, changed, twin].map(server => [
        ...['codex', 'zed', 'x'].map(name => records.answer('client', server, name)),
        records.answer('offer', server),
        records.answer('read', server, '/etc/tool'),
      ]),
      [
        [true, false, undefined, false, false],
        [undefined, false, undefined, undefined, false],
        [undefined, undefined, undefined, undefined, undefined],
      ],
    );
  });

  it('hide tools of every identity from all clients or from one, until the user shows them', async () => {
    const [memory, global] = [new Memory(), new Memory()];
    const records = recordsIn(memory, global);
    const hidden = (of = records) =>
      [one, changed, twin].map(server =>
        [...of.hiddenTools(server)].map(([client, tools]) => [client, ...tools]),
      );
    await records.chooseTools(one, { off: ['write', 'Delete'] });
    await records.chooseTools(one, { on: ['READ'], off: ['read', 'read'] }, 'codex');
    await records.chooseTools(one, { on: ['write', 'other'], off: ['delete'] });
    const both = [
      ['', 'delete'],
      ['codex', 'read'],
    ];
    deepEqual(hidden(), [both, both, []]);
    deepEqual(records.allowedServers, []);
    await records.revoke();
    deepEqual(hidden(recordsIn(memory, global)), [both, both, []]);
    await records.chooseTools(one, { on: ['DELETE', 'read'] });
    deepEqual(hidden(), [[['codex', 'read']], [['codex', 'read']], []]);
  });

  it('replace earlier records in both scopes, and can be forgotten', async () => {
    const [memory, global] = [new Memory(), new Memory()];
    const records = recordsIn(memory, global);
    await records.setAnswer('client', one, true, 'codex', 'session');
    equal(recordsIn(memory, global).answer('client', one, 'codex'), undefined);
    await records.setAnswer('client', one, false, 'codex');
    equal(records.answer('client', one, 'codex'), false);
    await records.setAnswer('client', one, undefined, 'codex');
    deepEqual(records.answers('client', one), []);
  });

  it('lose each yes of every identity with a revocation, and no refusal', async () => {
    const records = recordsIn();
    await records.setAnswer('client', one, true, 'codex', 'session');
    await records.setAnswer('client', changed, true, 'claude-code');
    await records.setAnswer('client', one, false, 'zed');
    await records.setAnswer('offer', one, true);
    await records.setAnswer('client', twin, true, 'codex');
    await records.set({ ...offered('setting:one', '/a'), value: true });
    const grant = { serverId: 'setting:one', identity: 'a1', fields: {}, scope: 'always' } as const;
    await records.setGrants([
      { ...grant, folder: 'file:///a', decision: 'allowed' },
      { ...grant, folder: 'file:///b', decision: 'denied' },
    ]);
    await records.revoke('setting:one');
    deepEqual(records.allowedServers, ['setting:twin']);
    const refused = records.of('grant').map(({ folder }) => folder);
    deepEqual(refused, ['file:///b']);
    const clients = records.of('client', 'setting:one').map(({ about }) => about);
    deepEqual(clients, ['zed']);
    deepEqual(pathsOf(records), ['/a']);
  });

  it('name the servers with revoked permissions in each window, even without any', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const [workspace, global] = [new Memory(), new Memory()];
    const windows = [recordsIn(workspace, global), recordsIn(workspace, global)] as const;
    const heard = windows.map(records => {
      const ids: string[] = [];
      records.onDidRevoke(id => ids.push(id));
      return ids;
    });
    await windows[0].revoke('setting:one');
    await windows[0].revoke();
    t.mock.timers.tick(2000);
    deepEqual(heard, [
      ['setting:one', ''],
      ['', 'setting:one'],
    ]);
  });

  it('offer a folder to one server, each once, in every session', async () => {
    const [memory, global] = [new Memory(), new Memory()];
    const records = recordsIn(memory, global);
    const changes: string[] = [];
    records.onDidChange(kind => changes.push(kind));
    for (const path of ['/b', '/a', '/b']) {
      await records.set({ ...offered('toString', path), value: true });
    }
    const later = recordsIn(memory, global);
    deepEqual(
      [pathsOf(later, 'toString'), pathsOf(later, 'constructor'), changes],
      [['/a', '/b'], [], ['folder', 'folder', 'folder']],
    );
    await records.set({ ...offered('toString', '/a'), value: undefined });
    deepEqual(pathsOf(later), ['/b']);
  });

  it('follow a server to another id, and are forgotten with the server', async () => {
    const records = recordsIn();
    await records.setAnswer('client', one, true, 'codex', 'session');
    await records.setAnswer('offer', twin, true);
    const former = { ...one, identity: 'c3', definition: { id: 'setting:new' } };
    await records.setAnswer('client', former, false, 'codex');
    await records.set({ ...offered('setting:one', '/a'), value: true });
    await records.revoke('setting:new');
    await records.copy(one, former);
    await records.forget(one, false);
    const all = () => [...records.of('client'), ...records.of('offer'), ...records.of('folder')];
    deepEqual(
      all().map(({ serverId, value }) => `${serverId} ${value}`),
      ['setting:new true', 'setting:twin true', 'setting:new true'],
    );
    await records.setAnswer('offer', former, true);
    await records.forget(former, true);
    const kept = all().map(({ kind, serverId }) => [kind, serverId]);
    deepEqual(kept, [['offer', 'setting:twin']]);
  });

  it('are empty when a record cannot be read, which is saved aside', async () => {
    const here = new Memory();
    const about = { kind: 'client', serverId: 'setting:one', identity: 'a1', about: 'codex' };
    const counts = { version: 1, under: 0, where: here.id };
    const whole = { ...about, ...counts, scope: 'workspace', at: 1, value: true };
    const broken = [
      ...[null, 4, { value: 'yes' }, { kind: 'toString' }, { kind: 'grant' }],
      ...[
        { kind: 'folder', value: false },
        { kind: 'secrets', value: true },
      ],
      ...[{ about: 1 }, { at: '1' }, { scope: 'session' }],
      ...[{ version: -1 }, { version: '1' }, { version: 2 ** 53 }, { under: 0.5 }, { where: 1 }],
    ];
    const set = (...entries: unknown[]) => ({ revocations: {}, entries });
    const unreadable = [
      ...[null, 'x', [whole], { entries: [whole] }, { revocations: {}, entries: whole }],
      ...[{ one: -1 }, { one: '1' }, 1].map(revocations => ({ ...set(whole), revocations })),
      ...broken.map(one => set(whole, one && typeof one === 'object' ? { ...whole, ...one } : one)),
    ];
    for (const stored of unreadable) {
      const global = new Memory({ answers: stored });
      const errors: unknown[] = [];
      const records = recordsIn(here, global, problem => errors.push(problem));
      deepEqual([records.of('client'), errors.length], [[], 1], JSON.stringify(stored));
      await records.setAnswer('offer', one, true);
      deepEqual(global.get('answers.unreadable'), stored);
      equal(recordsIn(here, global).answer('offer', one), true);
    }
    const there = new Memory();
    const global = new Memory({ answers: set({ ...whole, where: there.id }) });
    equal(recordsIn(there, global).answer('client', one, 'codex'), true);
  });

  for (const which of ['setting:one', undefined]) {
    it(`are void in other workspaces and windows when ${which ?? 'all'} is revoked`, async context => {
      context.mock.timers.enable({ apis: ['setInterval'] });
      const global = new Memory();
      const [here, there] = [recordsIn(new Memory(), global), recordsIn(new Memory(), global)];
      const changes: string[] = [];
      there.onDidChange(kind => changes.push(kind));
      await there.setAnswer('client', one, true, 'codex');
      await there.setAnswer('client', one, false, 'zed');
      await there.setAnswer('offer', one, true, '', 'session');
      changes.splice(0);
      deepEqual(here.allowedServers, []);
      await here.revoke(which);
      equal(there.answer('client', one, 'codex'), undefined);
      equal(there.answer('client', one, 'zed'), false);
      equal(there.answer('offer', one), undefined);
      deepEqual(changes, []);
      context.mock.timers.tick(2000);
      deepEqual(changes.sort(), ['client', 'offer'], 'they are told');
      await there.setAnswer('client', one, true, 'codex');
      equal(there.answer('client', one, 'codex'), true, 'A new answer holds.');
    });
  }

  it('are written again only with an answer to one', async () => {
    const written: string[] = [];
    class Watched extends Memory {
      override update(key: string, value: unknown): Promise<void> {
        written.push(key);
        return super.update(key, value);
      }
    }
    const secrets = { ...offered('setting:one', ''), kind: 'secrets', identity: 'a1' } as const;
    const states = [new Watched(), new Watched(), new Watched()] as const;
    const [workspace, global, profiles] = states;
    const records = recordsIn(workspace, global, undefined, '', profiles);
    await records.setAnswer('client', one, true, 'codex');
    await records.setAnswer('client', twin, undefined, 'codex');
    await records.set({ ...secrets, value: true });
    deepEqual(written.splice(0), ['answers', 'secrets']);
    await records.revoke('setting:one');
    deepEqual(written.sort(), ['answers', 'revocations', 'secrets']);
  });

  it('hold on the machine of the answer, though the editor syncs them', async () => {
    const global = new Memory();
    const on = (host: string) => recordsIn(new Memory(), global, undefined, host);
    const grant = { serverId: 'setting:one', identity: 'a1', fields: {}, scope: 'always' } as const;
    await on('here').setGrants([{ ...grant, folder: 'file:///a', decision: 'allowed' }]);
    const counts = ['here', 'there'].map(host => on(host).of('grant').length);
    deepEqual(counts, [1, 0]);
  });

  it('take effect before they are on disk', () => {
    const records = recordsIn();
    const told: unknown[] = [];
    records.onDidChange(() => told.push(records.answer('client', one, 'codex')));
    void records.setAnswer('client', one, true, 'codex');
    void records.setAnswer('client', one, false, 'codex');
    void records.setAnswer('client', one, true, 'codex');
    void records.revoke('setting:one');
    deepEqual(told, [true, false, true, undefined]);
  });

  it('hold for the change that the user agreed to, and for the earlier identity', async () => {
    const records = recordsIn();
    const next = { ...one, fields: { command: 'other' }, identity: 'b2' };
    const scope = 'workspace';
    const answer = { serverId: 'setting:one', identity: 'a1', fields: {}, scope } as const;
    await records.setGrants([{ ...answer, folder: 'file:///a', decision: 'allowed' }]);
    await records.setAnswer('client', one, true, 'codex');
    await records.setAnswer('offer', { ...one, identity: 'c3' }, true);
    await records.carryOver(one, next);
    await records.carryOver(next, one);
    for (const { identity } of [one, next]) {
      const known = { ...one, identity };
      const values = records.answers('client', known).map(({ value }) => value);
      deepEqual(values, [true]);
      equal(records.answer('offer', known), undefined);
      equal(records.of('grant').filter(grant => grant.identity === identity).length, 1);
    }
    const carried = records.carryOver(one, next);
    await records.setAnswer('client', one, undefined, 'codex');
    await carried;
    equal(records.answer('client', next, 'codex'), undefined, 'It is one answer.');
  });
});
