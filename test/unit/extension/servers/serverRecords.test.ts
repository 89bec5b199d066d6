import { deepEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServerRecords } from '../../../../src/extension/servers/serverRecords.ts';
import { Memory } from '../../../support/memory.ts';

const one = { identity: 'a1', definition: { id: 'setting:one' } };
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
    const records = new ServerRecords(new Memory());
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
    const memory = new Memory();
    const records = new ServerRecords(memory);
    await records.setAnswer('client', one, true, 'codex', 'session');
    equal(new ServerRecords(memory).answer('client', one, 'codex'), undefined);
    await records.setAnswer('client', one, false, 'codex');
    equal(records.answer('client', one, 'codex'), false);
    await records.setAnswer('client', one, undefined, 'codex');
    deepEqual(records.answers('client', one), []);
  });

  it('loses each yes when it is revoked, whatever the server was then, and no refusal', async () => {
    const records = new ServerRecords(new Memory());
    await records.setAnswer('client', one, true, 'codex', 'session');
    await records.setAnswer('client', changed, true, 'claude-code');
    await records.setAnswer('client', one, false, 'zed');
    await records.setAnswer('offer', one, true);
    await records.setAnswer('client', twin, true, 'codex');
    await records.set({ ...offered('setting:one', '/a'), value: true });
    await records.revoke(['setting:one']);
    deepEqual(records.allowedServers, ['setting:twin']);
    deepEqual(
      records.of('client', 'setting:one').map(({ about }) => about),
      ['zed'],
    );
    deepEqual(pathsOf(records), ['/a']);
  });

  it('offers a folder to one server, each once, in every session', async () => {
    const memory = new Memory();
    const records = new ServerRecords(memory);
    const changes: string[] = [];
    records.onDidChange(kind => changes.push(kind));
    for (const path of ['/a', '/b', '/b']) {
      await records.set({ ...offered('toString', path), value: true });
    }
    const later = new ServerRecords(memory);
    deepEqual(
      [pathsOf(later, 'toString'), pathsOf(later, 'constructor'), changes],
      [['/a', '/b'], [], ['folder', 'folder', 'folder']],
    );
    await records.set({ ...offered('toString', '/a'), value: undefined });
    deepEqual(pathsOf(later), ['/b']);
  });

  it('goes with a server that gets another id, and is forgotten by its kind', async () => {
    const records = new ServerRecords(new Memory());
    await records.setAnswer('client', one, true, 'codex', 'session');
    await records.setAnswer('offer', twin, true);
    const former = { identity: 'c3', definition: { id: 'setting:new' } };
    await records.setAnswer('client', former, false, 'codex');
    const calls = [{ at: 1000, args: { text: 'one' } }];
    const call = { kind: 'calls', serverId: 'setting:one', identity: '', about: 'echo' } as const;
    await records.set({ ...call, value: calls });
    await records.move('setting:one', 'setting:new');
    const all = () => [...records.of('client'), ...records.of('offer'), ...records.of('calls')];
    deepEqual(
      all().map(({ serverId, value }) => [serverId, value]),
      [
        ['setting:new', true],
        ['setting:twin', true],
        ['setting:new', calls],
      ],
    );
    await records.setAnswer('offer', former, true);
    await records.forget('client', 'setting:new');
    await records.forget('offer', 'setting:new');
    deepEqual(
      all().map(({ kind, serverId }) => [kind, serverId]),
      [
        ['offer', 'setting:twin'],
        ['calls', 'setting:new'],
      ],
    );
  });

  it('has the calls of the last hundred tools', async () => {
    const records = new ServerRecords(new Memory());
    for (let tool = 0; tool < 101; tool += 1) {
      const about = { serverId: 'setting:one', identity: '', about: `${tool}` };
      await records.set({ kind: 'calls', ...about, value: [] });
    }
    const tools = records.of('calls').map(({ about }) => about);
    deepEqual([tools.length, tools[0], tools.at(-1)], [100, '1', '100']);
  });

  it('is nothing where what is stored cannot be read', async () => {
    const answer = { kind: 'client', serverId: 'setting:one', identity: 'a1', about: 'codex' };
    const unreadable = [
      null,
      'x',
      [4],
      [answer],
      [{ ...answer, value: 'yes' }],
      [{ ...answer, value: true, kind: 'toString' }],
      [{ ...answer, value: true, about: 1 }],
    ];
    for (const stored of unreadable) {
      const memory = new Memory();
      await memory.update('servers', stored);
      deepEqual(new ServerRecords(memory).of('client'), [], JSON.stringify(stored));
    }
  });
});
