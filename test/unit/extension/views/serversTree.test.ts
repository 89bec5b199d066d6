import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { HumanError } from '../../../../src/domain/sentence.ts';
import {
  joinServers,
  type LeftOutServer,
  readServerSettings,
} from '../../../../src/domain/settings/serverSettings.ts';
import { clientQuestions } from '../../../../src/extension/consent/clientQuestion.ts';
import { folderQuestions } from '../../../../src/extension/consent/folderQuestions.ts';
import { OpenQuestions } from '../../../../src/extension/consent/openQuestions.ts';
import type { ClientOfServer } from '../../../../src/extension/gateway/clients.ts';
import { elicitationQuestions } from '../../../../src/extension/pages/elicit.ts';
import type { ViewRow } from '../../../../src/extension/rows.ts';
import type { OpenElicitation } from '../../../../src/extension/servers/elicitations.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
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
  it('of a running server are listed once', async () => {
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

  it('say why they are missing, and are listed again only on request', async () => {
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
      'The tools could not be listed: Error: busy\\u0007',
    ]);
  });

  it('mark effects as the server’s claims', () => {
    const shown = (annotations: object) =>
      toolItem({
        kind: 'tool',
        server: shownServer(),
        tool: { name: 'rm', title: 'Remove', inputSchema: { type: 'object' }, annotations },
      });
    assert.equal(shown({ readOnlyHint: true }).description, 'only reads · Remove');
    assert.equal(shown({ destructiveHint: true }).description, 'may destroy data · Remove');
    assert.equal(shown({}).description, 'Remove');
    assert.match(String(shown({ readOnlyHint: true }).tooltip), /According to the server: only/);
  });

  it('have a tick, and count what is left and about what it costs a model', async () => {
    const tools = ['read', 'write', 'Write'].map(name => {
      return { name, description: 'x'.repeat(1000), inputSchema: { type: 'object' as const } };
    });
    const facts = { state: running, ...recorded({ tools }) };
    const ofTools = { ...shownServer().definition, tools: [['!re*']] };
    const shown = async (more: Partial<Server>) => {
      const { tree } = treeOf(shownServer({ ...facts, ...more }));
      const row = await toolsRowOf(tree);
      const items = (await tree.getChildren(row)).map(one => tree.getTreeItem(one));
      const ticks = items.map(({ checkboxState }) => Object(checkboxState).state);
      return [row && tree.getTreeItem(row).description, ...ticks];
    };
    const none = undefined;
    assert.deepEqual(await shown({}), ['3 · about 730 tokens', 1, 1, 1]);
    const hiddenTools = new Set(['write']);
    assert.deepEqual(await shown({ hiddenTools }), ['1 of 3 · about 240 tokens', 1, 0, 0]);
    assert.deepEqual(await shown({ definition: ofTools }), [
      ...['2 of 3 · about 480 tokens', none, 1, 1],
    ]);
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
    clients.push({ ...shownClient({ server, isAllowed: true }), session: undefined });
    const rows = ['files', '  api', '  web', '  codex', '  Tools', '    read'];
    assert.deepEqual(await shown(tree), rows);
  });

  it('has waiting folders first, and one row for folders of one state', async () => {
    const names = ['api', 'web', 'docs', 'more'];
    const access = accessOf(
      ...names.map(name => allowed(folder(name))),
      exclusion(folder('new'), 'undecided'),
    );
    const { tree } = treeOf(shownServer({ state: running, access, ...recorded({ tools: [] }) }));
    const below = names.map(name => `    ${name}`);
    const last = ['  Tools', '    The server has no tools.'];
    assert.deepEqual(await shown(tree), ['files', '  new', '  4 folders', ...below, ...last]);
  });

  it('has a row for a server with a mistake until it is corrected', async () => {
    const { tree, leftOut, didChange, drawn } = treeOf(shownServer());
    const { leftOut: found } = joinServers(
      readServerSettings({ odd: { comand: 'x', env: 1 } }, emptySettings.around),
      readServerSettings({}, emptySettings.around),
    );
    leftOut.push(...found);
    const row = (await drawnTop(tree)).at(-1);
    assert.ok(row);
    const { label, description, command, tooltip } = tree.getTreeItem(row);
    assert.deepEqual([label, command?.command], ['odd', 'mcpRoots.showMistake']);
    assert.match(String(description), /"comand".*"command"/);
    assert.match(String(tooltip), /"env"/);
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

  it('keeps the servers in order, whatever their state', async () => {
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
    assert.deepEqual(await labels(), ['stopped', 'running', 'stale', 'failed', 'asking']);
    tree.filter = 'attention';
    assert.deepEqual(await labels(), ['stale', 'failed', 'asking']);
    tree.filter = 'running';
    assert.deepEqual(await labels(), ['running', 'stale', 'asking']);
  });
});

describe('the tree of servers that change', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  it('keeps object and id of each row, whatever the state of its server', async () => {
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

  it('draws changed rows together, and nothing before the tree is visible', async () => {
    const servers = ['one', 'two', 'three'].map(name => named(name, { state: running }));
    const { tree, didChange, drawn, drawnBy } = treeOf(...servers);
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
    assert.deepEqual(drawnBy(didChange, servers[0]), [others]);
  });

  it('draws only a row that looks different', async () => {
    const server = shownServer({
      state: running,
      access: accessOf(allowed(folder('api')), exclusion(folder('web'), 'denied')),
    });
    const { tree, didChange, drawnBy } = treeOf(server);
    const [top, , web] = await allRows(tree);
    Object.assign(server, { access: accessOf(allowed(folder('api')), allowed(folder('web'))) });
    assert.deepEqual(drawnBy(didChange, server), [[web]]);
    await idsOf(tree, [web as ViewRow]);
    Object.assign(server, { isNeglecting: true });
    // Its place changes as well, if other rows exist.
    assert.deepEqual(drawnBy(didChange, server), [[top]]);
  });

  it('draws the row of a changed problem or client', async () => {
    const failure = { kind: 'silent', seconds: 30 } as const;
    const died = (deaths: number) => ({ plan: { kind: 'given-up', deaths } }) as const;
    const server = shownServer({ state: { kind: 'failed', failure }, ...died(5) });
    const { tree, clients, didChangeClients, drawnBy } = treeOf(server);
    const client = shownClient({ server, isAllowed: true, session: { useCount: 1 } });
    clients.push(client);
    const [, problemRow, clientRow] = await allRows(tree);
    Object.assign(server, died(6));
    Object.assign(client.session as object, { useCount: 2 });
    assert.deepEqual(drawnBy(didChangeClients, server), [[problemRow]]);
    await idsOf(tree, [problemRow as ViewRow]);
    Object.assign(client.session as object, { cwd: '/srv' });
    assert.deepEqual(drawnBy(didChangeClients, server), [[clientRow]]);
  });

  it('draws a row when it has a new row below', async () => {
    const server = shownServer();
    const { tree, clients, didChangeClients, drawnBy } = treeOf(server);
    const [top] = await allRows(tree);
    clients.push({ ...shownClient({ server, isAllowed: true }), session: undefined });
    assert.deepEqual(drawnBy(didChangeClients, server), [[top]]);
  });

  it('draws the tools again when a tick changes or a tool was called', async () => {
    const tools = ['a', 'b'].map(name => ({ name, inputSchema: { type: 'object' as const } }));
    const server = shownServer({
      state: running,
      ...recorded({ tools }),
      hiddenTools: new Set('a'),
    });
    const { tree, didChange, drawnBy } = treeOf(server);
    const row = (await allRows(tree)).find(({ kind }) => kind === 'tools');
    Object.assign(server, { hiddenTools: new Set('b') });
    assert.deepEqual(drawnBy(didChange, server), [[row]]);
    const last = { client: 'codex', outcome: 'failed', took: 41, at: 0 };
    Object.assign(server, { callsOf: () => ({ count: 3, last }) });
    assert.deepEqual(drawnBy(didChange, server), [[row]]);
    const [first] = await tree.getChildren(row);
    const { description, tooltip } = tree.getTreeItem(first!);
    assert.equal(description, '3 calls');
    assert.match(String(tooltip), /Last call at .* by codex, failed after 41 ms/);
  });

  it('draws a row again after its tooltip could be read', async () => {
    const servers = ['one', 'two'].map(name => named(name, { state: running }));
    const { tree, didChange, drawn, drawnBy } = treeOf(...servers);
    const [one, two] = (await drawnTop(tree)) as [ViewRow, ViewRow];
    const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(one), one);
    assert.match(String(tooltip), /^one: running · 2025-11-25\n/);
    Object.assign(servers[1] as object, started({ sandbox }));
    assert.deepEqual(drawnBy(didChange, undefined), [[two]]);
    await idsOf(tree, [two]);
    mock.timers.tick(10_000);
    mock.timers.tick(1000);
    assert.deepEqual(drawn, [[one]]);
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
    const { tree, didChange, drawnBy } = treeOf(...servers);
    /** Draws rows and everything below except tools, like the editor. */
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
      await get(drawnBy(didChange, servers[7])[0] as ViewRow[]);
      times.push(performance.now() - start);
    }
    // The other times include the load of a busy machine.
    assert.ok(Math.min(...times) < 50, `${times} ms`);
  });

  it('draws all rows only when the list of servers changes', async () => {
    const { tree, leftOut, didChange, drawnBy } = treeOf(shownServer());
    await drawnTop(tree);
    leftOut.push({ name: 'odd', from: 'user', mistakes: [] });
    assert.deepEqual(drawnBy(didChange, undefined), [undefined]);
  });

  it('draws a server with an open question as waiting', async () => {
    const server = shownServer({ state: running });
    const { tree, open, didAsk, drawnBy } = treeOf(server);
    const [top] = await allRows(tree);
    open.push({ server: server.definition, params: {}, askNow: () => {} });
    assert.deepEqual(drawnBy(didAsk, undefined), [[top]]);
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
  /** The rows drawn once a change is complete. */
  const drawnBy = <T>(changed: Emitter<T>, which: T) => {
    changed.fire(which);
    mock.timers.tick(1000);
    return drawn.splice(0);
  };
  return { tree, leftOut, didChange, clients, didChangeClients, open, didAsk, drawn, drawnBy };
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

/** The rows of the only server and below it, drawn. */
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

/** The rows of the tree, children indented. */
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
