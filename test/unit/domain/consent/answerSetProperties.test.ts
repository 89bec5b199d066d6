import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AnswerSet,
  changed,
  type Entry,
  join,
  noAnswers,
  readAnswers,
  revoked,
} from '../../../../src/domain/consent/answerSet.ts';
import { isConsent, isYes } from '../../../../src/domain/consent/records.ts';
import { timesRevoked } from '../../../../src/domain/consent/revocations.ts';

const count = fc.nat(3);
const id = fc.constantFrom('files', 'git');

const entry: fc.Arbitrary<Entry> = fc
  .record(
    {
      kind: fc.constantFrom('client', 'offer', 'folder'),
      serverId: id,
      value: fc.boolean(),
      version: count,
      under: count,
      where: fc.constantFrom('ws', 'host'),
      isGone: fc.constant(true),
    },
    { requiredKeys: ['kind', 'serverId', 'value', 'version', 'under', 'where'] },
  )
  .map(one => {
    const same = { identity: 'a1', about: '', scope: 'workspace', at: 0 };
    return { ...one, ...same, value: one.value || one.kind === 'folder' } as Entry;
  });

const someSet: fc.Arbitrary<AnswerSet> = fc
  .record({
    revocations: fc.dictionary(fc.constantFrom('', 'files', 'git'), count),
    entries: fc.array(entry, { maxLength: 8 }),
  })
  .map(set => join(noAnswers, set));

function said({ entries }: AnswerSet): Entry[] {
  return entries.filter(one => !one.isGone);
}

test('joins the answers of windows to the same result in any order and number', () => {
  fc.assert(
    fc.property(someSet, someSet, someSet, (one, two, three) => {
      const { revocations } = [one, two, three].reduce(join);
      const [a, b, c] = [one, two, three].map(set => join(set, { revocations, entries: [] }));
      assert.ok(a && b && c);
      assert.deepEqual(join(join(a, b), c), join(a, join(b, c)));
      assert.deepEqual(join(one, two), join(two, one));
      assert.deepEqual(join(one, one), one);
      assert.deepEqual(join(one, noAnswers), one);
      assert.deepEqual(readAnswers(JSON.parse(JSON.stringify(one)), isConsent), one);
    }),
  );
});

test('keeps the later of two records, a no of the same version, and no revoked yes', () => {
  fc.assert(
    fc.property(someSet, someSet, (a, b) => {
      const { revocations, entries } = join(a, b);
      const isAbout = (one: Entry) => (other: Entry) =>
        other.where === one.where && other.kind === one.kind && other.serverId === one.serverId;
      for (const one of [...a.entries, ...b.entries]) {
        const isVoid = isYes(one) && isRevoked(one, revocations);
        const stands = entries.find(isAbout(one));
        assert.ok(isVoid || (stands && stands.version >= one.version));
        if (stands?.version === one.version && !one.isGone && isYes(one, false)) {
          assert.ok(!stands.isGone && isYes(stands, false));
        }
      }
      assert.ok(!entries.some(one => isYes(one) && isRevoked(one, revocations)));
    }),
  );
});

function isRevoked({ under, serverId }: Entry, revocations: AnswerSet['revocations']): boolean {
  return under < timesRevoked(serverId, revocations);
}

test('voids a yes given without knowledge of a revocation, and keeps a later yes', () => {
  const [yes] = fc.sample(
    entry.filter(one => one.kind === 'client'),
    1,
  ) as [Entry];
  const allowed = { ...yes, isGone: undefined, value: true } as unknown as Entry;
  const before = changed(noAnswers, [], [allowed]);
  for (const id of ['', yes.serverId]) {
    const unheard = changed(changed(before, [allowed], []), [], [allowed]);
    const after = revoked(before, id);
    assert.deepEqual([said(before).length, said(after)], [1, []]);
    assert.deepEqual(said(join(after, unheard)), []);
    assert.equal(said(join(changed(after, [], [allowed]), unheard)).length, 1);
  }
});

test('keeps a limited number of removals and workspaces, the latest', () => {
  const [one] = fc.sample(
    entry.filter(({ kind }) => kind === 'offer'),
    1,
  ) as [Entry];
  const many = (change: (index: number) => Partial<Entry>) =>
    Array.from({ length: 600 }, (_, index) => ({ ...one, under: 0, ...change(index) }) as Entry);
  const kept = (entries: readonly Entry[]) =>
    join(noAnswers, { revocations: {}, entries }).entries.map(({ version }) => version);
  const latest = (length: number) => Array.from({ length }, (_, index) => 600 - length + index);
  const about = (version: number) => ({ version, about: `${version}` });
  const removals = many(version => ({ ...about(version), isGone: true }));
  assert.deepEqual(kept(removals), latest(500));
  const workspaces = many(
    version => ({ version, where: `ws ${version}`, isGone: undefined, value: true }) as never,
  );
  assert.deepEqual(kept(workspaces), latest(100));
});

test('keeps each no of a forgotten workspace, and asks again for each yes', () => {
  const here = { kind: 'client', serverId: 'files', identity: 'a1', at: 0, under: 0 } as const;
  const answered = (where: string, about: string, value: boolean): Entry => ({
    ...here,
    ...{ where, about, value, version: 0, scope: 'workspace' },
  });
  const old = [answered('old', 'no', false), answered('old', 'yes', true)];
  const first = changed(noAnswers, [], old);
  const workspaces = Array.from({ length: 200 }, (_, index) => answered(`${index}`, 'yes', true));
  const all = workspaces.reduce((set, one) => changed(set, [], [one]), first);
  assert.deepEqual(
    all.entries.filter(({ where }) => where === 'old'),
    first.entries.filter(one => !isYes(one)),
  );
  assert.equal(all.entries.length, 101);
  const denied = { where: 'old', decision: 'denied', folder: '/w', scope: 'workspace', fields: {} };
  const grant = { ...here, ...denied, kind: 'grant', version: 0 } as unknown as Entry;
  const grants = [grant, ...workspaces].reduce((set, one) => changed(set, [], [one]), noAnswers);
  assert.ok(grants.entries.some(({ kind }) => kind === 'grant'));
});
