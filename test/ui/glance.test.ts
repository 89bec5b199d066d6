import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { rawServer } from '../support/recordingServer.ts';
import { sandboxHere } from '../support/sandbox/bubblewrap.ts';
import { listedFolders, writeWorkspace } from '../vscode/workspaceFile.ts';
import { definitionOf } from './support/definitionOf.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { rowsOf, showsRow } from './support/rowsOf.ts';
import type { TreeView } from './support/treeView.ts';
import type { Workbench } from './support/workbench.ts';

const { skip } = await sandboxHere();

const bundled = 'MCP Roots Server';
const folders = [
  ...['api', 'web', 'docs', 'infra', 'payments', 'auth'],
  ...['mobile', 'search', 'shared', 'tools', 'billing', 'design-system'],
];
/** The widths of the sidebar, each in a theme of another kind, and what marks the page that shows it. */
const looks = [
  { width: 180, kind: 'light', theme: 'Default Light Modern', mark: '.vs' },
  { width: 300, kind: 'dark', theme: 'Default Dark Modern', mark: '.vs-dark' },
  { width: 500, kind: 'contrast', theme: 'Default High Contrast', mark: '.hc-black' },
] as const;
/** The rows of servers' problems: what happened, and what to do. */
const problems: Readonly<Record<string, readonly [what: string, todo: string]>> = {
  broken: ['"no-suc…gram" not found', 'Edit…'],
  linear: ['could not be reached', 'Edit…'],
};
const size = { width: 900, height: 800 };

describe('twenty servers with twelve folders', () => {
  it('show what matters in narrow and wide sidebars', async t => {
    const raw = (more: object = {}) => ({ ...definitionOf(rawServer(t)), ...more });
    const twenty = {
      postgres: raw({ roots: folders }),
      github: raw(),
      broken: { command: 'no-such-program' },
      ...idle('sentry', 'notion', 'figma'),
      ...idle('stripe', 'redis', 'docker', 'aws', 'jira'),
      ...idle('sqlite', 'memory', 'google-calendar', 'kubernetes', 'slack'),
      linear: { url: 'http://127.0.0.1:47913/mcp' },
      browser: raw({ roots: folders.slice(0, 3) }),
    };
    const { workbench, workspace } = await openWorkbench(t, {
      folders,
      size,
      settings: { 'mcpRoots.bundledServer.sandbox': 'auto' },
    });
    const servers = workbench.view('Servers');
    const write = (settings: object, more: readonly string[] = []) => {
      const added = more.map(path => ({ path }));
      writeWorkspace(workspace, { folders: [...listedFolders(workspace), ...added], settings });
    };
    const settings = { 'mcpRoots.servers': twenty };
    write(settings);
    await workbench.openContainer('MCP Roots');
    // So high that every row can be clicked.
    await workbench.page.setViewportSize({ ...size, height: 2000 });
    for (const name of [bundled, 'postgres', 'github', 'browser']) {
      await start(workbench, name, 'running');
    }
    for (const name of ['broken', 'linear']) {
      await start(workbench, name, 'failed');
    }
    mkdirSync(join(dirname(workspace), 'ledger'));
    write(settings, ['ledger']);
    const needy: Needy = [
      [bundled, 'waiting'],
      ['github', 'waiting'],
      ['broken', 'failed'],
      ['linear', 'failed'],
    ];
    await workbench.page.setViewportSize(size);
    await servers.clickTitleAction('Filter Servers…');
    await workbench.quickInput.pick('needs attention');
    await eventually(() => assertGlance(workbench, needy));
    await eventually(async () => assert.equal(await servers.description(), 'needs attention'));
    for (const { width, kind, theme, mark } of looks) {
      write({ ...settings, 'workbench.colorTheme': theme });
      await workbench.page.locator(`.monaco-workbench${mark}`).waitFor();
      await workbench.setSideBarWidth(width);
      await eventually(() => assertReadable(servers, width));
      await eventually(() => assertGlance(workbench, needy));
      await eventually(() => assertProblems(servers, needy, width));
      await workbench.screenshot(`sidebar-${kind}-${width}`);
    }
    await servers.clickTitleAction('Filter Servers…');
    await workbench.quickInput.pick('all');
    await workbench.page.setViewportSize({ ...size, height: 2000 });
    // These texts alone say which server sees which folder.
    await eventually(async () => {
      const rows = await rowsOf(servers);
      assert.deepEqual(
        rows.filter(row => /^\S.*: (?!stopped)|: exposed$/.test(row)),
        [
          `${bundled}: waiting${skip ? '' : ' · confined'}`,
          '  [x] 12 folders: exposed',
          'postgres: running',
          '  [x] 12 folders: exposed',
          'github: waiting',
          '  [x] 12 folders: exposed',
          'broken: failed',
          'linear: failed',
          'browser: running',
          '  [x] api: exposed',
          '  [x] web: exposed',
          '  [x] docs: exposed',
        ],
      );
    });
    const { dialog, quickInput } = workbench;
    await workbench.clickStatusBar('MCP Roots: 2 failed, 2 waiting');
    await quickInput.pick('Allow "github" to see "ledger"?');
    await dialog.click('Allow');
    await quickInput.pick('Until the Window Closes');
    await showsRow(servers, '  [x] 13 folders: exposed');
    await servers.toggle('13 folders', 'github');
    const { message, detail } = await dialog.read();
    assert.match(message, /^Revoke 13 folders/);
    assert.equal(detail.split('\n').length, 13);
    await dialog.click('Revoke');
    await showsRow(servers, 'github: stopped');
  });
});

/** The servers that need the user, with the word for the reason, in the order of the view. */
type Needy = readonly (readonly [name: string, word: string])[];

function idle(...names: readonly string[]): object {
  return Object.fromEntries(names.map(name => [name, { command: 'no-such-program' }]));
}

async function start(workbench: Workbench, name: string, word: string): Promise<void> {
  await workbench.start(name, 'In This Workspace');
  await showsRow(workbench.view('Servers'), new RegExp(`^${name}: ${word}`));
}

/** All that needs the user is on the screen, with the filter for that, and at most one toast is. */
async function assertGlance(workbench: Workbench, needy: Needy): Promise<void> {
  const servers = await workbench.view('Servers').firstWords(1);
  const first = servers.slice(0, needy.length);
  assert.deepEqual(
    first.map(({ label, text, isInView }) => [label, text, isInView]),
    needy.map(([name, word]) => [name, word, true]),
  );
  const waiting = needy.filter(([, word]) => word === 'waiting').map(() => 'ledger');
  const rows = (await workbench.view('Servers').firstWords(2)).filter(row => row.isInView);
  const asked = rows.filter(({ text }) => text === 'waiting');
  assert.deepEqual(
    asked.map(({ label }) => label),
    waiting,
  );
  assert.equal(await workbench.badge('MCP Roots'), needy.length);
  assert.ok((await workbench.notifications.read()).length <= 1, 'More than one toast is shown.');
}

/** No word that counts is cut off: beside a long name a narrow sidebar has room for the icon only. */
async function assertReadable(servers: TreeView, width: number): Promise<void> {
  const isNarrow = width < 300;
  const rows = [
    ...(await servers.firstWords(1)).filter(({ label }) => !isNarrow || label.length < 8),
    ...(await servers.firstWords(2)).filter(({ label }) => !isNarrow && isFolder(label)),
  ];
  assert.deepEqual(
    rows.filter(({ isInView, isMarked, isWhole }) => isInView && !isMarked && !isWhole),
    [],
  );
}

/** What happened to a server and what to do about it can be read side by side, but in a narrow sidebar. */
async function assertProblems(servers: TreeView, needy: Needy, width: number): Promise<void> {
  const expected = needy.flatMap(([name]) => (problems[name] ? [problems[name]] : []));
  const labels = expected.map(([label]) => label);
  const rows = (await servers.firstWords(2)).filter(({ label }) => labels.includes(label));
  assert.deepEqual(
    rows.map(({ label, text, isWhole }) => [label, text, width < 300 || isWhole]),
    expected.map(([label, text]) => [label, text, true]),
  );
}

function isFolder(label: string): boolean {
  return [...folders, 'ledger'].includes(label) || label.endsWith(' folders');
}
