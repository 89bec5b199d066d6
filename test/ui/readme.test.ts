import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { addFolder } from '../vscode/workspaceFile.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { pictured } from './support/pictured.ts';
import { activityOf, rowsOf, showsRow } from './support/rowsOf.ts';
import { ToolTab } from './support/toolTab.ts';

const server = 'MCP Roots Server';
const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
const section = readme.split('\n## ').find(text => text.startsWith('The first five minutes')) ?? '';

describe("README's first five minutes", () => {
  it('happen as it says, step by step', async t => {
    const { workbench, workspace } = await openWorkbench(t, { size: { width: 960, height: 600 } });
    const { dialog, quickInput, notifications } = workbench;
    const servers = workbench.view('Servers');
    // `npm run moving-picture` makes one of them.
    let pictures = 0;
    const picture = () => workbench.screenshot(`consent-${++pictures}`);
    const call = async (tool: string, title: string, path?: string) => {
      await servers.clickActionUntil(quickInput.titled(server), 'Call Tool…', server);
      await quickInput.pick(tool);
      const tab = await ToolTab.of(workbench, title);
      if (path) {
        await tab.page.getByLabel('path').first().fill(path);
      }
      await tab.button('Call').click();
      const text = (await (await tab.outcome()).locator('.text').allTextContents()).join('\n');
      await tab.close();
      return text;
    };
    const toldRoots = async () => {
      const text = await call('get-roots', 'Get Roots');
      return text.split('\n').flatMap(line => /^(.+): \//.exec(line)?.[1] ?? []);
    };
    const steps: readonly (readonly [said: readonly string[], act: () => Promise<void>])[] = [
      [
        ['click **MCP Roots** in the activity bar'],
        async () => {
          await workbench.openContainer('MCP Roots');
          await workbench.setSideBarWidth(360);
          await eventually(async () =>
            assert.deepEqual(
              (await rowsOf(servers)).map(row => row.replace(/^ +\[ ] /, '')),
              pictured('server').slice(1),
            ),
          );
          await workbench.page.getByText('Nothing happened yet.').waitFor();
          await picture();
        },
      ],
      [
        ['▶ beside **MCP Roots Server**', '**Allow**', 'how long your answer holds'],
        async () => {
          await servers.clickActionUntil(dialog.box, 'Start Server', server);
          const { buttons } = await dialog.read();
          const named = ['Allow', 'Choose Folders…', "Don't Allow"];
          assert.deepEqual(
            named.filter(name => !buttons.includes(name)),
            [],
          );
          await picture();
          await dialog.click('Allow');
          const scopes = (await quickInput.items()).map(({ label }) => label);
          assert.deepEqual(scopes, ['In This Workspace', 'Until the Window Closes', 'Always']);
          await picture();
          await quickInput.pick('In This Workspace');
        },
      ],
      [
        ['are _exposed_', 'tooltips say when the server asked', '**Activity**'],
        async () => {
          await eventually(async () => {
            const rows = await rowsOf(servers);
            assert.deepEqual(rows.slice(1, 3), ['  [x] api: exposed', '  [x] web: exposed']);
          });
          // If rows are drawn again under the pointer, the editor may show another row's tooltip.
          await eventually(async () => assert.match(await servers.tooltip('api'), /asked at \d/));
          await eventually(async () => assert.equal((await activityOf(workbench)).length, 3));
          await picture();
        },
      ],
      [
        ['(**Call Tool…**)', '`get-roots`', '**Call**', '`read-file`'],
        async () => {
          assert.deepEqual(await toldRoots(), ['api', 'web']);
          assert.match(await call('read-file', 'Read File', '/etc/hostname'), /outside/);
        },
      ],
      [
        ['Add a folder to the workspace', 'You are asked about it'],
        async () => {
          addFolder(workspace, 'docs');
          await notifications.waitFor('see the added "docs"');
          await eventually(async () =>
            assert.equal((await rowsOf(servers))[1], '  [ ] docs: waiting'),
          );
          await picture();
          await eventually(async () => assert.equal(await workbench.badge('MCP Roots'), 1));
          assert.deepEqual(await toldRoots(), ['api', 'web']);
        },
      ],
      [
        [
          'Untick a folder. Most servers that use roots learn of the change at once',
          'Untick the last folder',
        ],
        async () => {
          await servers.toggle('api');
          await showsRow(servers, '  [ ] api: not allowed · still known');
          // Its next call uses the roots that it got.
          assert.deepEqual(await toldRoots(), ['web']);
          await picture();
          await servers.toggle('web');
          await eventually(async () =>
            assert.equal((await rowsOf(servers))[0], `${server}: stopped`),
          );
        },
      ],
    ];
    const written = [...section.matchAll(/^\d+\. (.*)$/gm)].map(([, text]) => text ?? '');
    assert.equal(written.length, steps.length);
    for (const [index, [said, act]] of steps.entries()) {
      const missing = said.filter(words => !written[index]?.includes(words));
      assert.deepEqual(missing, [], `Step ${index + 1}`);
      await act();
    }
  });
});
