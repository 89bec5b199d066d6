import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/emitter.ts';
import { HumanError } from '../../../src/domain/sentence.ts';
import { elicitationQuestions } from '../../../src/extension/commands/elicit.ts';
import { folderQuestions } from '../../../src/extension/consent/folderQuestions.ts';
import { OpenQuestions } from '../../../src/extension/consent/openQuestions.ts';
import { clientQuestions } from '../../../src/extension/gateway/clientQuestion.ts';
import type { ClientOfServer } from '../../../src/extension/gateway/clients.ts';
import type { OpenElicitation } from '../../../src/extension/servers/elicitations.ts';
import type { Server, ServerContext } from '../../../src/extension/servers/server.ts';
import { Servers } from '../../../src/extension/servers/servers.ts';
import type { Row } from '../../../src/extension/views/rows.ts';
import { ServersTree } from '../../../src/extension/views/serversTree.ts';
import { toolItem } from '../../../src/extension/views/toolItem.ts';
import {
  accessOf,
  allowed,
  exclusion,
  folder,
  running,
  type ShownServer,
  shownServer,
} from '../../support/shownServer.ts';

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
    assert.ok(row?.kind === 'tools');
    assert.deepEqual(names(await tree.getChildren(row)), ['"files" is not running.']);
    assert.deepEqual(names(await tree.getChildren(row)), ['"files" is not running.']);
    tree.forgetTools(row);
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

describe('the tree', () => {
  it('has a server with its folders and clients, and its tools while it runs', async () => {
    const tools = [{ name: 'read', inputSchema: { type: 'object' as const } }];
    const access = accessOf(allowed(folder('api')), exclusion(folder('web'), 'denied'));
    const server = shownServer({ state: running, access, tools });
    const { tree, clients } = treeOf(server);
    clients.push({ server, name: 'codex', isAllowed: true, session: undefined });
    assert.deepEqual(await shown(tree), [
      ['files', [['api'], ['web'], ['codex'], ['Tools', [['read']]]]],
    ]);
  });

  it('has those folders first that wait, and as one row those that stand alike', async () => {
    const names = ['api', 'web', 'docs', 'more'];
    const access = accessOf(
      ...names.map(name => allowed(folder(name))),
      exclusion(folder('new'), 'undecided'),
    );
    const { tree } = treeOf(shownServer({ state: running, access, tools: [] }));
    assert.deepEqual(await shown(tree), [
      [
        'files',
        [['new'], ['4 folders', names.map(name => [name])], ['Tools', [['It has no tools.']]]],
      ],
    ]);
  });

  it('has those servers first that need attention, and those last that stand still', async () => {
    const waiting = accessOf(exclusion(folder('new'), 'undecided'));
    const failure = { kind: 'not-started', message: 'no such file' } as const;
    const facts: readonly (readonly [string, Partial<ShownServer>])[] = [
      ['stopped', {}],
      ['running', { state: running }],
      ['stale', { state: running, isNeglecting: true }],
      ['failed', { state: { kind: 'failed', failure } }],
      ['asking', { state: running, access: waiting }],
    ];
    const servers = facts.map(([name, fact]) => named(name, fact));
    const { tree } = treeOf(...servers);
    const labels = async () => (await tree.getChildren()).map(labelOf);
    assert.deepEqual(await labels(), ['asking', 'failed', 'stale', 'running', 'stopped']);
    tree.filter = 'attention';
    assert.deepEqual(await labels(), ['asking', 'failed', 'stale']);
    tree.filter = 'running';
    assert.deepEqual(await labels(), ['asking', 'stale', 'running']);
  });
});

describe('the tree of servers that change', () => {
  it('keeps the object and the id of each row, and only the row of a server has two ids', async () => {
    const server = shownServer({
      state: running,
      access: accessOf(allowed(folder('api')), exclusion(folder('web'), 'denied')),
    });
    const { tree, clients } = treeOf(server);
    const session = { state: 'running', isWaiting: false, cwd: '/opt', client: {} };
    clients.push({ server, name: 'codex', isAllowed: true, session } as unknown as ClientOfServer);
    const before = await allRows(tree);
    const idsBefore = await idsOf(tree, before);
    assert.equal(new Set(idsBefore).size, 5);
    Object.assign(server, { access: accessOf(allowed(folder('api')), allowed(folder('web'))) });
    const after = await allRows(tree);
    assert.ok(after.every((row, index) => row === before[index]));
    assert.deepEqual(await idsOf(tree, after), idsBefore);
    const [, , web] = after;
    assert.ok(web?.kind === 'folder' && web.access.root, 'It tells of how the folder stands now.');

    Object.assign(server, { state: { kind: 'stopped' }, isLive: false });
    const stopped = await allRows(tree);
    assert.ok(stopped.every((row, index) => row === before[index]));
    const [id, ...others] = await idsOf(tree, stopped);
    assert.notEqual(id, idsBefore[0]);
    assert.deepEqual(others, idsBefore.slice(1, -1));
  });

  it('draws nothing before anyone has seen it, and nothing that looks as before', async () => {
    const servers = ['one', 'two'].map(name => named(name, { state: running }));
    const { tree, didChange, drawn } = treeOf(...servers);
    tree.filter = 'attention';
    tree.filter = 'all';
    assert.deepEqual(drawn, []);
    const [one, two] = await tree.getChildren();
    await idsOf(tree, [one as Row, two as Row]);
    didChange.fire(servers[0]);
    Object.assign(servers[1] as object, { sandbox: { isPreview: false } });
    didChange.fire(servers[1]);
    await nextDrawing(tree);
    assert.deepEqual(drawn, [[two]]);
  });

  it('draws the one row that looks other than before', async () => {
    const server = shownServer({
      state: running,
      access: accessOf(allowed(folder('api')), exclusion(folder('web'), 'denied')),
    });
    const { tree, didChange, drawn } = treeOf(server);
    const [top, , web] = await allRows(tree);
    Object.assign(server, { access: accessOf(allowed(folder('api')), allowed(folder('web'))) });
    didChange.fire(server);
    await nextDrawing(tree);
    assert.deepEqual(drawn, [[web]]);
    await idsOf(tree, [web as Row]);
    Object.assign(server, { isNeglecting: true });
    didChange.fire(server);
    await nextDrawing(tree);
    // Its place is another one as well, if there are others.
    assert.deepEqual(drawn.slice(1), [[top]]);
  });

  it('draws the row of a problem or a client whatever of it looks other than before', async () => {
    const failure = { kind: 'silent', seconds: 30 } as const;
    const died = (deaths: number) => ({ plan: { kind: 'given-up', deaths } }) as const;
    const server = shownServer({ state: { kind: 'failed', failure }, ...died(5) });
    const { tree, clients, didChangeClients, drawn } = treeOf(server);
    const session = { state: 'running', cwd: '/opt', client: {}, useCount: 1 };
    clients.push({ server, name: 'codex', isAllowed: true, session } as unknown as ClientOfServer);
    const [, problem, client] = await allRows(tree);
    Object.assign(server, died(6));
    Object.assign(session, { useCount: 2 });
    didChangeClients.fire(server);
    await nextDrawing(tree);
    assert.deepEqual(drawn, [[problem]]);
    await idsOf(tree, [problem as Row]);
    Object.assign(session, { cwd: '/srv' });
    didChangeClients.fire(server);
    await nextDrawing(tree);
    assert.deepEqual(drawn.slice(1), [[client]]);
  });

  it('draws a row with all that is below it when there is another one below it', async () => {
    const server = shownServer({ access: accessOf(allowed(folder('api'))) });
    const { tree, clients, didChangeClients, drawn } = treeOf(server);
    const [top] = await allRows(tree);
    clients.push({ server, name: 'codex', isAllowed: true, session: undefined });
    didChangeClients.fire(server);
    await nextDrawing(tree);
    assert.deepEqual(drawn, [[top]]);
  });

  it('draws a row anew for its tooltip, which tells of more, once that could be read', async () => {
    const servers = ['one', 'two'].map(name => named(name, { state: running }));
    const { tree, didChange, drawn } = treeOf(...servers);
    const [one, two] = (await tree.getChildren()) as [Row, Row];
    await idsOf(tree, [one, two]);
    const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(one), one);
    assert.match(String(tooltip), /^one: running · 2025-11-25\n/);
    Object.assign(servers[1] as object, { sandbox: { isPreview: false } });
    didChange.fire(undefined);
    await nextDrawing(tree);
    assert.deepEqual(drawn, [[two]]);
    await idsOf(tree, [two]);
    const { now } = Date;
    Date.now = () => now() + 10_000;
    try {
      didChange.fire(servers[0]);
      await nextDrawing(tree);
    } finally {
      Date.now = now;
    }
    assert.deepEqual(drawn.slice(1), [[one]]);
  });

  it('draws the rows of those that changed, together and once', async () => {
    const servers = Array.from({ length: 20 }, (_, index) =>
      named(`files-${index}`, { state: running }),
    );
    const [first, second] = servers;
    const { tree, didChange, drawn } = treeOf(...servers);
    const rows = await tree.getChildren();
    await idsOf(tree, rows);
    for (const server of [first, second]) {
      Object.assign(server as object, { sandbox: { isPreview: false } });
    }
    for (const server of [first, second, first, second, first]) {
      didChange.fire(server);
    }
    await nextDrawing(tree);
    assert.deepEqual(drawn, [[rows[0], rows[1]]]);
  });

  it('draws a change of one of twenty, with twelve folders each, within 50 ms', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `folder-${index}`);
    const access = (denied: string) =>
      accessOf(
        ...names.map(name =>
          name === denied ? exclusion(folder(name), 'denied') : allowed(folder(name)),
        ),
      );
    const servers = Array.from({ length: 20 }, (_, index) =>
      named(`files-${index}`, { state: running, access: access('') }),
    );
    /** How long a change takes, as the editor asks for what it has to draw. */
    const timeOf = async (denied: string) => {
      const { tree, didChange, drawn } = treeOf(...servers);
      const draw = async (row: Row): Promise<void> => {
        await tree.getTreeItem(row);
        if (row.kind !== 'tools') {
          await Promise.all((await tree.getChildren(row)).map(draw));
        }
      };
      await Promise.all((await tree.getChildren()).map(draw));
      Object.assign(servers[7] as object, { access: access(denied) });
      const start = performance.now();
      didChange.fire(servers[7]);
      await nextDrawing(tree);
      await Promise.all((drawn[0] as Row[]).map(draw));
      return performance.now() - start;
    };
    const times: number[] = [];
    for (const name of names) {
      times.push(await timeOf(name));
    }
    // What a busy machine has to do besides is in the others.
    assert.ok(Math.min(...times) < 50, `${times} ms`);
  });

  it('draws all only when there are others, or they stand in another order', async () => {
    const servers = ['one', 'two'].map(name => named(name, { state: running }));
    const { tree, didChange, drawn } = treeOf(...servers);
    await idsOf(tree, await tree.getChildren());
    didChange.fire(undefined);
    Object.assign(servers[1] as object, { isNeglecting: true });
    didChange.fire(servers[1]);
    await nextDrawing(tree);
    assert.deepEqual(drawn, [undefined]);
    assert.deepEqual((await tree.getChildren()).map(labelOf), ['two', 'one']);
  });

  it('draws the server anew that asks something, and says that it needs an answer', async () => {
    const server = shownServer({ state: running });
    const { tree, open, didAsk, drawn } = treeOf(server);
    const [top] = await allRows(tree);
    open.push({ server: server.definition, params: {}, askNow: () => {} });
    didAsk.fire(undefined);
    await nextDrawing(tree);
    assert.deepEqual(drawn, [[top]]);
    assert.equal((await tree.getTreeItem(top as Row)).description, 'waiting');
  });

  it('says before which rows of servers get another id', async () => {
    const servers = ['one', 'two'].map(name => named(name, {}));
    const { tree, didChange } = treeOf(...servers);
    await tree.getChildren();
    const renamed: string[] = [];
    tree.onWillRename(rows => renamed.push(...rows.map(labelOf)));
    Object.assign(servers[0] as object, { state: { kind: 'starting' }, isLive: true });
    didChange.fire(servers[0]);
    await nextDrawing(tree);
    assert.deepEqual(renamed, ['one']);
  });
});

describe('the servers of a window', () => {
  it('are said to be others only when they are', async () => {
    const didChange = new vscode.EventEmitter<void>();
    let fields = { command: 'files' };
    const { definition } = shownServer();
    const servers = new Servers(() => definition, {
      identities: { fieldsOf: () => fields, onDidChange: didChange.event },
      accesses: { onDidChange: didChange.event },
      records: { onDidChange: new vscode.EventEmitter<void>().event },
      logFor: () => undefined,
    } as unknown as ServerContext);
    const changes: (Server | undefined)[] = [];
    servers.onDidChange(server => changes.push(server));
    const [first] = servers.all;
    didChange.fire();
    assert.deepEqual([servers.all, changes], [[first], [first]]);
    fields = { command: 'other' };
    didChange.fire();
    assert.notEqual(servers.all[0], first);
    assert.equal(changes.at(-1), undefined);
    servers.dispose();
  });
});

function treeOf(...all: readonly Server[]) {
  const didChange = new vscode.EventEmitter<Server | undefined>();
  const servers = { all, onDidChange: didChange.event } as unknown as Servers;
  const clients: ClientOfServer[] = [];
  const didChangeClients = new vscode.EventEmitter<Server | undefined>();
  const source = {
    of: () => clients,
    waiting: [],
    waitingFor: () => [],
    onDidChange: didChangeClients.event,
  };
  const didAsk = new Emitter<undefined>();
  const open: OpenElicitation[] = [];
  const questions = new OpenQuestions(servers, [
    folderQuestions(servers, { askNow: async () => {} }),
    elicitationQuestions({ openOf: () => open, onDidChange: didAsk.event }),
    clientQuestions(source),
  ]);
  const tree = new ServersTree(servers, source, questions);
  const drawn: unknown[] = [];
  tree.onDidChangeTreeData(rows => drawn.push(rows));
  return { tree, didChange, clients, didChangeClients, open, didAsk, drawn };
}

/** A server of that name. */
function named(name: string, facts: Partial<ShownServer>): Server {
  const { definition } = shownServer();
  const id = `setting:${name}`;
  return shownServer({ definition: { ...definition, id, label: name }, ...facts });
}

function labelOf(row: Row): string {
  return row.server.definition.label;
}

/** The rows at the top, and those below the first, as if the editor drew them. */
async function allRows(tree: ServersTree): Promise<readonly Row[]> {
  const top = await tree.getChildren();
  const [first] = top;
  const rows = [...top, ...(first ? await tree.getChildren(first) : [])];
  await idsOf(tree, rows);
  return rows;
}

async function idsOf(tree: ServersTree, rows: readonly Row[]) {
  const items = await Promise.all(rows.map(row => tree.getTreeItem(row)));
  return items.map(({ id }) => id);
}

type Shown = readonly [label: string, below?: readonly Shown[]];

/** What the tree shows, as nested labels. */
async function shown(tree: ServersTree, above?: Row): Promise<Shown[]> {
  const rows = await tree.getChildren(above);
  return Promise.all(
    rows.map(async (row): Promise<Shown> => {
      const below = await shown(tree, row);
      const label = String((await tree.getTreeItem(row)).label);
      return below.length > 0 ? [label, below] : [label];
    }),
  );
}

function nextDrawing(tree: ServersTree): Promise<void> {
  return new Promise(resolve => {
    const listener = tree.onDidChangeTreeData(() => {
      listener.dispose();
      resolve();
    });
  });
}
