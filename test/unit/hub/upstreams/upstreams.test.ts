import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ServerContext } from '@modelcontextprotocol/server';
import { MutableDisposable } from '../../../../src/base/disposable.ts';
import { PathScope } from '../../../../src/domain/paths/pathScope.ts';
import type { HubHost } from '../../../../src/server/hubHost.ts';
import type { RootFolder } from '../../../../src/server/roots/rootFolders.ts';
import { RootSources } from '../../../../src/server/roots/rootSources.ts';
import { type RootsView, viewWithoutRoots } from '../../../../src/server/roots/rootsView.ts';
import { stdioLaunch } from '../../../support/launches.ts';
import { hubServer, recordedUpstreams, rootsOf, silentHost } from '../../../support/upstreams.ts';

const context = { mcpReq: { signal: new AbortController().signal } } as ServerContext;
const given = { withoutRoots: 'deny' } as const;
const view = viewWithoutRoots('legacy', new RootSources(given, 'linux'));
const git = hubServer('git', stdioLaunch({ command: 'git-server' }));

type Use = HubHost['roots']['use'];

test('waits for the roots to resolve a name in the legacy era', async t => {
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

/** A modern session with these roots in its requests; its servers do not start automatically. */
function modern(t: TestContext) {
  const noted: unknown[] = [];
  const audit = { noteRoots: (named: unknown) => void noted.push(named) };
  const { all } = recordedUpstreams(t, [], { host: { ...silentHost, era: 'modern' }, audit });
  const withRoots = (roots: readonly RootFolder[]): RootsView => ({
    ...view,
    folders: { scope: new PathScope(roots, 'linux'), skipped: [] },
  });
  const take = (named: RootsView) => {
    const held = new MutableDisposable();
    return { held, wait: all.take({ view: named, revoked: undefined, held }, { ...context }) };
  };
  return { all, take, withRoots, noted };
}

test('has no servers after the end of a session', async t => {
  const { all, take, noted } = modern(t);
  take(view);
  await all.close('was ended by its test');
  const over = { name: 'HumanError', message: 'The session has ended.' };
  throws(() => take({ ...view }), over);
  await rejects(all.present(context), over);
  equal(noted.length, 1);
});

test('a modern request with other roots waits for the requests with earlier roots', async t => {
  const { take, withRoots } = modern(t);
  const [one, two] = rootsOf(t, 'one', 'two').map(root => withRoots([root]));
  const first = take(one!);
  const second = take(one!);
  const { wait } = take(two!);
  let isTurn = false;
  const turn = wait?.().then(() => {
    isTurn = true;
  });
  first.held.dispose();
  await setImmediate();
  equal(isTurn, false);
  second.held.dispose();
  await turn;
  equal(take(two!).wait, undefined);
});
