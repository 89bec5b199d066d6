import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  defaultTerms,
  type ServerTerms,
  userServer,
} from '../../../../src/domain/servers/serverDefinition.ts';
import type { ClientOfServer } from '../../../../src/extension/gateway/clients.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import { serverDetails } from '../../../../src/extension/views/rowDetails.ts';
import { serverItem } from '../../../../src/extension/views/serverItem.ts';
import { wordOf } from '../../../../src/extension/views/serverState.ts';
import { httpLaunch, stdioLaunch } from '../../../support/launches.ts';
import {
  accessOf,
  allowed,
  exclusion,
  exposure,
  folder,
  questionsWith,
  recorded,
  running,
  sandbox,
  shownClient,
  shownServer,
  started,
} from '../../../support/shownServer.ts';

const end = { code: 3, signal: null, stderr: ['no such option'] };
const died = { kind: 'failed', failure: { kind: 'ended', end } } as const;
const waitingPlan = { kind: 'waiting', deaths: 2, at: 0 } as const;
const calm = shownClient();
const asking = shownClient({ session: { isWaiting: true } });

describe('the row of a server', () => {
  const item = (facts: Partial<Server>, clients: readonly ClientOfServer[] = []) =>
    itemOf(shownServer(facts), clients);
  /** Its `contextValue`, and its description with times written as `TIME`. */
  const shown = (facts: Partial<Server>) => {
    const { contextValue, description } = item(facts);
    return [contextValue, withoutTimes(String(description))];
  };

  it('says in a word how it stands, and lets menus tell it apart', () => {
    const waiting = accessOf(exclusion(folder('web'), 'undecided'));
    const missedPath = '/etc/tool';
    const rows: readonly (readonly [Partial<Server>, string, string])[] = [
      [{}, 'server.stopped', 'stopped'],
      [{ state: { kind: 'starting' } }, 'server.starting', 'starting…'],
      [{ state: running }, 'server.running', 'running'],
      [{ isStoppedForLackOfRoots: true }, 'server.stopped', 'stopped'],
      [{ state: running, isNeglecting: true }, 'server.running.stale', 'restart'],
      [{ state: running, access: waiting }, 'server.running', 'waiting'],
      [{ access: waiting }, 'server.stopped', 'stopped'],
      [{ state: died, plan: waitingPlan }, 'server.failed.waiting', 'retry at TIME'],
      [{ state: died, plan: { kind: 'given-up', deaths: 5 } }, 'server.failed.given-up', 'failed'],
      [{ isOffered: true }, 'server.stopped.offered', 'stopped'],
      [{ state: running, missedPath }, 'server.running.missing', 'running'],
      [{ isOffered: true, missedPath }, 'server.stopped.offered.missing', 'stopped'],
    ];
    assert.deepEqual(
      rows.map(([facts]) => shown(facts)),
      rows.map(([, ...texts]) => texts),
    );
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

  it('says whether it is confined, how many use it, and is read out as a sentence', () => {
    const read = (facts: Partial<Server>, ...clients: readonly ClientOfServer[]) => {
      const { description, accessibilityInformation } = item(facts, clients);
      return [description, accessibilityInformation?.label];
    };
    const absent = { ...calm, session: undefined };
    assert.deepEqual(
      [
        read(started({ sandbox })),
        read({ state: running }, calm, absent, calm),
        read({ state: running, ...started({ sandbox }) }, calm),
        read({ state: running, ...started({ sandbox: { ...sandbox, tooLarge: ['/proj/big'] } }) }),
        read({ state: running, isNeglecting: true }),
        read({}, asking),
      ],
      [
        ['stopped', 'Server files: stopped.'],
        ['running · 2 clients', 'Server files: running, 2 clients.'],
        ['running · confined · 1 client', 'Server files: running, confined, 1 client.'],
        [
          'running · confined, partly read only',
          'Server files: running, confined, partly read only.',
        ],
        ['restart', 'Server files: restart needed.'],
        ['waiting · 1 client', 'Server files: needs an answer, 1 client.'],
      ],
    );
  });
});

describe('the tooltip of a server', () => {
  const lines = (facts: Partial<Server>, ...clients: readonly ClientOfServer[]) => {
    const server = shownServer(facts);
    const questions = questionsWith(...clients).of(server);
    return withoutTimes(serverDetails(server, clients, questions, [server]).join('\n')).split('\n');
  };

  it('says what it is, in which revision, what it was told when, and where it is defined', () => {
    assert.deepEqual(lines({ state: running }), [
      'files: running · 2025-11-25',
      'Process over stdio: files --fast',
      'Process 4711',
      'Roots: told when it asks',
      'It has not asked for its roots yet',
      'Defined in your user settings, in mcpRoots.servers',
    ]);
  });

  it('has all that is to be known in its order', () => {
    const client = shownClient({ session: { cwd: '/opt/agents', isWaiting: true } });
    const facts = {
      state: running,
      access: accessOf(exclusion(folder('web'), 'undecided')),
      missedPath: '/etc/to\u202eol',
      ...started({ sandbox }),
      isOffered: true,
      ...recorded({ exposureCount: 3 }),
      lastExposure: exposure(),
      isNeglecting: true,
    };
    assert.deepEqual(lines(facts, client), [
      'files: running · 2025-11-25',
      'It has not asked again since its folders changed: a restart brings it that',
      '1 folder waits for your answer',
      'A client waits for your answer: codex',
      'It asked for /etc/to\\u202eol, which it does not see',
      'Process over stdio: files --fast',
      'Process 4711',
      'Confined: kept in its folders by the system, with bubblewrap 0.8.0',
      'It has no network',
      'It can also read: /opt/node, "/opt/my files"',
      'It can also change: /var/cache/files',
      'Roots: told when it asks',
      'Asked for its roots: 3 ×',
      'Last told of its roots at TIME: roots/list ×2',
      `Offered to agents, who can't use it now: "files" waits for an answer: start it in the view of MCP Roots.`,
      'Used by codex · in /opt/agents',
      'Defined in your user settings, in mcpRoots.servers',
    ]);
  });

  it('says whose settings define it', () => {
    const { from: _, ...definition } = shownServer().definition;
    const last = (facts: Partial<Server>) => lines(facts).at(-1);
    assert.deepEqual(
      [
        last({ definition: { ...definition, from: 'user', isOfMachine: true } }),
        last({ definition: { ...definition, from: 'workspace' } }),
        last({ definition }),
      ],
      [
        'Defined in the settings of the remote machine, in mcpRoots.servers',
        'Defined in the settings of this workspace, in mcpRoots.servers',
        'Comes with the extension MCP Roots',
      ],
    );
  });

  it('says by what name agents are offered it', () => {
    const access = accessOf(allowed(folder('api')));
    const offered = lines({ isOffered: true, isLaunchAllowed: true, access });
    assert.ok(offered.includes('Offered to agents as "files (MCP Roots)"'), offered.join('\n'));
  });

  it('says why it does not run, with its last words', () => {
    const failed = lines({ state: died, plan: waitingPlan });
    assert.deepEqual(failed.slice(0, 2), [
      'files: ended with exit code 3: no such option',
      'Starts again at TIME (deaths: 2)',
    ]);
    assert.equal(failed.at(-1), 'no such option');
    const definition = userServer('far', httpLaunch('https://mcp.example.com'), defaultTerms);
    const away = { kind: 'failed', failure: { kind: 'unreachable', message: 'no route' } } as const;
    const unreached = lines({ definition, state: away, plan: waitingPlan });
    assert.equal(unreached[1], 'Tried again at TIME (failed tries: 2)');
    const starved = lines({ isStoppedForLackOfRoots: true });
    assert.deepEqual(starved.slice(0, 2), ['files: stopped', 'No folder is left that it may see']);
    const starting = lines({
      state: { kind: 'starting' },
      definition: userServer('files', stdioLaunch({ command: 'npx', args: ['-y'] }), defaultTerms),
    });
    assert.equal(starting[1], 'It may be downloading what it runs');
  });

  it('tells how it comes by its roots', () => {
    const says = (facts: Partial<Server>) => lines({ state: running, ...facts }).slice(3, -1);
    const modern = { ...running, era: 'modern', protocolVersion: '2026-07-28' } as const;
    const told = 'Roots: told when it asks';
    assert.deepEqual(says(recorded({ isSilent: true })), [
      told,
      'It has never asked for its roots, though it had time to',
    ]);
    assert.deepEqual(says({ state: modern, ...recorded({ isSilent: true }) }), [
      'Roots: told when it asks within a call',
      'It has not asked for its roots yet',
    ]);
    assert.deepEqual(
      says({ ...recorded({ isSilent: true }), access: { ...accessOf(), isRefused: true } }),
      [told, 'It is not offered roots, since it may see no folder'],
    );
    const definition = { ...shownServer().definition, rootsAs: ['args', 'env'] as const };
    assert.deepEqual(says({ definition, ...recorded({ isSilent: true, exposureCount: 1 }) }), [
      'Roots: given as arguments when it starts; given as environment when it starts',
    ]);
    const mount = { ...exposure(), trigger: { kind: 'launch', as: ['mount'] } } as const;
    const mounted = says({ lastExposure: mount });
    assert.equal(mounted.at(-1), 'Shown to it by its sandbox since TIME: api');
    assert.doesNotMatch(mounted.slice(1).join(), /told of/);
  });

  it('says how it had to be ended', () => {
    const ended = (force: 'terminate' | 'kill' | undefined, leftBehind = 0) =>
      lines({ state: { kind: 'stopped', ending: { force, leftBehind } } }).at(-2);
    assert.equal(ended('kill'), 'It ended only when killed');
    assert.equal(ended('terminate'), 'It had to be told to terminate');
    assert.equal(ended(undefined, 2), 'Processes it left behind, ended too: 2');
  });

  it('says what keeps it in its folders, or that nothing does', () => {
    const says = (facts: Partial<Server>) => lines({ state: running, ...facts })[3];
    assert.match(String(says(started({ sandbox }))), /^Confined: kept in its folders/);
    assert.match(
      lines({
        state: running,
        ...started({ sandbox: { ...sandbox, tooLarge: ['/proj/big'] } }),
      })[4] ?? '',
      /^It can only read \/proj\/big: too large .* share a smaller folder\.$/,
    );
    const noSandbox = { template: 'There is no sandbox on {0} yet.', values: ['Windows'] };
    assert.equal(
      says(started({ noSandbox })),
      'Not kept in its folders by the system: There is no sandbox on Windows yet.',
    );
    const http = (url: string) =>
      says({ definition: userServer('far', httpLaunch(url), defaultTerms) });
    assert.equal(
      http('https://mcp.example.com'),
      'It runs elsewhere: the system here keeps nothing from it',
    );
    assert.equal(
      http('http://127.0.0.1:3000/mcp'),
      'It was not started here: nothing keeps it in its folders',
    );
  });

  it('says that it was not given a proxy with a password', () => {
    const last = started({ withheldProxies: ['HTTP_PROXY', 'https_proxy'] });
    assert.ok(
      lines({ ...last, state: running }).includes(
        'A proxy with a password is not passed on: name HTTP_PROXY, https_proxy in its env',
      ),
    );
  });
});

function itemOf(server: Server, clients: readonly ClientOfServer[]) {
  return serverItem(server, wordOf(server, questionsWith(...clients)), clients);
}

/** The text with times of day written as `TIME`. */
function withoutTimes(text: string): string {
  return text.replace(/\d+:\d\d(:\d\d)?(\s[AP]M)?/g, 'TIME');
}
