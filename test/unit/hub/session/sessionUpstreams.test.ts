import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ServerContext } from '@modelcontextprotocol/server';
import { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import type { HubHost } from '../../../../src/hub/hubHost.ts';
import type { SessionAudit } from '../../../../src/hub/session/sessionAudit.ts';
import { SessionUpstreams } from '../../../../src/hub/session/sessionUpstreams.ts';
import type { Upstream } from '../../../../src/hub/upstreams/upstream.ts';
import type { Upstreams } from '../../../../src/hub/upstreams/upstreams.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { RootSources } from '../../../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../../../src/server/roots/rootsView.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { TurnedClock } from '../../../support/turnedClock.ts';
import { recordedUpstreams, rootsOf } from '../../../support/upstreams.ts';

const context = {} as ServerContext;
const given = { withoutRoots: 'deny' } as const;

const audit = { noteRoots() {} } as unknown as SessionAudit;

/** The servers of a session whose roots are asked for, and what was seen in a look at them. */
function looking(use: HubHost['roots']['use']) {
  const clock = new TurnedClock();
  const host = { era: 'legacy', roots: { use }, capabilities: () => ({}) } as unknown as HubHost;
  const all = {
    byName: new Map([['of the roots before', {}]]),
    setRoots: () => {
      all.byName = new Map([['of these roots', {}]]);
    },
  };
  const upstreams = new SessionUpstreams(host, all as unknown as Upstreams, audit, clock.after);
  const look = () =>
    upstreams.look(context, (seen, whyNoRoots) => ({ seen: [...seen.keys()], whyNoRoots }));
  return { clock, look };
}

test('a look at the servers waits a second for roots that are being asked for, and no longer', async () => {
  const { clock, look } = looking(() => new Promise(() => {}));
  const seen = look();
  clock.pass(1000);
  deepEqual(await seen, {
    seen: ['of the roots before'],
    whyNoRoots:
      'The client was asked which folders it shares with the hub, and has not answered yet.',
  });
  equal(clock.waiting, 0);
});

test('a look at the servers is one at those for the roots where these are known in time', async () => {
  const view = viewWithoutRoots('legacy', new RootSources(given, 'linux'));
  const { clock, look } = looking(async (_context, work) => work(view));
  deepEqual(await look(), { seen: ['of these roots'], whyNoRoots: view.problem });
  equal(clock.waiting, 0);
});

/** A server that comes up when it is told to. */
function startingServer(name: string) {
  let comeUp = () => {};
  const upstream = {
    server: { name, launch: stdioLaunch({ command: 'uvx', args: [name] }) },
    isUp: false,
    comeUp: (signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        comeUp = resolve;
        signal.addEventListener('abort', () => reject(signal.reason));
        if (signal.aborted) {
          reject(signal.reason);
        }
      }),
  };
  return { upstream: upstream as unknown as Upstream & { isUp: boolean }, comeUp: () => comeUp() };
}

/** How a list tells of a server that it does not wait for any more. */
const tooLate = {
  message: 'The server "slow" is still starting, it may be downloading. Ask again in a moment.',
};

test('a list waits five seconds for a server that starts', async () => {
  const clock = new TurnedClock();
  const upstreams = new SessionUpstreams({} as HubHost, {} as Upstreams, audit, clock.after);
  const slow = startingServer('slow');
  const listed = () =>
    upstreams.listing(new AbortController().signal, ready => ready(slow.upstream));
  const first = rejects(listed(), tooLate);
  clock.pass(5000);
  await first;
  const list = listed();
  slow.comeUp();
  await list;
  equal(clock.waiting, 0);
});

test('in the legacy era a look for what a name stands for waits for the roots', async () => {
  const view = viewWithoutRoots('legacy', new RootSources(given, 'linux'));
  let answer = () => {};
  const answered = new Promise<void>(resolve => {
    answer = resolve;
  });
  const host = {
    era: 'legacy',
    capabilities: () => ({}),
    roots: { use: (_context: ServerContext, work: Use) => answered.then(() => work(view)) },
  } as unknown as HubHost;
  const wanted: unknown[] = [];
  const all = {
    byName: new Map([['files', 'of the roots before']]),
    setRoots: (roots: unknown) => {
      wanted.push(roots);
      all.byName = new Map([['files', 'of these roots']]);
    },
  };
  const upstreams = new SessionUpstreams(
    host,
    all as unknown as Upstreams,
    audit,
    new TurnedClock().after,
  );
  const present = upstreams.present(context);
  deepEqual(wanted, []);
  answer();
  deepEqual(await present, ['of these roots']);
  deepEqual(wanted, [view.folders.scope.roots]);
});

type Use = (view: RootsView) => unknown;

/** A modern session whose requests have these roots, and whose servers do not start by themselves. */
function modern(t: TestContext) {
  const { all } = recordedUpstreams(t);
  const host = { era: 'modern', capabilities: () => ({}) } as unknown as HubHost;
  const noted: unknown[] = [];
  const notes = { noteRoots: (view: unknown) => noted.push(view) } as unknown as SessionAudit;
  const upstreams = new SessionUpstreams(host, all, notes, new TurnedClock().after);
  const view = viewWithoutRoots('modern', new RootSources(given, 'linux'));
  const withRoots = (roots: readonly RootFolder[]): RootsView => ({
    ...view,
    folders: { scope: new PathScope(roots, 'linux'), skipped: [] },
  });
  return { all, upstreams, view, withRoots, noted };
}

test('a session that has ended has no servers any more, and is given none', async t => {
  const { all, upstreams, view, noted } = modern(t);
  upstreams.take(view, {} as ServerContext);
  await all.close('was ended by its test');
  const over = { name: 'HumanError', message: 'The session has ended.' };
  throws(() => upstreams.take({ ...view }, {} as ServerContext), over);
  await rejects(upstreams.present(context), over);
  equal(noted.length, 1);
});

test('a modern request with other roots waits until those with the roots before have ended', async t => {
  const { all, upstreams, withRoots } = modern(t);
  const [one, two] = rootsOf(t, 'one', 'two').map(root => withRoots([root]));
  const first = upstreams.take(one!, {} as ServerContext);
  const second = upstreams.take(one!, {} as ServerContext);
  equal(upstreams.take(two!, {} as ServerContext), undefined);
  let isTurn = false;
  const turn = upstreams.turn(new AbortController().signal).then(() => {
    isTurn = true;
  });
  first?.dispose();
  await setImmediate();
  equal(isTurn, false);
  second?.dispose();
  await turn;
  upstreams.take(two!, {} as ServerContext);
  deepEqual(all.roots, two!.folders.scope.roots);
});
