import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  rootsEffect,
  type StartRoot,
  startAge,
} from '../../../../src/domain/servers/rootsChange.ts';
import { foundAsExpected } from '../../../support/cases.ts';
import { stdioLaunch } from '../../../support/launches.ts';

function root(path: string, name = path): StartRoot {
  return { uri: `file://${path}`, name, path };
}

const [api, docs, web] = [root('/proj/api'), root('/proj/docs'), root('/proj/web')];

/** A server is told of its roots, or has them in its arguments, and works in the first or elsewhere. */
const launches = {
  told: stdioLaunch(),
  elsewhere: stdioLaunch({ cwd: '/srv' }),
  named: stdioLaunch({ args: ['${roots}'] }),
  namedElsewhere: stdioLaunch({ args: ['${roots}'], cwd: '/srv' }),
};

type Kind = keyof typeof launches;

function effects(kinds: readonly Kind[], atStart: readonly StartRoot[], now: readonly StartRoot[]) {
  return kinds.map(kind => rootsEffect({ launch: launches[kind], roots: atStart }, atStart, now));
}

test('losing the last root stops a server, gaining a first one restarts a refused one', () => {
  const launch = launches.elsewhere;
  const effect = (start: readonly StartRoot[] | undefined, now: readonly StartRoot[]) =>
    rootsEffect({ launch, roots: start }, start ?? [], now);
  foundAsExpected({
    'refused, still nothing': [effect(undefined, []), 'none'],
    'refused, now a root': [effect(undefined, [api]), 'restart'],
    'a root, now none': [effect([api], []), 'stop'],
    'a root, now another': [effect([api], [web]), 'tell'],
    'none, still none': [effect([], []), 'none'],
    'none, now a root': [effect([], [api]), 'tell'],
  });
});

test('a root that came after the start counts among those of which the last one is lost', () => {
  const start = { launch: launches.elsewhere, roots: [] };
  assert.equal(rootsEffect(start, [api], []), 'stop');
});

test('a start that is still prepared is called off with the last root, and else goes on', () => {
  assert.equal(rootsEffect(undefined, [api], []), 'stop');
  assert.equal(rootsEffect(undefined, [api], [web]), 'none');
  assert.equal(rootsEffect(undefined, [], []), 'none');
});

test('a server is restarted for each change that it cannot be told of', () => {
  const kinds = ['told', 'named', 'elsewhere'] as const;
  const effectsOf = (now: readonly StartRoot[]) => effects(kinds, [web], now);
  foundAsExpected({
    'one more': [effectsOf([web, api]), ['tell', 'restart', 'tell']],
    'another one': [effectsOf([api]), ['restart', 'restart', 'tell']],
    'one above': [effectsOf([root('/proj')]), ['tell', 'restart', 'tell']],
    'one that begins alike': [effectsOf([root('/proj/we')]), ['restart', 'restart', 'tell']],
    'another name': [effectsOf([root('/proj/web', 'Web')]), ['tell', 'tell', 'tell']],
    'the same': [effectsOf([root('/proj/web')]), ['none', 'none', 'none']],
    none: [effectsOf([]), ['stop', 'stop', 'stop']],
    'the first ones': [effects(kinds, [], [web]), ['restart', 'restart', 'tell']],
  });
});

test('a server with its folders in its configuration is restarted for another order, too', () => {
  const kinds = ['told', 'named', 'namedElsewhere'] as const;
  assert.deepEqual(effects(kinds, [api, web], [web, api]), ['tell', 'restart', 'restart']);
});

const ages: readonly [string, readonly StartRoot[], readonly StartRoot[]][] = [
  ['current', [api, web], [api, web]],
  ['outdated', [api], [api, docs]],
  ['outdated', [], [api]],
  ['outdated', [api, web], [web, api]],
  ['lost', [api, web], [web]],
  ['lost', [api], []],
  ['lost', [api], [docs, web]],
];

for (const [age, given, now] of ages) {
  const names = (roots: readonly StartRoot[]) => roots.map(({ name }) => name).join(', ');
  test(`from [${names(given)}] as arguments to [${names(now)}] is "${age}"`, () => {
    assert.equal(startAge({ launch: launches.namedElsewhere, roots: given }, now), age);
  });
}

test('a new name for the same folder is no reason to restart anything', () => {
  const start = { launch: launches.named, roots: [api] };
  assert.equal(startAge(start, [root('/proj/api', 'api (proj)')]), 'current');
});

test('a server is outdated where it works in a folder that was taken away, and only then', () => {
  const start = { launch: launches.told, roots: [api] };
  assert.equal(startAge(start, [web]), 'outdated');
  assert.equal(startAge(start, [web, api]), 'current');
  assert.equal(startAge(start, [web, root('/proj')]), 'current');
  assert.equal(startAge({ ...start, launch: launches.elsewhere }, [web]), 'current');
});
