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
import { serverItem, wordOf } from '../../../../src/extension/views/serverItem.ts';
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
import { said } from '../../../support/texts.ts';

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

  it('has a word and a context for each state', () => {
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
      [{ isOffered: true }, 'server.stopped.offered', 'stopped · offered'],
      [{ state: running, missedPath }, 'server.running.missing', 'running'],
      [{ isOffered: true, missedPath }, 'server.stopped.offered.missing', 'stopped · offered'],
    ];
    assert.deepEqual(
      rows.map(([facts]) => shown(facts)),
      rows.map(([, ...texts]) => texts),
    );
  });

  it('tells menus which server was fetched for a sandbox', () => {
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

  it('says whether the server is confined and how many clients use it', () => {
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
    return serverDetails(server, clients, questions, [server]).map(line =>
      said(withoutTimes(line)),
    );
  };
  const told = 'rowDetails.askingDetails(rowDetails.routeText.3())';

  it('has all details in order', () => {
    const client = shownClient({ session: { cwd: '/opt/agents', isWaiting: true } });
    const facts = {
      state: running,
      access: accessOf(exclusion(folder('web'), 'undecided')),
      missedPath: '/etc/to\u202eol',
      ...started({ sandbox, withheldProxies: ['HTTP_PROXY', 'https_proxy'] }),
      ...recorded({ exposureCount: 3 }),
      lastExposure: exposure(),
      isNeglecting: true,
    };
    assert.deepEqual(lines(facts, client), [
      '"files:" "running" "2025-11-25"',
      'rowDetails.statusTexts()',
      'folderQuestions.folderQuestions()',
      'clientQuestion.clientQuestions.detail(codex)',
      'rowDetails.missing(/etc/to\\u202eol)',
      'rowDetails.placeText.2(files --fast)',
      'rowDetails.serverDetails(4711)',
      'rowDetails.proxyText(HTTP_PROXY, https_proxy)',
      'rowDetails.keepingDetails(sandboxTool.bubblewrapTool.name(0.8.0))',
      'rowDetails.keepingDetails.3()',
      'startQuestion.reachTexts.read(/opt/node, "/opt/my files")',
      'startQuestion.reachTexts.write(/var/cache/files)',
      told,
      'rowDetails.askedText(3)',
      'rowDetails.exposureText.2(TIME, roots/list ×2)',
      'rowDetails.usedBy(clientItem.clientLabel.3(codex, /opt/agents))',
      'rowDetails.originTexts.user()',
    ]);
  });

  it('names the settings that define the server', () => {
    const { from: _, ...definition } = shownServer().definition;
    const last = (facts: Partial<Server>) => lines(facts).at(-1);
    assert.deepEqual(
      [
        last({ definition: { ...definition, from: 'user', isOfMachine: true } }),
        last({ definition: { ...definition, from: 'workspace' } }),
        last({ definition }),
      ],
      ['machine', 'workspace', 'extension'].map(name => `rowDetails.originTexts.${name}()`),
    );
  });

  it('gives the name for agents, or why they cannot use the server', () => {
    const access = accessOf(allowed(folder('api')));
    const offered = lines({ isOffered: true, isLaunchAllowed: true, access });
    assert.equal(offered.at(-2), 'rowDetails.offerText.3(clientNames.editorName(files))');
    const refused = 'rowDetails.offerText(serverUsable.reasons.refused(files))';
    assert.equal(lines({ isOffered: true }).at(-2), refused);
  });

  it('says why the server does not run, with its last words', () => {
    const definition = userServer('far', httpLaunch('https://mcp.example.com'), defaultTerms);
    const away = { kind: 'failed', failure: { kind: 'unreachable', message: 'no route' } } as const;
    const fetched = userServer(
      'files',
      stdioLaunch({ command: 'npx', args: ['-y'] }),
      defaultTerms,
    );
    assert.deepEqual(
      [
        lines({ state: died, plan: waitingPlan })[1],
        lines({ state: died, plan: waitingPlan }).at(-1),
        lines({ definition, state: away, plan: waitingPlan })[1],
        lines({ isStoppedForLackOfRoots: true })[1],
        lines({ state: { kind: 'starting' }, definition: fetched })[1],
        lines({ state: { kind: 'stopped', ending: { force: 'kill', leftBehind: 2 } } }).slice(
          -3,
          -1,
        ),
      ],
      [
        'rowDetails.statusTexts.restarts(TIME, 2)',
        '"no such option"',
        'rowDetails.statusTexts.triesAgain(TIME, 2)',
        'rowDetails.statusTexts.starved()',
        'rowDetails.statusTexts.downloads()',
        ['rowDetails.forceTexts.kill()', 'rowDetails.endingTexts(2)'],
      ],
    );
  });

  it('says how the server gets its roots', () => {
    const modern = { ...running, era: 'modern', protocolVersion: '2026-07-28' } as const;
    const silent = recorded({ isSilent: true });
    const definition = { ...shownServer().definition, rootsAs: ['args', 'env'] as const };
    const mount = { ...exposure(), trigger: { kind: 'launch', as: ['mount'] } } as const;
    const rows: readonly (readonly [Partial<Server>, ...string[]])[] = [
      [silent, told, 'rowDetails.unaskedTexts.silent()'],
      [
        { state: modern, ...silent },
        'rowDetails.askingDetails(rowDetails.routeText.2())',
        'rowDetails.unaskedTexts.unasked()',
      ],
      [
        { ...silent, access: { ...accessOf(), isRefused: true } },
        told,
        'rowDetails.unaskedTexts.refused()',
      ],
      [
        { definition, ...recorded({ isSilent: true, exposureCount: 1 }) },
        'rowDetails.askingDetails(rowDetails.routeText(as arguments when the server starts; given as environment))',
      ],
      [
        { lastExposure: mount },
        told,
        'rowDetails.unaskedTexts.unasked()',
        'clientItem.exposureTexts(TIME, api)',
      ],
    ];
    assert.deepEqual(
      rows.map(([facts]) => lines({ state: running, ...facts }).slice(3, -1)),
      rows.map(([, ...expected]) => expected),
    );
  });

  it('says what confines the server, or that nothing does', () => {
    const says = (facts: Partial<Server>) => lines({ state: running, ...facts })[3];
    const http = (url: string) =>
      says({ definition: userServer('far', httpLaunch(url), defaultTerms) });
    const large = started({ sandbox: { ...sandbox, tooLarge: ['/proj/big'] } });
    const denied = started({ sandbox: { ...sandbox, seesNames: true } });
    const noSandbox = { template: 'No {0}.', values: ['box'] };
    assert.deepEqual(
      [
        lines({ state: running, ...large })[4],
        lines({ state: running, ...denied })[4],
        says(started({ noSandbox })),
        http('https://mcp.example.com'),
        http('http://127.0.0.1:3000/mcp'),
      ],
      [
        'rowDetails.onlyRead(/proj/big)',
        'rowDetails.seenNames()',
        'text.noSandboxText(No box.)',
        'rowDetails.unkeptTexts.elsewhere()',
        'rowDetails.unkeptTexts.here()',
      ],
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
