import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServerRecords } from '../../../../src/extension/servers/serverRecords.ts';
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

describe('what is kept about servers', () => {
  it('holds for a server as it is, and the refusal of a client whatever it becomes', async () => {
    const records = recordsIn();
    await records.setAnswer('client', one, true, 'codex');
    await records.setAnswer('client', one, false, 'zed');
    await records.setAnswer('offer', one, false);
    deepEqual(
      [one, changed, twin].map(server => [
        ...['codex', 'zed', 'x'].map(name => records.answer('client', server, name)),
        records.answer('offer', server),
      ]),
      [
        [true, false, undefined, false],
        [undefined, false, undefined, undefined],
        [undefined, undefined, undefined, undefined],
      ],
    );
  });

  it('takes the place of what was there, in both scopes, and can be forgotten', async () => {
    const [memory, global] = [new Memory(), new Memory()];
    const records = recordsIn(memory, global);
    await records.setAnswer('client', one, true, 'codex', 'session');
    equal(recordsIn(memory, global).answer('client', one, 'codex'), undefined);
    await records.setAnswer('client', one, false, 'codex');
    equal(records.answer('client', one, 'codex'), false);
    await records.setAnswer('client', one, undefined, 'codex');
    deepEqual(records.answers('client', one), []);
  });

  it('loses each yes when it is revoked, whatever the server was then, and no refusal', async () => {
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
    deepEqual(
      records.of('grant').map(({ folder }) => folder),
      ['file:///b'],
    );
    deepEqual(
      records.of('client', 'setting:one').map(({ about }) => about),
      ['zed'],
    );
    deepEqual(pathsOf(records), ['/a']);
  });

  it('says whose permissions were withdrawn, in each window and where there were none', async t => {
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

  it('offers a folder to one server, each once, in every session', async () => {
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

  it('goes with a server that gets another id, and is forgotten with one', async () => {
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
      all().map(({ serverId, value }) => [serverId, value]),
      [
        ['setting:new', true],
        ['setting:twin', true],
        ['setting:new', true],
      ],
    );
    await records.setAnswer('offer', former, true);
    await records.forget(former, true);
    deepEqual(
      all().map(({ kind, serverId }) => [kind, serverId]),
      [['offer', 'setting:twin']],
    );
  });

  it('is nothing where one record cannot be read, which is put aside and not lost', async () => {
    const here = new Memory();
    const about = { kind: 'client', serverId: 'setting:one', identity: 'a1', about: 'codex' };
    const counts = { version: 1, under: 0, where: here.id };
    const whole = { ...about, ...counts, scope: 'workspace', at: 1, value: true };
    const broken = [
      null,
      4,
      ...[
        { value: 'yes' },
        { kind: 'toString' },
        { kind: 'grant' },
        { kind: 'folder', value: false },
      ],
      ...[{ kind: 'secrets', value: true }, { about: 1 }, { at: '1' }, { scope: 'session' }],
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

  it('is void in other workspaces and windows when it is revoked, and they are told', async context => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    const global = new Memory();
    const [here, there] = [recordsIn(new Memory(), global), recordsIn(new Memory(), global)];
    const changes: string[] = [];
    there.onDidChange(kind => changes.push(kind));
    await there.setAnswer('client', one, true, 'codex');
    await there.setAnswer('client', one, false, 'zed');
    await there.setAnswer('offer', one, true, '', 'session');
    changes.splice(0);
    await here.revoke('setting:one');
    equal(there.answer('client', one, 'codex'), undefined);
    equal(there.answer('client', one, 'zed'), false);
    equal(there.answer('offer', one), undefined);
    deepEqual(changes, []);
    context.mock.timers.tick(2000);
    deepEqual(changes.sort(), ['client', 'offer']);
    await there.setAnswer('client', one, true, 'codex');
    equal(there.answer('client', one, 'codex'), true, 'A new answer holds.');
  });

  it('is void in every workspace when all is revoked, whatever is known of it here', async () => {
    const global = new Memory();
    const [here, there] = [recordsIn(new Memory(), global), recordsIn(new Memory(), global)];
    await there.setAnswer('client', one, true, 'codex');
    await there.setAnswer('client', twin, false, 'zed');
    deepEqual(here.allowedServers, []);
    await here.revoke();
    equal(there.answer('client', one, 'codex'), undefined);
    equal(there.answer('client', twin, 'zed'), false);
    await there.setAnswer('client', one, true, 'codex');
    equal(there.answer('client', one, 'codex'), true, 'A new answer holds.');
  });

  it('is written anew only with an answer, where it is one', async () => {
    const written: string[] = [];
    class Watched extends Memory {
      override update(key: string, value: unknown): Promise<void> {
        written.push(key);
        return super.update(key, value);
      }
    }
    const secrets = {
      kind: 'secrets',
      serverId: 'setting:one',
      identity: 'a1',
      about: '',
    } as const;
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

  it('holds on the machine where it was given, though the editor keeps it for all', async () => {
    const global = new Memory();
    const on = (host: string) => recordsIn(new Memory(), global, undefined, host);
    const grant = { serverId: 'setting:one', identity: 'a1', fields: {}, scope: 'always' } as const;
    await on('here').setGrants([{ ...grant, folder: 'file:///a', decision: 'allowed' }]);
    deepEqual(
      ['here', 'there'].map(host => on(host).of('grant').length),
      [1, 0],
    );
  });

  it('takes effect before it is on disk', () => {
    const records = recordsIn();
    const told: unknown[] = [];
    records.onDidChange(() => told.push(records.answer('client', one, 'codex')));
    void records.setAnswer('client', one, true, 'codex');
    void records.setAnswer('client', one, false, 'codex');
    void records.setAnswer('client', one, true, 'codex');
    void records.revoke('setting:one');
    deepEqual(told, [true, false, true, undefined]);
  });

  it('holds for what the user agreed to make of a server, and for what it was', async () => {
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
      deepEqual(
        records.answers('client', known).map(({ value }) => value),
        [true],
      );
      equal(records.answer('offer', known), undefined);
      equal(records.of('grant').filter(grant => grant.identity === identity).length, 1);
    }
    const carried = records.carryOver(one, next);
    await records.setAnswer('client', one, undefined, 'codex');
    await carried;
    equal(records.answer('client', next, 'codex'), undefined, 'It is one answer.');
  });
});
