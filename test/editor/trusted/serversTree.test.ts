import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { HumanError } from '../../../src/domain/sentence.ts';
import { type Requester, Requesters } from '../../../src/extension/api/requesters.ts';
import type { ClientOfServer } from '../../../src/extension/gateway/clients.ts';
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
  shownServer,
} from '../support/shownServer.ts';

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
  it('has a server with its folders, and its tools while it runs', async () => {
    const tools = [{ name: 'read', inputSchema: { type: 'object' as const } }];
    const access = accessOf(allowed(folder('api')), exclusion(folder('web'), 'undecided'));
    const { tree } = treeOf(shownServer({ state: running, access, tools }));
    assert.deepEqual(await shown(tree), [['files', [['api'], ['web'], ['Tools', [['read']]]]]]);
  });

  it('has the clients of a server below it, and draws its rows anew when they change', async () => {
    const server = shownServer({ access: accessOf(allowed(folder('api'))) });
    const { tree, clients, didChangeClients } = treeOf(server);
    const [row] = await tree.getChildren();
    clients.push({ server, name: 'codex', isAllowed: true, session: undefined });
    const drawn = nextDrawing(tree);
    didChangeClients.fire(server);
    await drawn;
    const below = await tree.getChildren(row);
    assert.deepEqual(
      below.map(({ kind }) => kind),
      ['folder', 'client'],
    );
  });

  it('has an extension that asks for roots as long as it does, with the folders it asks for', async () => {
    const { tree, requesters } = treeOf(shownServer());
    const access = accessOf(allowed(folder('api')), exclusion(folder('web'), 'denied'));
    const requester = {
      definition: { id: 'extension:ada.manuals', label: 'Manuals' },
      access,
      isActive: true,
      isLive: true,
      item: () => new vscode.TreeItem('Manuals'),
    };
    requesters.known.set('ada.manuals', requester as unknown as Requester);
    requesters.changed();
    await nextDrawing(tree);
    assert.deepEqual(await shown(tree), [['files'], ['Manuals', [['api'], ['web']]]]);
    requester.isActive = false;
    assert.deepEqual(await shown(tree), [['files']]);
  });
});

describe('the tree of many servers', () => {
  it('is not drawn whole for a change of one of them that comes before anyone sees it', async () => {
    const server = shownServer({ access: accessOf(allowed(folder('api'))) });
    const { tree, didChange } = treeOf(server);
    const drawn: unknown[] = [];
    tree.onDidChangeTreeData(rows => drawn.push(rows));
    didChange.fire(server);
    await nextDrawing(tree);
    assert.deepEqual(drawn, [await tree.getChildren()]);
  });

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

describe('the servers of a window', () => {
  it('are said to be others only when they are', async () => {
    const didChange = new vscode.EventEmitter<void>();
    let fields = { command: 'files' };
    const { definition } = shownServer();
    const servers = new Servers(() => definition, {
      identities: { fieldsOf: () => fields, onDidChange: didChange.event },
      accesses: { onDidChange: didChange.event },
      offers: { onDidChange: new vscode.EventEmitter<void>().event },
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
  const requesters = new Requesters();
  const clients: ClientOfServer[] = [];
  const didChangeClients = new vscode.EventEmitter<Server | undefined>();
  const source = { of: () => clients, onDidChange: didChangeClients.event };
  const tree = new ServersTree(servers, requesters, source);
  return { tree, didChange, requesters, clients, didChangeClients };
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
