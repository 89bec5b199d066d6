import { deepEqual, equal, notEqual, rejects, throws } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ServerContext } from '@modelcontextprotocol/server';
import { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import type { HubHost } from '../../../../src/hub/hubHost.ts';
import type { Upstream } from '../../../../src/hub/upstreams/upstream.ts';
import { Upstreams } from '../../../../src/hub/upstreams/upstreams.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { RootSources } from '../../../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../../../src/server/roots/rootsView.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';
import { hubServer, recordedUpstreams, rootsOf, silentHost } from '../../../support/upstreams.ts';

const context = { mcpReq: { signal: new AbortController().signal } } as ServerContext;
const given = { withoutRoots: 'deny' } as const;
const view = viewWithoutRoots('legacy', new RootSources(given, 'linux'));
const git = hubServer('git', stdioLaunch({ command: 'git-server' }));

type Use = HubHost['roots']['use'];
type Parts = ConstructorParameters<typeof Upstreams>[4];

/** A server that comes up when it is told to. */
function startingServer(name: string) {
  let comeUp = () => {};
  const upstream = {
    server: { name, launch: stdioLaunch({ command: 'uvx', args: [name] }) },
    isUp: false,
    comeUp: () =>
      new Promise<void>(resolve => {
        comeUp = resolve;
      }),
  };
  return { upstream: upstream as unknown as Upstream, comeUp: () => comeUp() };
}

test('a list waits five seconds for a server that starts', async () => {
  const clock = new TurnedClock();
  const parts = { after: clock.after } as unknown as Parts;
  const answer = () => Promise.reject(new Error('Nobody answers.'));
  const upstreams = new Upstreams(silentHost, { noteRoots() {} }, [], answer, parts);
  const slow = startingServer('slow');
  const listed = () => upstreams.listing(context.mcpReq.signal, ready => ready(slow.upstream));
  const first = rejects(listed(), {
    message: 'The server "slow" is still starting, it may be downloading. Ask again in a moment.',
  });
  clock.pass(5000);
  await first;
  const list = listed();
  slow.comeUp();
  await list;
  equal(clock.waiting, 0);
});

test('in the legacy era a look for what a name stands for waits for the roots', async t => {
  let answer = () => {};
  const answered = new Promise<void>(resolve => {
    answer = resolve;
  });
  const use = (_context: unknown, work: (view: RootsView) => object) =>
    answered.then(() => work(view));
  const host = { ...silentHost, roots: { ...silentHost.roots, use: use as Use } };
  const { all } = recordedUpstreams(t, [git], { host });
  const present = all.present(context);
  equal(all.byName.size, 0);
  answer();
  deepEqual(
    (await present).map(({ server }) => server.name),
    ['git'],
  );
});

/** A modern session whose requests have these roots, and whose servers do not start by themselves. */
function modern(t: TestContext) {
  const noted: unknown[] = [];
  const audit = { noteRoots: (named: unknown) => void noted.push(named) };
  const { all } = recordedUpstreams(t, [], { host: { ...silentHost, era: 'modern' }, audit });
  const withRoots = (roots: readonly RootFolder[]): RootsView => ({
    ...view,
    folders: { scope: new PathScope(roots, 'linux'), skipped: [] },
  });
  return { all, withRoots, noted };
}

test('a session that has ended has no servers any more, and is given none', async t => {
  const { all, noted } = modern(t);
  all.take(view, {} as ServerContext);
  await all.close('was ended by its test');
  const over = { name: 'HumanError', message: 'The session has ended.' };
  throws(() => all.take({ ...view }, {} as ServerContext), over);
  await rejects(all.present(context), over);
  equal(noted.length, 1);
});

test('a modern request with other roots waits until those with the roots before have ended', async t => {
  const { all, withRoots } = modern(t);
  const [one, two] = rootsOf(t, 'one', 'two').map(root => withRoots([root]));
  const first = all.take(one!, {} as ServerContext);
  const second = all.take(one!, {} as ServerContext);
  equal(all.take(two!, {} as ServerContext), undefined);
  let isTurn = false;
  const turn = all.turn(new AbortController().signal).then(() => {
    isTurn = true;
  });
  first?.dispose();
  await setImmediate();
  equal(isTurn, false);
  second?.dispose();
  await turn;
  notEqual(all.take(two!, {} as ServerContext), undefined);
});
