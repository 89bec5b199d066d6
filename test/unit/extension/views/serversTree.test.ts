import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { HumanError } from '../../../../src/domain/sentence.ts';
import {
  joinServers,
  type LeftOutServer,
  readServerSettings,
} from '../../../../src/domain/settings/serverSettings.ts';
import { elicitationQuestions } from '../../../../src/extension/commands/elicit.ts';
import { folderQuestions } from '../../../../src/extension/consent/folderQuestions.ts';
import { OpenQuestions } from '../../../../src/extension/consent/openQuestions.ts';
import { clientQuestions } from '../../../../src/extension/gateway/clientQuestion.ts';
import type { ClientOfServer } from '../../../../src/extension/gateway/clients.ts';
import type { OpenElicitation } from '../../../../src/extension/servers/elicitations.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import type { ViewRow } from '../../../../src/extension/views/rows.ts';
import { ServersTree } from '../../../../src/extension/views/serversTree.ts';
import { toolItem } from '../../../../src/extension/views/toolItem.ts';
import { emptySettings } from '../../../support/importing.ts';
import {
  accessOf,
  allowed,
  exclusion,
  folder,
  recorded,
  running,
  sandbox,
  shownClient,
  shownServer,
  started,
} from '../../../support/shownServer.ts';

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
        tool: { name: 'rm', title: 'Remove', inputSchema: { type: 'object' }, annotations },
      });
    assert.equal(shown({ readOnlyHint: true }).description, 'only reads · Remove');
    assert.equal(shown({ destructiveHint: true }).description, 'may destroy · Remove');
    assert.equal(shown({}).description, 'Remove');
    assert.match(String(shown({ readOnlyHint: true }).tooltip), /According to the server: only/);
  });

  async function toolsRowOf(tree: ServersTree): Promise<ViewRow | undefined> {
    const [server] = await tree.getChildren();
    return (await tree.getChildren(server)).find(({ kind }) => kind === 'tools');
  }
});

describe('the tree', () => {
  it('has a server with its folders and clients, and its tools while it runs', async () => {
    const tools = [{ name: 'read', inputSchema: { type: 'object' as const } }];
    const access = accessOf(allowed(folder('api')), exclusion(folder('web'), 'denied'));
    const server = shownServer({ state: running, access, ...recorded({ tools }) });
    const { tree, clients } = treeOf(server);
    clients.push({ server, name: 'codex', isAllowed: true, session: undefined });
    const rows = ['files', '  api', '  web', '  codex', '  Tools', '    read'];
    assert.deepEqual(await shown(tree), rows);
  });

  it('has those folders first that wait, and as one row those that stand alike', async () => {
    const names = ['api', 'web', 'docs', 'more'];
    const access = accessOf(
      ...names.map(name => allowed(folder(name))),
      exclusion(folder('new'), 'undecided'),
    );
    const { tree } = treeOf(shownServer({ state: running, access, ...recorded({ tools: [] }) }));
    const below = names.map(name => `    ${name}`);
    const last = ['  Tools', '    It has no tools.'];
    assert.deepEqual(await shown(tree), ['files', '  new', '  4 folders', ...below, ...last]);
  });

  it('has a server that a mistake leaves out, with that, until it is mended', async () => {
    const { tree, leftOut, didChange, drawn } = treeOf(shownServer());
    const { leftOut: found } = joinServers(
      readServerSettings({ odd: { comand: 'x', env: 1 } }, emptySettings.around),
      readServerSettings({}, emptySettings.around),
    );
    leftOut.push(...found);
    const [row] = await drawnTop(tree);
    assert.ok(row);
    const { label, description, command, tooltip } = tree.getTreeItem(row);
    assert.deepEqual(
      [label, description, command?.command],
      ['odd', '"comand" is not a known key. Did you mean "command"?', 'mcpRoots.showMistake'],
    );
    assert.match(String(tooltip), /"env" must be an object/);
    tree.filter = 'running';
    assert.equal(tree.hidesAll, true);
    tree.filter = 'attention';
    assert.deepEqual(await shown(tree), ['odd']);
    tree.filter = 'all';
    leftOut.pop();
    didChange.fire(undefined);
    tree.drawNow();
    assert.equal(drawn.at(-1), undefined, 'All is drawn anew.');
    assert.deepEqual(names(await tree.getChildren()), ['server']);
  });

  it('has those servers first that need attention, and those last that stand still', async () => {
    const waiting = accessOf(exclusion(folder('new'), 'undecided'));
    const failure = { kind: 'not-started', message: 'no such file' } as const;
    const { tree } = treeOf(
      named('stopped', {}),
      named('running', { state: running }),
      named('stale', { state: running, isNeglecting: true }),
      named('failed', { state: { kind: 'failed', failure } }),
      named('asking', { state: running, access: waiting }),
    );
    const labels = async () => (await tree.getChildren()).map(labelOf);
    assert.deepEqual(await labels(), ['asking', 'failed', 'stale', 'running', 'stopped']);
    tree.filter = 'attention';
    assert.deepEqual(await labels(), ['asking', 'failed', 'stale']);
    tree.filter = 'running';
    assert.deepEqual(await labels(), ['asking', 'stale', 'running']);
  });
});

describe('the tree of servers that change', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());
  /** As much time goes by as it takes until all is drawn that has changed. */
  const draw = () => mock.timers.tick(1000);

  it('keeps the object and the id of each row, whatever becomes of its server', async () => {
    const server = shownServer({
      state: running,
      access: accessOf(allowed(folder('api')), exclusion(folder('web'), 'denied')),
    });
    const { tree, clients } = treeOf(server);
    clients.push(shownClient({ server, isAllowed: true }));
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
    assert.deepEqual(await idsOf(tree, stopped), idsBefore.slice(0, -1));
  });

  it('draws nothing before anyone has seen it, and then together what looks other than before', async () => {
    const servers = ['one', 'two', 'three'].map(name => named(name, { state: running }));
    const { tree, didChange, drawn } = treeOf(...servers);
    tree.filter = 'attention';
    tree.filter = 'all';
    assert.deepEqual(drawn, []);
    const [, ...others] = await drawnTop(tree);
    for (const server of servers.slice(1)) {
      Object.assign(server, started({ sandbox }));
    }
    for (const server of [...servers, ...servers]) {
      didChange.fire(server);
    }
    draw();
    assert.deepEqual(drawn, [others]);
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
    draw();
    assert.deepEqual(drawn, [[web]]);
    await idsOf(tree, [web as ViewRow]);
    Object.assign(server, { isNeglecting: true });
    didChange.fire(server);
    draw();
    // Its place is another one as well, if there are others.
    assert.deepEqual(drawn.slice(1), [[top]]);
  });

  it('draws the row of a problem or a client whatever of it looks other than before', async () => {
    const failure = { kind: 'silent', seconds: 30 } as const;
    const died = (deaths: number) => ({ plan: { kind: 'given-up', deaths } }) as const;
    const server = shownServer({ state: { kind: 'failed', failure }, ...died(5) });
    const { tree, clients, didChangeClients, drawn } = treeOf(server);
    const client = shownClient({ server, isAllowed: true, session: { useCount: 1 } });
    clients.push(client);
    const [, problemRow, clientRow] = await allRows(tree);
    Object.assign(server, died(6));
    Object.assign(client.session as object, { useCount: 2 });
    didChangeClients.fire(server);
    draw();
    assert.deepEqual(drawn, [[problemRow]]);
    await idsOf(tree, [problemRow as ViewRow]);
    Object.assign(client.session as object, { cwd: '/srv' });
    didChangeClients.fire(server);
    draw();
    assert.deepEqual(drawn.slice(1), [[clientRow]]);
  });

  it('draws a row with all that is below it when there is another one below it', async () => {
    const server = shownServer({ access: accessOf(allowed(folder('api'))) });
    const { tree, clients, didChangeClients, drawn } = treeOf(server);
    const [top] = await allRows(tree);
    clients.push({ server, name: 'codex', isAllowed: true, session: undefined });
    didChangeClients.fire(server);
    draw();
    assert.deepEqual(drawn, [[top]]);
  });

  it('draws a row anew for its tooltip, which tells of more, once that could be read', async () => {
    const servers = ['one', 'two'].map(name => named(name, { state: running }));
    const { tree, didChange, drawn } = treeOf(...servers);
    const [one, two] = (await drawnTop(tree)) as [ViewRow, ViewRow];
    const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(one), one);
    assert.match(String(tooltip), /^one: running · 2025-11-25\n/);
    Object.assign(servers[1] as object, started({ sandbox }));
    didChange.fire(undefined);
    draw();
    assert.deepEqual(drawn, [[two]]);
    await idsOf(tree, [two]);
    mock.timers.tick(10_000);
    draw();
    assert.deepEqual(drawn.slice(1), [[one]]);
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
    const { tree, didChange, drawn } = treeOf(...servers);
    /** Draws rows and all below them but tools, as the editor asks for those. */
    const get = async (rows: readonly ViewRow[]): Promise<void> => {
      await idsOf(tree, rows);
      for (const row of rows.filter(({ kind }) => kind !== 'tools')) {
        await get(await tree.getChildren(row));
      }
    };
    await get(await tree.getChildren());
    const times: number[] = [];
    for (const name of names) {
      Object.assign(servers[7] as object, { access: access(name) });
      const start = performance.now();
      didChange.fire(servers[7]);
      draw();
      await get(drawn.at(-1) as ViewRow[]);
      times.push(performance.now() - start);
    }
    // What a busy machine has to do besides is in the others.
    assert.ok(Math.min(...times) < 50, `${times} ms`);
  });

  it('draws all only when there are others, or they stand in another order', async () => {
    const servers = ['one', 'two'].map(name => named(name, { state: running }));
    const { tree, didChange, drawn } = treeOf(...servers);
    await drawnTop(tree);
    didChange.fire(undefined);
    Object.assign(servers[1] as object, { isNeglecting: true });
    didChange.fire(servers[1]);
    draw();
    assert.deepEqual(drawn, [undefined]);
    assert.deepEqual((await tree.getChildren()).map(labelOf), ['two', 'one']);
  });

  it('draws the server anew that asks something, and says that it needs an answer', async () => {
    const server = shownServer({ state: running });
    const { tree, open, didAsk, drawn } = treeOf(server);
    const [top] = await allRows(tree);
    open.push({ server: server.definition, params: {}, askNow: () => {} });
    didAsk.fire(undefined);
    draw();
    assert.deepEqual(drawn, [[top]]);
    assert.equal((await tree.getTreeItem(top as ViewRow)).description, 'waiting');
  });
});

function treeOf(...all: readonly Server[]) {
  const didChange = new Emitter<Server | undefined>();
  const leftOut: LeftOutServer[] = [];
  const servers = { all, leftOut, withId: () => undefined, onDidChange: didChange.event };
  const clients: ClientOfServer[] = [];
  const didChangeClients = new Emitter<Server | undefined>();
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
    clientQuestions(source, { ask: async () => undefined }),
  ]);
  const tree = new ServersTree(servers, source, questions);
  const drawn: unknown[] = [];
  tree.onDidChangeTreeData(rows => drawn.push(rows));
  return { tree, leftOut, didChange, clients, didChangeClients, open, didAsk, drawn };
}

/** A server of that name. */
function named(name: string, facts: Partial<Server>): Server {
  const { definition } = shownServer();
  const id = `setting:${name}`;
  return shownServer({ definition: { ...definition, id, label: name }, ...facts });
}

function labelOf(row: ViewRow): string {
  return row.kind === 'mistake' ? row.leftOut.name : row.server.definition.label;
}

/** The rows at the top, drawn. */
async function drawnTop(tree: ServersTree): Promise<readonly ViewRow[]> {
  const top = await tree.getChildren();
  await idsOf(tree, top);
  return top;
}

/** The row of the only server and those below it, drawn. */
async function allRows(tree: ServersTree): Promise<readonly ViewRow[]> {
  const [top] = await drawnTop(tree);
  const below = await tree.getChildren(top);
  await idsOf(tree, below);
  return [top as ViewRow, ...below];
}

async function idsOf(tree: ServersTree, rows: readonly ViewRow[]) {
  const items = await Promise.all(rows.map(row => tree.getTreeItem(row)));
  return items.map(({ id }) => id);
}

/** What the tree shows, with what is below a row further in. */
async function shown(tree: ServersTree, above?: ViewRow, indent = ''): Promise<string[]> {
  const lines = (await tree.getChildren(above)).map(async row => [
    `${indent}${(await tree.getTreeItem(row)).label}`,
    ...(await shown(tree, row, `${indent}  `)),
  ]);
  return (await Promise.all(lines)).flat();
}

function names(rows: readonly ViewRow[]): string[] {
  return rows.map(row =>
    row.kind === 'tool' ? row.tool.name : row.kind === 'tool-problem' ? row.reason : row.kind,
  );
}
