import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { Workbench } from '../../ui/support/workbench.ts';
import { launchChromium } from '../../vscode/chromium.ts';
import { startCodeServer } from '../../vscode/codeServer.ts';
import { npmVsCode } from '../../vscode/install.ts';
import { createWorkspace } from '../../vscode/workspaceFile.ts';
import type { Part } from '../bench.ts';
import { inMilliseconds } from '../figures.ts';
import { race } from '../race.ts';

const servers = Array.from({ length: 19 }, (_, index) => `s${index + 1}`);
const folders = Array.from({ length: 12 }, (_, index) => `folder-${index + 1}`);
/** The one that is ticked. */
const folder = 'folder-1';
/** The editor draws at once only what comes this long after the change before, in milliseconds. */
const pause = 300;

/** From a tick in the servers view until its row says what became of it, in the real workbench. */
export const treePart: Part = {
  name: 'tree',
  async run({ scratch, isQuick }) {
    const parent = join(scratch.folder, 'tree');
    mkdirSync(parent);
    const editor = await startCodeServer({
      code: await npmVsCode('newest'),
      folder: join(parent, 'editor'),
      isSlim: true,
      added: [
        join(import.meta.dirname, '..', '..', '..'),
        writePlainTree(parent, servers.length + 1, folders.length),
      ],
      settings: {
        'mcpRoots.servers': Object.fromEntries(servers.map(name => [name, { command: 'x' }])),
      },
      home: join(parent, 'home'),
    });
    const browser = await launchChromium();
    const workbench = await Workbench.open(browser, editor, {
      workspace: createWorkspace(join(parent, 'workspace'), folders),
      size: { width: 1000, height: 2400 },
    });
    try {
      await workbench.openContainer('MCP Roots');
      await workbench.view('Activity').fold();
      await openRows(workbench.page.locator('.part.sidebar'), 's1', '12 folders');
      await workbench.runCommand('Plain: Focus on Plain View');
      await openRows(workbench.page.locator('.part.panel'), 'p1');
      const result = await race(
        [
          { name: 'ours', sample: () => tick(workbench, 's1') },
          { name: 'plain', sample: () => tick(workbench, 'p1') },
        ],
        { warmUp: 4, rounds: isQuick ? 6 : 40, each: 1 },
      );
      const figure = (side: string) =>
        inMilliseconds(result.percentile(side, 50), result.percentile(side, 99));
      return [
        {
          what: 'a tick until it is drawn, of 20 servers × 12 folders',
          against: 'a plain tree',
          ours: figure('ours'),
          theirs: figure('plain'),
          value: result.percentile('ours', 50),
          unit: 'ms',
          target: { atMost: 50 },
        },
      ];
    } finally {
      await workbench.close();
      await browser.close();
      await editor.stop();
    }
  },
};

/** Opens these rows, which come one below the other in a part of the window. */
async function openRows(part: Locator, ...labels: readonly string[]): Promise<void> {
  for (const label of labels) {
    // The first row is of another server: it stays closed.
    const row = part.getByRole('treeitem').filter({ hasText: label }).first();
    await row.locator('.monaco-tl-twistie').click();
  }
  await part.getByRole('treeitem').filter({ hasText: folder }).first().waitFor();
}

/** Ticks a folder, or takes its tick away, and returns how long that took to be drawn. */
async function tick({ page }: Workbench, server: string): Promise<number> {
  await delay(pause);
  return page.evaluate(`(${tickInPage})(${JSON.stringify(`Folder ${folder} for ${server}: `)})`);
}

/** Run in the page. */
const tickInPage = `label => new Promise((resolve, reject) => {
  const rows = () => [...document.querySelectorAll('[role=treeitem]')];
  const row = () => rows().find(one => one.getAttribute('aria-label')?.startsWith(label));
  const box = row()?.querySelector('[role=checkbox]');
  if (!box) {
    reject(new Error('There is no row ' + label));
    return;
  }
  const wanted = label + (box.getAttribute('aria-checked') === 'true' ? 'not allowed' : 'allowed');
  const begun = performance.now();
  const look = new MutationObserver(() => {
    if (row()?.getAttribute('aria-label').startsWith(wanted)) {
      look.disconnect();
      resolve(performance.now() - begun);
    }
  });
  look.observe(document.body, { subtree: true, childList: true, attributes: true });
  box.click();
})`;

/**
 * Writes an extension with a view `Plain` in the panel: as many rows of the same shape, and no
 * more to do after a tick than to have its row drawn anew. Returns its folder.
 */
function writePlainTree(parent: string, servers: number, folders: number): string {
  const folder = join(parent, 'plain-tree');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'main.js'),
    `${program}\nexports.activate = () => show(${servers}, ${folders});`,
  );
  return folder;
}

const manifest = {
  name: 'plain-tree',
  publisher: 'bench',
  version: '1.0.0',
  engines: { vscode: '*' },
  main: './main.js',
  contributes: {
    viewsContainers: { panel: [{ id: 'plainPanel', title: 'Plain', icon: '$(list-tree)' }] },
    views: { plainPanel: [{ id: 'plain', name: 'Plain' }] },
  },
};

const program = `
const vscode = require('vscode');
const { Collapsed, None } = vscode.TreeItemCollapsibleState;
const numbers = count => Array.from({ length: count }, (_, index) => index + 1);
function show(serverCount, folderCount) {
  const changed = new vscode.EventEmitter();
  const servers = numbers(serverCount).map(number => ({
    label: 'p' + number,
    folders: numbers(folderCount).map(folder => ({ label: 'folder-' + folder, server: 'p' + number, isOn: false })),
  }));
  const getTreeItem = ({ label, folders, server, isOn }) => {
    const item = new vscode.TreeItem(label, folders ? Collapsed : None);
    item.id = (server ?? '') + label;
    if (!folders) {
      item.description = isOn ? 'allowed' : 'not allowed';
      item.checkboxState = isOn ? 1 : 0;
      item.accessibilityInformation = { label: 'Folder ' + label + ' for ' + server + ': ' + item.description };
    }
    return item;
  };
  const view = vscode.window.createTreeView('plain', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: row => (row ? row.folders : servers),
      getTreeItem,
    },
    manageCheckboxStateManually: true,
  });
  view.onDidChangeCheckboxState(({ items }) => {
    for (const [row, state] of items) {
      row.isOn = state === 1;
    }
    changed.fire(items.map(([row]) => row));
  });
}`;
