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

/** A server gets its roots by notice or as arguments, and works in the first or elsewhere. */
const launches = {
  told: stdioLaunch(),
  elsewhere: stdioLaunch({ cwd: '/srv' }),
};
const starts = {
  told: { launch: launches.told },
  elsewhere: { launch: launches.elsewhere },
  named: { launch: launches.told, isConfigured: true },
  namedElsewhere: { launch: launches.elsewhere, isConfigured: true },
};

type Kind = keyof typeof starts;

function effects(kinds: readonly Kind[], atStart: readonly StartRoot[], now: readonly StartRoot[]) {
  return kinds.map(kind => rootsEffect({ ...starts[kind], roots: atStart }, atStart, now));
}

test('losing the last root stops a server, a first root restarts a refused server', () => {
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

test('a start stops when its last root is lost during or before it', () => {
  const late = { launch: launches.elsewhere, roots: [] };
  foundAsExpected({
    later: [rootsEffect(late, [api], []), 'stop'],
    prepared: [rootsEffect(undefined, [api], []), 'stop'],
    'prepared, with another': [rootsEffect(undefined, [api], [web]), 'none'],
    'prepared, never with one': [rootsEffect(undefined, [], []), 'none'],
  });
});

test('restarts a server for each change that a notice cannot announce', () => {
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

test('restarts a server with folders in its configuration for another order, too', () => {
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

test('roots given as arguments are current, outdated or lost', () => {
  assert.deepEqual(
    ages.map(([, roots, now]) => startAge({ ...starts.namedElsewhere, roots }, now)),
    ages.map(([age]) => age),
  );
  // A new name for the same folder needs no restart.
  const start = { ...starts.named, roots: [api] };
  assert.equal(startAge(start, [root('/proj/api', 'api (proj)')]), 'current');
});

test('a server is outdated only if it works in a revoked folder', () => {
  const start = { launch: launches.told, roots: [api] };
  assert.equal(startAge(start, [web]), 'outdated');
  assert.equal(startAge(start, [web, api]), 'current');
  assert.equal(startAge(start, [web, root('/proj')]), 'current');
  assert.equal(startAge({ ...start, launch: launches.elsewhere }, [web]), 'current');
});
