import assert from 'node:assert/strict';
import {
  defaultTerms,
  type ServerTerms,
  userServer,
} from '../../../src/domain/servers/serverDefinition.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { serverItem } from '../../../src/extension/views/serverItem.ts';
import { stdioLaunch } from '../../support/launches.ts';
import {
  accessOf,
  allowed,
  exclusion,
  exposure,
  folder,
  running,
  type ShownServer,
  shownServer,
} from '../support/shownServer.ts';

const end = { code: 3, signal: undefined, error: undefined, stderr: ['no such option'] };
const died = { kind: 'failed', failure: { kind: 'ended', end } } as unknown as Server['state'];

describe('the row of a server', () => {
  /** Its `contextValue`, and its description with times written as `TIME`. */
  const shown = (facts: Partial<ShownServer>) => {
    const { contextValue, description } = serverItem(shownServer(facts));
    return [contextValue, withoutTimes(String(description))];
  };
  const withRoutes = (...rootsAs: ('roots' | 'args' | 'env')[]) => ({
    ...shownServer().definition,
    rootsAs,
  });

  it('says how it stands, and lets menus tell it apart', () => {
    assert.deepEqual(shown({}), ['server.stopped', 'stopped']);
    assert.deepEqual(shown({ state: running }), ['server.running', 'running · 2025-11-25']);
    assert.deepEqual(shown({ isStoppedForLackOfRoots: true }), [
      'server.stopped',
      'stopped: no folder is left that it may see',
    ]);
    assert.deepEqual(shown({ state: running, isNeglecting: true }), [
      'server.running.stale',
      'running · has not asked again since its folders changed',
    ]);
    assert.deepEqual(shown({ state: running, needsRestart: true }), [
      'server.running.stale',
      'running · folders changed: restart to apply',
    ]);
    assert.deepEqual(shown({ state: died, plan: { kind: 'waiting', deaths: 2, at: 0 } }), [
      'server.failed.waiting',
      'starts again at TIME (deaths: 2) · ended with exit code 3: no such option',
    ]);
    assert.deepEqual(shown({ state: died, plan: { kind: 'given-up', deaths: 5 } }), [
      'server.failed.given-up',
      'given up after 5 deaths · ended with exit code 3: no such option',
    ]);
  });

  it('lets a menu update what was fetched for a sandbox, and nothing else', () => {
    const context = (command: string, terms: Partial<ServerTerms>) => {
      const launch = stdioLaunch({ command, args: ['files'] });
      return shown({ definition: userServer('files', launch, { ...defaultTerms, ...terms }) })[0];
    };
    const sandbox = { read: [], write: [], network: true };
    assert.deepEqual(
      [context('npx', { sandbox }), context('npx', {}), context('node', { sandbox })],
      ['server.stopped.installed', 'server.stopped', 'server.stopped'],
    );
  });

  it('says whether agents are offered it, and lets menus tell that apart', () => {
    assert.deepEqual(shown({ isOffered: true }), [
      'server.stopped.offered',
      'stopped · offered to agents',
    ]);
    const missedPath = '/etc/tool';
    const [context] = shown({ state: running, isOffered: true, missedPath });
    assert.equal(context, 'server.running.offered.missing');
  });

  it('says of a program that fetches others that it may be downloading while it starts', () => {
    const definition = (command: string, ...args: string[]) =>
      userServer('files', stdioLaunch({ command, args }), defaultTerms);
    const says = (...words: [string, ...string[]]) =>
      shown({ state: { kind: 'starting' }, definition: definition(...words) })[1];
    assert.equal(says('npx', '-y', 'files'), 'starting, it may be downloading…');
    assert.equal(says('docker', 'run', '-i', 'files'), 'starting, it may be downloading…');
    assert.equal(says('docker', 'exec', 'files'), 'starting…');
    assert.equal(says('node', 'files.js'), 'starting…');
  });

  it('tells how it comes by its roots: how often it asked and when, or why it did not', () => {
    const says = (facts: Partial<ShownServer>) => shown({ state: running, ...facts })[1];
    const modern = { ...running, era: 'modern', protocolVersion: '2026-07-28' } as const;
    const asked = { exposureCount: 3, lastExposure: exposure() };
    const refused = { ...accessOf(), isRefused: true };
    assert.equal(says({}), 'running · 2025-11-25');
    assert.equal(says({ isSilent: true }), 'running · 2025-11-25 · never asked for roots');
    assert.equal(says(asked), 'running · 2025-11-25 · asked 3×, last TIME');
    assert.equal(says({ state: modern }), 'running · 2026-07-28 · asks in calls, has not yet');
    assert.equal(
      says({ ...asked, state: modern }),
      'running · 2026-07-28 · asked in calls 3×, last TIME',
    );
    assert.equal(says({ access: refused }), 'running · 2025-11-25 · not offered roots');
    assert.equal(
      says({ definition: withRoutes('args', 'env') }),
      'running · 2025-11-25 · not offered roots: gets them as arguments, as environment',
    );
    assert.equal(
      says({ ...asked, definition: withRoutes('roots', 'args') }),
      'running · 2025-11-25 · asked 3×, last TIME · roots as arguments',
    );
    assert.equal(says({ ...asked, state: { kind: 'stopped' } }), 'stopped');
  });

  it('says the worst that is wrong with it, and all of it in its tooltip', () => {
    const faults = {
      overdueCalls: [{ tool: 'dig\u202e', since: 0 }],
      floodsRequests: true,
      floodsNotifications: true,
      messagesLeftOut: 9,
      rubbishLines: 7,
      longestRubbish: 100 * 1024 * 1024,
      strayAnswers: 2,
    };
    const call = 'no answer to call of dig\\u202e since TIME';
    assert.equal(shown({ state: running, faults })[1], `running · 2025-11-25 · ${call}`);
    const { tooltip } = serverItem(shownServer({ state: running, faults }));
    assert.deepEqual(withoutTimes(String(tooltip)).split('\n').slice(3, 10), [
      call,
      'floods with requests for roots',
      'floods with notifications',
      'floods with log messages: 9 left out',
      'a line of 100 MB was skipped',
      'lines that are no MCP: 7',
      'answers nobody asked for: 2',
    ]);
  });

  it('says whether the system keeps it in its folders, and in its tooltip what else it sees', () => {
    const sandbox = {
      tool: 'bubblewrap 0.8.0',
      roots: [],
      alsoSees: [
        { path: '/opt/node', isWritable: false },
        { path: '/opt/my files', isWritable: false },
        { path: '/var/cache/files', isWritable: true },
      ],
      hasNetwork: false,
      isPreview: false,
    };
    const noSandbox = { template: 'There is no sandbox on {0} yet.', values: ['Windows'] };
    const says = (facts: Partial<ShownServer>) => {
      const { description, tooltip } = serverItem(shownServer(facts));
      return [description, ...String(tooltip).split('\n').slice(3, -3)];
    };
    assert.deepEqual(says({ state: running, sandbox }), [
      'running · 2025-11-25 · kept in its folders by the system',
      'Kept in its folders by the system, with bubblewrap 0.8.0',
      'It has no network',
      'It can also read: /opt/node, "/opt/my files"',
      'It can also change: /var/cache/files',
      'Roots: told when it asks, as MCP has it',
    ]);
    const open = says({ state: running, sandbox: { ...sandbox, hasNetwork: true, alsoSees: [] } });
    assert.equal(open[2], 'The network is open to it');
    assert.equal(
      says({ state: running, sandbox: { ...sandbox, isPreview: true } })[0],
      'running · 2025-11-25 · kept in its folders by the system (preview)',
    );
    assert.deepEqual(says({ state: running, noSandbox }).slice(0, 2), [
      'running · 2025-11-25',
      'Not kept in its folders by the system: There is no sandbox on Windows yet.',
    ]);
    assert.equal(says({ sandbox })[0], 'stopped');
    const launch = { type: 'http', url: 'https://mcp.example.com', headers: {} } as const;
    const definition = userServer('far', launch, defaultTerms);
    const far = serverItem(shownServer({ state: running, definition }));
    assert.equal(far.description, 'running · 2025-11-25 · runs elsewhere');
    assert.match(
      String(far.tooltip),
      /^It runs elsewhere: the system here keeps nothing from it$/m,
    );
    const here = { ...launch, url: 'http://127.0.0.1:3000/mcp' };
    assert.equal(
      shown({ state: running, definition: userServer('near', here, defaultTerms) })[1],
      'running · 2025-11-25 · not started here',
    );
  });

  it('says in its tooltip, and where it failed, that it was not given a proxy with a password', () => {
    const withheldProxies = ['HTTP_PROXY', 'https_proxy'];
    const note =
      'a proxy with a password is not passed on: name HTTP_PROXY, https_proxy in its env';
    const says = (facts: Partial<ShownServer>) => {
      const { description, tooltip } = serverItem(shownServer({ withheldProxies, ...facts }));
      return [String(description).includes(note), String(tooltip).split('\n').includes(note)];
    };
    const starting = { state: { kind: 'starting' }, isLive: true } as const;
    assert.deepEqual([says({ state: running }), says(starting)], Array(2).fill([false, true]));
    assert.equal(
      shown({ state: died, withheldProxies })[1],
      `ended with exit code 3: no such option · ${note}`,
    );
    assert.deepEqual(says({}), [false, false]);
  });

  it('says what to do where a download failed for the certificate', () => {
    const stderr = [
      'npm error code SELF_SIGNED_CERT_IN_CHAIN',
      'npm error request to https://npm.example/files failed, reason: self-signed certificate',
    ];
    const state = { kind: 'failed', failure: { kind: 'ended', end: { ...end, stderr } } };
    assert.equal(
      shown({ state: state as unknown as Server['state'] })[1],
      "does not trust the certificate of npm.example: set NODE_EXTRA_CA_CERTS to the file with your company's certificates",
    );
  });

  it('says how it had to be ended, and what it left behind', () => {
    const says = (force: 'terminate' | 'kill' | undefined, leftBehind = 0) =>
      shown({ state: { kind: 'stopped', ending: { force, leftBehind } } })[1];
    assert.equal(says('kill'), 'stopped · ended only when killed');
    assert.equal(says('terminate'), 'stopped · had to be told to terminate');
    assert.equal(says(undefined, 2), 'stopped · processes it left behind, ended too: 2');
  });

  it('says in its tooltip what it is, and what it was told when', () => {
    const lines = (facts: Partial<ShownServer>) =>
      String(serverItem(shownServer(facts)).tooltip).split('\n');
    assert.deepEqual(lines({ state: running }), [
      'files: running · 2025-11-25',
      'Process over stdio: files --fast',
      'Process 4711',
      'Roots: told when it asks, as MCP has it',
      'It asks for its roots itself',
      'It has not asked for its roots yet',
      'Defined in the setting mcpRoots.servers',
    ]);
    assert.ok(
      lines({ state: running, isSilent: true }).includes(
        'It has never asked for its roots, though it had time to',
      ),
    );
    const given = lines({ state: running, definition: withRoutes('env') });
    assert.ok(given.includes('Roots: given as environment when it starts'));
    assert.ok(given.includes('It is not offered roots, only given them as configuration'));
    const asked = lines({ state: running, exposureCount: 3, lastExposure: exposure() });
    assert.ok(asked.includes('Asked for its roots: 3 ×'));
    assert.match(asked.join('\n'), /^Last told of its roots at .+: roots\/list ×2$/m);
    const mount = { ...exposure(), trigger: { kind: 'launch', as: ['mount'] } } as const;
    const mounted = lines({ state: running, lastExposure: mount }).join('\n');
    assert.match(mounted, /^Shown to it by its sandbox since .+: api$/m);
    assert.doesNotMatch(mounted, /told of/);
    assert.ok(lines({ state: died }).includes('no such option'));
  });

  it('is read out with what it may see', () => {
    const access = accessOf(allowed(folder('api')), exclusion(folder('web'), 'denied'));
    assert.equal(
      serverItem(shownServer({ access })).accessibilityInformation?.label,
      'Server files, stopped, may see 1 folders',
    );
  });
});

/** The text with times of day written as `TIME`. */
function withoutTimes(text: string): string {
  return text.replace(/\d+:\d\d(:\d\d)?(\s[AP]M)?/g, 'TIME');
}
