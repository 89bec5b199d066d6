import { deepEqual, equal, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import fc from 'fast-check';
import { commonState } from '../../../../src/extension/records/serverMemory.ts';
import type { ServerRecords } from '../../../../src/extension/records/serverRecords.ts';
import { Memory, recordsIn } from '../../../support/memory.ts';
import { ProfileState } from '../../../support/profileState.ts';
import { tempFolder } from '../../../support/temp.ts';

const one = { identity: 'a1', fields: {}, definition: { id: 'setting:one' } };
const looks = 2000;

/** Windows of a profile, in one workspace or separate ones, with delayed states. */
function opened(count: number, isOneWorkspace = true) {
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
      mock.timers.tick(looks);
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

// In the suite: at the top of a file they would be of every file in the process.
function turnedByHand() {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());
}

describe('answers of windows that hear of each other late', () => {
  turnedByHand();

  it('stay a no in both windows of a workspace, whatever the other answers', async () => {
    const { windows, settle } = opened(2);
    const [here, there] = windows as [ServerRecords, ServerRecords];
    const about = { serverId: 'setting:one', identity: 'a1', fields: {} };
    const grant = { ...about, scope: 'workspace' } as const;
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

  it('are those of the living page when the other page is dead', async () => {
    const { states, windows, settle } = opened(3);
    const [here, dead, other] = windows as [ServerRecords, ServerRecords, ServerRecords];
    void here.setAnswer('client', one, true, 'codex');
    settle();
    states[1]!.isPageDead = true;
    void here.setAnswer('client', one, false, 'codex');
    void dead.setAnswer('client', one, true, 'zed');
    settle();
    deepEqual([here, other].map(answersOf), Array(2).fill(['codex false']));
  });

  it('are void by a revocation unknown to their window, with any clock', async t => {
    const clock = t.mock.method(Date, 'now', () => 5_000_000);
    const { windows, settle } = opened(2, false);
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

  it('are forgotten in every window with a removed server, even a no', async () => {
    const { windows, settle } = opened(2);
    const [here, there] = windows as [ServerRecords, ServerRecords];
    void here.setAnswer('client', one, false, 'codex');
    void here.setAnswer('client', one, true, 'zed');
    settle();
    void there.forget({ ...one, definition: { ...one.definition, from: 'user' } }, true);
    settle();
    deepEqual([here, there].map(answersOf), [[], []]);
  });

  it('survive a window that closes after another overwrote them', async () => {
    const { profile, windows, settle } = opened(2, false);
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

  it('become the same in every window, in any order of news', async () => {
    const act = fc.record({
      window: fc.nat(2),
      what: fc.constantFrom('yes', 'no', 'forget', 'revoke', 'look'),
      about: fc.constantFrom('codex', 'zed'),
      delivered: fc.array(fc.nat(9), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 20 }), async acts => {
        const { profile, windows, settle } = opened(3);
        for (const { window, what, about, delivered } of acts) {
          const records = windows[window] as ServerRecords;
          if (what === 'revoke') {
            void records.revoke();
          } else if (what === 'look') {
            mock.timers.tick(looks);
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
        const allowed = windows.flatMap(answersOf).filter(text => text.endsWith('true'));
        deepEqual(allowed, []);
        for (const records of windows) {
          records.dispose();
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a revocation', () => {
  turnedByHand();

  it('reaches windows of other profiles, which get no other news', async t => {
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
    mock.timers.tick(looks);
    deepEqual([answersOf(there), answersOf(here), revoked], [['zed false'], [], ['setting:one']]);
    await there.setAnswer('client', one, true, 'codex');
    mock.timers.tick(looks);
    equal(there.answer('client', one, 'codex'), true, 'A new answer holds.');
  });

  it('is assumed when the file cannot be read or has other contents', async t => {
    const folder = tempFolder(t);
    const about = { kind: 'client', serverId: 'setting:one', identity: 'a1', about: 'codex' };
    const given = { value: true, scope: 'workspace', at: 0, where: '' };
    const entry = { ...about, ...given, version: 9, under: 9 };
    for (const text of ['', 'x', '{}', JSON.stringify({ revocations: {}, entries: [entry] })]) {
      const profiles = commonState(folder) as unknown as Memory;
      const records = recordsIn(new Memory(), new Memory(), () => {}, '', profiles);
      await records.setAnswer('client', one, true, 'codex');
      writeFileSync(join(folder, 'revocations.json'), text);
      mock.timers.tick(looks);
      deepEqual(answersOf(records), [], text);
      await records.setAnswer('client', one, true, 'codex');
      mock.timers.tick(looks);
      deepEqual(answersOf(records), ['codex true'], text);
      records.dispose();
    }
  });
});
