import { deepEqual, equal, fail, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Child } from '../../src/server/hub/children/child.ts';
import type { HubHost } from '../../src/server/hub/hubHost.ts';
import { SessionChildren } from '../../src/server/hub/session/sessionChildren.ts';
import type { SessionTenant } from '../../src/server/hub/session/sessionTenant.ts';
import { RootSources } from '../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../src/server/roots/rootsView.ts';
import { stdioLaunch } from '../support/launches.ts';
import { TurnedClock } from '../support/turnedClock.ts';

const context = {} as ServerContext;
const given = { withoutRoots: 'deny' } as const;

/** The children of a session whose roots are asked for, and what was seen in a look at them. */
function looking(use: HubHost['roots']['use']) {
  const clock = new TurnedClock();
  const host = { era: 'legacy', roots: { use } } as HubHost;
  const set = { children: new Map([['of these roots', {}]]) };
  const held = { current: { children: new Map([['of the roots before', {}]]) } };
  const tenant = { held, lastView: undefined, take: () => set } as unknown as SessionTenant;
  const children = new SessionChildren({ host, tenant, after: clock.after });
  const look = () =>
    children.look(context, (seen, whyNoRoots) => ({ seen: [...seen.keys()], whyNoRoots }));
  return { clock, look };
}

test('a look at the children waits a second for roots that are being asked for, and no longer', async () => {
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

test('a look at the children is one at those for the roots where these are known in time', async () => {
  const view = viewWithoutRoots('legacy', new RootSources(given, 'linux'));
  const { clock, look } = looking(async (_context, work) => work(view));
  deepEqual(await look(), { seen: ['of these roots'], whyNoRoots: view.problem });
  equal(clock.waiting, 0);
});

test('a list waits once for a server that starts, and again when that has come up', async () => {
  const clock = new TurnedClock();
  const host = {} as HubHost;
  const children = new SessionChildren({ host, tenant: {} as SessionTenant, after: clock.after });
  let comeUp = () => {};
  const child = {
    server: { name: 'slow', launch: stdioLaunch({ command: 'uvx', args: ['slow'] }) },
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
  const ready = () => children.ready(child as unknown as Child, new AbortController().signal);
  const tooLate = {
    message: 'The server "slow" is still starting, it may be downloading. Ask again in a moment.',
  };
  const first = rejects(ready(), tooLate);
  clock.pass(5000);
  await first;
  await rejects(ready(), tooLate);
  // It takes in its roots, which is not to be waited for in vain.
  child.isUp = true;
  const list = ready();
  comeUp();
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
    roots: { use: (_context: ServerContext, work: Use) => answered.then(() => work(view)) },
  } as unknown as HubHost;
  const taken: RootsView[] = [];
  const set = { children: new Map([['files', 'of these roots']]) };
  const tenant = {
    take: (roots: RootsView) => {
      taken.push(roots);
      return set;
    },
    currentOrWithoutRoots: () => fail('without roots'),
  } as unknown as SessionTenant;
  const children = new SessionChildren({ host, tenant, after: new TurnedClock().after });
  const present = children.present(context);
  deepEqual(taken, []);
  answer();
  deepEqual(await present, ['of these roots']);
  deepEqual(taken, [view]);
});

type Use = (view: RootsView) => unknown;
