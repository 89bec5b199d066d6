import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { LeftOut } from '../../../src/domain/consent/access.ts';
import { HumanError } from '../../../src/domain/errors.ts';
import type { Exposure } from '../../../src/domain/exposure.ts';
import { answerFolders } from '../../../src/extension/commands/answerFolders.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { Servers } from '../../../src/extension/servers/servers.ts';
import { FolderDrop } from '../../../src/extension/views/folderDrop.ts';
import { folderItem, formerRootItem } from '../../../src/extension/views/folderItem.ts';
import type { FolderRow, Row } from '../../../src/extension/views/rows.ts';
import { serverItem } from '../../../src/extension/views/serverItem.ts';
import { ServersTree } from '../../../src/extension/views/serversTree.ts';
import { toolItem } from '../../../src/extension/views/toolItem.ts';
import { pathBeside, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import {
  accessOf,
  allowed,
  folder,
  leftOut,
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
    assert.ok(lines({ state: died }).includes('no such option'));
  });

  it('is read out with what it may see', () => {
    const access = accessOf(allowed(folder('api')), leftOut(folder('web'), 'denied'));
    assert.equal(
      serverItem(shownServer({ access })).accessibilityInformation?.label,
      'Server files, stopped, may see 1 folders',
    );
  });
});

describe('the row of a folder', () => {
  const item = (access: FolderRow['access'], facts: Partial<ShownServer> = {}) =>
    folderItem({
      kind: 'folder',
      server: shownServer(facts),
      access,
      name: access.folder.name,
    });

  it('says why it is no root, and has a checkbox only where an answer can change that', () => {
    const api = folder('api');
    const shown = (reason: LeftOut) => {
      const { contextValue, description, checkboxState } = item(leftOut(api, reason));
      return [contextValue, description, checkboxState !== undefined];
    };
    assert.deepEqual(
      (['undecided', 'denied', 'not-offered', 'forbidden', 'excluded', 'missing'] as const).map(
        shown,
      ),
      [
        ['folder.undecided', 'not asked yet', true],
        ['folder.denied', 'not allowed', true],
        ['folder.not-offered', 'not offered to this server', true],
        ['folder.forbidden', 'never exposed: mcpRoots.neverExpose forbids it', false],
        ['folder.excluded', 'left out by mcpRoots.excludeFolders', false],
        ['folder.missing', 'missing on disk', false],
      ],
    );
  });

  it('says where it comes from, and of what is to be known of it the most important', () => {
    const holds = { kind: 'holds-forbidden', paths: ['/proj/home/.ssh'] } as const;
    const home = folder('home', { origin: 'extra' });
    const { description, tooltip } = item(allowed(home, [{ kind: 'wide' }, holds]));
    assert.equal(description, 'allowed · extra folder · holds what must never be exposed');
    assert.equal(
      tooltip,
      [
        '/proj/home: allowed · extra folder · holds what must never be exposed',
        'It holds what must never be exposed: /proj/home/.ssh',
        'very wide',
      ].join('\n'),
    );
    const twin = leftOut(folder('b'), 'duplicate', [{ kind: 'same-as', name: 'api' }]);
    assert.equal(item(twin).description, 'the same folder as api');
  });

  it('says what the server that runs knows of it', () => {
    const access = allowed(folder('api'));
    const told = (trigger: Exposure['trigger']) =>
      String(
        item(access, { state: running, lastExposure: { ...exposure(), trigger } }).description,
      );
    assert.match(told({ kind: 'roots/list' }), /^exposed · asked \S+/);
    assert.match(told({ kind: 'launch', as: ['args'] }), /^exposed · told at its start \S+/);
    assert.equal(item(access, { state: running }).description, 'allowed · not asked for yet');
    assert.equal(
      item(access, { state: running, needsRestart: true }).description,
      'allowed · restart to tell it',
    );
  });

  it('stays while the server knows what is no folder of the window any more', () => {
    const server = shownServer({ state: running, lastExposure: exposure() });
    const root = { uri: 'file:///proj/api', name: 'a\u202epi' };
    const { label, description } = formerRootItem({ kind: 'former-root', server, root });
    assert.equal(label, 'a\\u202epi');
    assert.match(String(description), /^removed, but was told at \S+/);
  });
});

describe('the rows of the tools', () => {
  it('are there for a server that runs, and are asked for once', async () => {
    let lists = 0;
    const tools = [{ name: 'read', inputSchema: { type: 'object' as const } }];
    const listTools = async () => {
      lists += 1;
      return tools;
    };
    const { tree } = treeOf(shownServer({ state: running, listTools }));
    const row = await toolsRowOf(tree);
    const [first, again] = await Promise.all([tree.getChildren(row), tree.getChildren(row)]);
    assert.deepEqual([first, again].map(names), [['read'], ['read']]);
    assert.equal(lists, 1);
    assert.equal(await toolsRowOf(treeOf(shownServer()).tree), undefined);
  });

  it('say why there are none, and are asked for again only when a person wants it', async () => {
    let lists = 0;
    const listTools = async () => {
      lists += 1;
      throw lists === 1
        ? new HumanError('"{0}" is not running.', 'files')
        : new Error('busy\u0007');
    };
    const { tree } = treeOf(shownServer({ state: running, listTools }));
    const row = await toolsRowOf(tree);
    assert.ok(row);
    assert.deepEqual(names(await tree.getChildren(row)), ['"files" is not running.']);
    assert.deepEqual(names(await tree.getChildren(row)), ['"files" is not running.']);
    tree.retryTools(row);
    assert.deepEqual(names(await tree.getChildren(row)), [
      'They could not be listed: Error: busy\\u0007',
    ]);
  });

  it('show what the server says of their effects as its word', () => {
    const shown = (annotations: object) =>
      toolItem({
        kind: 'tool',
        server: shownServer(),
        tool: {
          name: 'rm',
          title: 'Remove',
          inputSchema: { type: 'object' },
          annotations,
        },
      });
    assert.equal(shown({ readOnlyHint: true }).description, 'only reads · Remove');
    assert.equal(shown({ destructiveHint: true }).description, 'may destroy · Remove');
    assert.equal(shown({}).description, 'Remove');
    assert.match(String(shown({ readOnlyHint: true }).tooltip), /According to the server: only/);
  });

  function names(rows: readonly Row[]): string[] {
    return rows.map(row =>
      row.kind === 'tool' ? row.tool.name : row.kind === 'tool-problem' ? row.reason : row.kind,
    );
  }

  async function toolsRowOf(tree: ServersTree): Promise<Row | undefined> {
    const [server] = await tree.getChildren();
    return (await tree.getChildren(server)).find(({ kind }) => kind === 'tools');
  }
});

describe('the tree of many servers', () => {
  it('draws the rows of those that changed, together and once, and all when there are others', async () => {
    const servers = Array.from({ length: 20 }, () => shownServer());
    const [first, second] = servers;
    const { tree, didChange } = treeOf(...servers);
    await tree.getChildren();
    const drawn: unknown[] = [];
    tree.onDidChangeTreeData(rows => drawn.push(rows));
    for (const server of [first, second, first, second, first]) {
      didChange.fire(server);
    }
    await nextDrawing(tree);
    const rows = await tree.getChildren();
    assert.deepEqual(drawn, [[rows[0], rows[1]]]);
    didChange.fire(first);
    didChange.fire(undefined);
    await nextDrawing(tree);
    assert.deepEqual(drawn.slice(1), [undefined]);
  });
});

describe('an answer for several folders', () => {
  const person = personForEachTest();
  const row = (name: string, reason?: LeftOut): Row => {
    const access = reason ? leftOut(folder(name), reason) : allowed(folder(name));
    return { kind: 'folder', server: shownServer(), access, name };
  };
  const answering = () => {
    const answers: unknown[] = [];
    const set = async (_: Server, { name }: { name: string }, isAllowed: boolean) => {
      answers.push([name, isAllowed]);
    };
    return { answers, consent: { set } };
  };

  it('is confirmed once, and kept for those that it changes', async () => {
    const { answers, consent } = answering();
    const rows = [
      row('api', 'undecided'),
      row('web', 'denied'),
      row('docs'),
      row('home', 'forbidden'),
      { kind: 'server', server: shownServer() } as const,
    ];
    await answerFolders(consent, rows, true);
    assert.deepEqual(answers, []);
    person().will('Allow');
    await answerFolders(consent, rows, true);
    assert.deepEqual(answers, [
      ['api', true],
      ['web', true],
    ]);
    assert.deepEqual(person().seen.at(-1), {
      text: 'Allow 2 folders, each to the server it is listed below?',
      detail: '• files: /proj/api\n• files: /proj/web',
    });
  });

  it('needs no confirmation for one', async () => {
    const { answers, consent } = answering();
    await answerFolders(consent, [row('api')], false);
    assert.deepEqual(answers, [['api', false]]);
    assert.deepEqual(person().seen, []);
  });

  it('that changes nothing says why', async () => {
    const { answers, consent } = answering();
    await assert.rejects(answerFolders(consent, [], true), /Select folders/);
    await assert.rejects(answerFolders(consent, [row('api')], true), /allowed already/);
    await assert.rejects(answerFolders(consent, [row('web', 'denied')], false), /not allowed/);
    await assert.rejects(answerFolders(consent, [row('x', 'excluded')], true), /No answer can/);
    assert.deepEqual(answers, []);
  });
});

describe('a drop on the servers view', () => {
  const person = personForEachTest();
  const server = shownServer();
  const drop = async (row: Row | undefined, ...uris: readonly vscode.Uri[]) => {
    const offers: (readonly string[])[] = [];
    const offer = async (_: Server, paths: readonly string[]) => void offers.push(paths);
    const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
    const dropped = new vscode.DataTransfer();
    dropped.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
    await new FolderDrop(offer, logger).handleDrop(row, dropped);
    return offers;
  };

  it('offers folders to the server whose row, or row below it, they are dropped on', async () => {
    const below: Row = { kind: 'tools', server };
    assert.deepEqual(await drop(below, uriOf('api'), uriOf('web')), [
      [uriOf('api').fsPath, uriOf('web').fsPath],
    ]);
    assert.deepEqual(person().seen, []);
  });

  it('refuses all of it when something is no folder on disk, and says so', async () => {
    const row: Row = { kind: 'server', server };
    const file = pathBeside('dropped.txt');
    writeFileSync(file, '');
    assert.deepEqual(await drop(row, uriOf('api'), vscode.Uri.file(file)), []);
    assert.match(person().seen.at(-1)?.text ?? '', /^Only a folder .*dropped\.txt is none/);
    assert.deepEqual(await drop(row, vscode.Uri.parse('vscode-vfs://github/a/b')), []);
    assert.match(person().seen.at(-1)?.text ?? '', /^vscode-vfs:.* is not on disk/);
    assert.deepEqual(await drop(undefined, uriOf('api')), []);
    assert.match(person().seen.at(-1)?.text ?? '', /^Drop a folder on the server/);
  });
});

/** The text with times of day written as `TIME`. */
function withoutTimes(text: string): string {
  return text.replace(/\d+:\d\d(:\d\d)?(\s[AP]M)?/g, 'TIME');
}

function exposure(): Exposure {
  const roots = [{ uri: 'file:///proj/api', name: 'api' }];
  const server = { serverId: 'setting:files', serverLabel: 'files' };
  return { at: Date.now(), ...server, trigger: { kind: 'roots/list' }, count: 2, roots };
}

function treeOf(...all: readonly Server[]) {
  const didChange = new vscode.EventEmitter<Server | undefined>();
  const servers = { all, onDidChange: didChange.event } as unknown as Servers;
  return { tree: new ServersTree(servers), didChange };
}

function nextDrawing(tree: ServersTree): Promise<void> {
  return new Promise(resolve => {
    const listener = tree.onDidChangeTreeData(() => {
      listener.dispose();
      resolve();
    });
  });
}
