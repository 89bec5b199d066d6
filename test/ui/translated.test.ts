import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { marked, unmarked } from '../support/pseudoLanguage.ts';
import { addFolder } from '../vscode/workspaceFile.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { ownTexts } from './support/ownTexts.ts';
import { webview } from './support/webview.ts';
import type { Workbench } from './support/workbench.ts';

const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const m = marked;

const program = 'npx -y @example/files';

/** Names, values and commands, which are the same in every language. */
const names: readonly string[] = [
  ...['Claude Code', 'Claude Desktop', 'Codex', 'Copilot CLI', 'Cursor', 'Gemini CLI', 'Windsurf'],
  ...['Zed', 'MCP Roots Server', 'MCP Roots', 'everything', 'missing', 'refused', 'no-program'],
  ...['get-roots', 'get-sum', program, 'files', 'api', 'web', 'docs', 'PATH', '"command"'],
  // What the server says of its tool.
  ...['Get Sum Tool', 'Returns the sum of two numbers', 'First number', 'Second number'],
  // The editor's own.
  'Cancel',
];

const data = new RegExp(
  [
    String.raw`(?:https?:/|file:/|~)?/[^\s⟦⟧,)]+`,
    String.raw`127\.0\.0\.1:\d+|\d+:\d+(?::\d+)? [AP]M|[A-Z_]+=\S+|mcpRoots\.\w+|HTTPS?`,
    ...names.map(name => String.raw`(?<!\w)${name.replaceAll(/\W/g, String.raw`\$&`)}(?!\w)`),
  ].join('|'),
  'g',
);

/** What is read in a window that is in no language's words, with the place where it was read. */
class Reader {
  readonly found = new Map<string, string>();
  private readonly workbench: Workbench;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
  }

  async look(where: string): Promise<void> {
    this.read(where, await ownTexts(this.workbench));
  }

  read(where: string, texts: readonly string[]): void {
    for (const text of texts) {
      if (/\p{Letter}{2,}/u.test(unmarked(text).replaceAll(data, ''))) {
        this.found.set(text, where);
      }
    }
  }
}

describe('what a person reads', () => {
  it('is translated, in the views, in questions and lists, in messages, and in tabs', async t => {
    const { workbench, workspace } = await openWorkbench(t, {
      isTranslated: true,
      size: { width: 1280, height: 1400 },
      settings: {
        'mcpRoots.servers': {
          everything: { command: process.execPath, args: [everything] },
          missing: { command: 'no-program' },
          refused: { url: 'http://127.0.0.1:40009/mcp' },
        },
      },
    });
    const reader = new Reader(workbench);
    const { dialog, quickInput, notifications, page } = workbench;
    const run = (title: string) => workbench.runCommand(`MCP Roots: ${m(title)}`);
    const list = async (where: string) => {
      await quickInput.items();
      await reader.look(where);
      await quickInput.dismiss();
    };
    await workbench.openContainer(m('MCP Roots'));
    const servers = workbench.view(m('Servers'));
    await eventually(async () => assert.equal((await servers.rows()).length, 4));
    await reader.look('views');

    await servers.clickActionUntil(dialog.box, m('Start Server'), 'MCP Roots Server');
    await reader.look('question');
    await dialog.click(m('Allow'));
    await quickInput.waitFor(m('How long does this answer hold?'));
    await reader.look('how long');
    await quickInput.pick(m('In This Workspace'));
    await eventually(async () =>
      assert.match((await servers.rows())[1]?.description ?? '', /exposed/),
    );
    await reader.look('running');
    for (const row of ['MCP Roots Server', 'api']) {
      reader.read(`tooltip of ${row}`, [await servers.tooltip(row)]);
    }
    for (const row of ['MCP Roots Server', 'api', 'missing']) {
      await (await servers.row(row)).locator('.label-name').click({ button: 'right' });
      await page.locator('.context-view .monaco-menu').waitFor();
      await reader.look(`menu of ${row}`);
      await page.keyboard.press('Escape');
    }

    addFolder(workspace, 'docs');
    await notifications.waitFor('docs');
    await reader.look('added folder');
    await notifications.click('docs', m("Don't Allow"));
    await quickInput.pick(m('In This Workspace'));

    for (const row of ['missing', 'refused']) {
      await servers.clickActionUntil(dialog.box, m('Start Server'), row);
      await reader.look(`question of ${row}`);
      await dialog.click(m('Allow'));
      await quickInput.pick(m('In This Workspace'));
      await eventually(async () =>
        assert.match(
          (await servers.rows()).find(one => one.label === row)?.description ?? '',
          /failed/,
        ),
      );
      await reader.look(`${row}, failed`);
      reader.read(`tooltip of ${row}`, [await servers.tooltip(row)]);
    }
    await run('Show Status…');
    await list('status');

    await servers.clickActionUntil(dialog.box, m('Start Server'), 'everything');
    await dialog.click(m('Choose Folders…'));
    await quickInput.items();
    await reader.look('which folders');
    await quickInput.setChecked('web', true);
    await quickInput.accept();
    await quickInput.pick(m('Always'));
    await eventually(async () =>
      assert.match(
        (await workbench.view(m('Activity')).rows()).map(({ description }) => description).join(),
        /⟦told of/,
      ),
    );
    await reader.look('everything runs');

    for (const title of ['Connect a Client…', 'Check Roots Support…', 'Review Access…']) {
      await run(title);
      await list(title);
    }
    await run('Add Server…');
    // The editor goes on below the field in its own words.
    await quickInput.waitFor(m('A command line, a URL, or the JSON of an mcp.json.'));
    await quickInput.type(program);
    await quickInput.accept();
    await eventually(async () =>
      assert.ok((await quickInput.items()).some(({ label }) => label === m('Command Line'))),
    );
    await list('entered');
    await servers.clickAction(m('Call Tool…'), 'everything');
    await quickInput.pick('get-sum');
    await webview(page).getByRole('heading', { level: 1 }).waitFor();
    await reader.look('form');
    await webview(page)
      .getByRole('button', { name: m('Call'), exact: true })
      .click();
    await webview(page).locator('.problem').first().waitFor();
    await reader.look('form with mistakes');
    await run('Show Access');
    await webview(page).locator('table').waitFor();
    await reader.look('access');
    assert.deepEqual([...reader.found], []);
  });
});
