import { deepEqual, equal, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { commonState } from '../../../../src/extension/servers/serverMemory.ts';
import type { ServerRecords } from '../../../../src/extension/servers/serverRecords.ts';
import { Memory, recordsIn } from '../../../support/memory.ts';
import { ProfileState } from '../../../support/profileState.ts';
import { tempFolder } from '../../../support/temp.ts';

const one = { identity: 'a1', fields: {}, definition: { id: 'setting:one' } };
const looks = 2000;

/** Windows of a profile, of one workspace or of one each, with states that are told late. */
function opened(t: Pick<TestContext, 'mock'>, count: number, isOneWorkspace = true) {
  const profile = new ProfileState();
  const { id } = new Memory();
  const states = Array.from({ length: count }, () => profile.open());
  const windows = states.map(state =>
    recordsIn(isOneWorkspace ? new Memory({}, id) : new Memory(), state as unknown as Memory),
  );
  /** Until no window has had anything to say for three looks. */
  const settle = () => {
    let quiet = 0;
    for (let rounds = 0; quiet < 3; rounds += 1) {
      ok(rounds < 20, 'They write in turns for ever.');
      const { writes } = profile;
      profile.deliverAll();
      t.mock.timers.tick(looks);
      profile.deliverAll();
      quiet = writes === profile.writes ? quiet + 1 : 0;
    }
  };
  return { profile, states, windows, settle };
}

function answersOf(records: ServerRecords) {
  return records
    .of('client')
    .map(({ about, value }) => `${about} ${value}`)
    .sort();
}

describe('answers of windows that hear of each other late', () => {
  it('stay a no in both windows of a workspace, whatever is answered in the other', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { windows, settle } = opened(t, 2);
    const [here, there] = windows as [ServerRecords, ServerRecords];
    const grant = {
      serverId: 'setting:one',
      identity: 'a1',
      fields: {},
      scope: 'workspace',
    } as const;
    const folders = ['file:///a', 'file:///b', 'file:///c'];
    await here.setGrants(folders.map(folder => ({ ...grant, folder, decision: 'allowed' })));
    settle();
    void here.setGrants([{ ...grant, folder: 'file:///a', decision: 'denied' }]);
    // Written with the yes that this window still remembers, at the same moment.
    void there.setGrants([{ ...grant, folder: 'file:///b', decision: 'denied' }]);
    settle();
    void there.setAnswer('client', one, true, 'codex');
    settle();
    for (const records of [here, there]) {
      deepEqual(
        records
          .of('grant')
          .map(({ folder, decision }) => `${folder} ${decision}`)
          .sort(),
        ['file:///a denied', 'file:///b denied', 'file:///c allowed'],
      );
    }
  });

  it('are what was said with the page that lives, where the other page is dead', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { states, windows, settle } = opened(t, 3);
    const [here, dead, other] = windows as [ServerRecords, ServerRecords, ServerRecords];
    void here.setAnswer('client', one, true, 'codex');
    settle();
    states[1]!.isPageDead = true;
    void here.setAnswer('client', one, false, 'codex');
    void dead.setAnswer('client', one, true, 'zed');
    settle();
    deepEqual([here, other].map(answersOf), Array(2).fill(['codex false']));
  });

  it('is void by a revocation that its window has not heard of, with the clock ahead or back', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const clock = t.mock.method(Date, 'now', () => 5_000_000);
    const { windows, settle } = opened(t, 2, false);
    const [here, there] = windows as [ServerRecords, ServerRecords];
    void there.setAnswer('client', one, true, 'codex');
    settle();
    clock.mock.mockImplementation(() => 5000);
    void here.revoke('setting:one');
    void there.setAnswer('client', one, true, 'zed');
    settle();
    deepEqual([here, there].map(answersOf), [[], []]);
    void there.setAnswer('client', one, true, 'zed');
    settle();
    deepEqual(answersOf(there), ['zed true'], 'a new answer holds');
    void here.revoke();
    settle();
    deepEqual(answersOf(there), []);
  });

  it('are gone in every window with a removed server, each no as well', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { windows, settle } = opened(t, 2);
    const [here, there] = windows as [ServerRecords, ServerRecords];
    void here.setAnswer('client', one, false, 'codex');
    void here.setAnswer('client', one, true, 'zed');
    settle();
    void there.forget({ ...one, definition: { ...one.definition, from: 'user' } }, true);
    settle();
    deepEqual([here, there].map(answersOf), [[], []]);
  });

  it('are not lost with a window that closes, when another wrote over them', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const { profile, windows, settle } = opened(t, 2, false);
    const [here, there] = windows as [ServerRecords, ServerRecords];
    void here.setAnswer('client', one, false, 'codex');
    void there.setAnswer('client', one, true, 'zed');
    profile.deliverAll();
    here.dispose();
    settle();
    const { answers = { entries: [] } } = JSON.parse(profile.open().page);
    deepEqual(answers.entries.map(({ about }: { readonly about: string }) => about).sort(), [
      'codex',
      'zed',
    ]);
  });

  it('come to the same in every window, in whatever order they are told', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const act = fc.record({
      window: fc.nat(2),
      what: fc.constantFrom('yes', 'no', 'forget', 'revoke', 'look'),
      about: fc.constantFrom('codex', 'zed'),
      delivered: fc.array(fc.nat(9), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 20 }), async acts => {
        const { profile, windows, settle } = opened(t, 3);
        for (const { window, what, about, delivered } of acts) {
          const records = windows[window] as ServerRecords;
          if (what === 'revoke') {
            void records.revoke();
          } else if (what === 'look') {
            t.mock.timers.tick(looks);
          } else {
            const isAllowed = what === 'forget' ? undefined : what === 'yes';
            void records.setAnswer('client', one, isAllowed, about);
          }
          for (const pick of delivered) {
            profile.deliver(pick);
          }
        }
        settle();
        const [first, ...others] = windows.map(answersOf);
        for (const other of others) {
          deepEqual(other, first);
        }
        void windows[0]?.revoke();
        void windows[1]?.setAnswer('client', one, true, 'codex');
        settle();
        deepEqual(
          windows.flatMap(answersOf).filter(text => text.endsWith('true')),
          [],
        );
        for (const records of windows) {
          records.dispose();
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a revocation', () => {
  it('reaches the windows of other profiles, which hear of nothing else', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const folder = join(tempFolder(t), 'storage');
    const open = () => {
      const profiles = commonState(folder) as unknown as Memory;
      return recordsIn(new Memory(), new Memory(), undefined, '', profiles);
    };
    const [here, there] = [open(), open()];
    const revoked: string[] = [];
    there.onDidRevoke(id => revoked.push(id));
    await here.setAnswer('client', one, true, 'codex');
    await there.setAnswer('client', one, true, 'codex');
    await there.setAnswer('client', one, false, 'zed');
    await here.revoke('setting:one');
    equal(there.answer('client', one, 'codex'), true);
    t.mock.timers.tick(looks);
    deepEqual([answersOf(there), answersOf(here), revoked], [['zed false'], [], ['setting:one']]);
    await there.setAnswer('client', one, true, 'codex');
    t.mock.timers.tick(looks);
    equal(there.answer('client', one, 'codex'), true, 'A new answer holds.');
  });

  it('is taken for granted where the file cannot be read, and where it says anything else', async t => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const folder = tempFolder(t);
    const answer = {
      kind: 'client',
      serverId: 'setting:one',
      identity: 'a1',
      about: 'codex',
      value: true,
    };
    const entry = { ...answer, scope: 'workspace', at: 0, where: '', version: 9, under: 9 };
    for (const text of ['', 'x', '{}', JSON.stringify({ revocations: {}, entries: [entry] })]) {
      const profiles = commonState(folder) as unknown as Memory;
      const records = recordsIn(new Memory(), new Memory(), () => {}, '', profiles);
      await records.setAnswer('client', one, true, 'codex');
      writeFileSync(join(folder, 'revocations.json'), text);
      t.mock.timers.tick(looks);
      deepEqual(answersOf(records), [], text);
      await records.setAnswer('client', one, true, 'codex');
      t.mock.timers.tick(looks);
      deepEqual(answersOf(records), ['codex true'], text);
      records.dispose();
    }
  });
});
