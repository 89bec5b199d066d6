import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempFolder, writeTree } from '../support/temp.ts';
import { eventually } from './support/eventually.ts';
import { openWorkbench } from './support/openWorkbench.ts';
import { rowsOf } from './support/rowsOf.ts';
import type { Workbench } from './support/workbench.ts';

const secret = 'hunter2-that-nobody-may-see';
const folders = Array.from({ length: 60 }, (_, index) => `folder-number-${index + 1}`);
const longName = `name ${'of many letters '.repeat(19)}`.slice(0, 300);
const longCwd = 'deep/'.repeat(60);
const longEnvFile = `${'long/'.repeat(60)}.env`;
const manyArguments = Array.from({ length: 40 }, (_, index) => `--option-${index + 1}=/some/path`);
const hidden = {
  command: 'npx',
  args: ['-y', 'good-pkg', '--api-key', secret],
  env: { API_TOKEN: secret, AUTH_SERVER: 'https://id.example.com/' },
};

describe('the question before a start, in a window of 800 × 600', () => {
  it('shows all that matters, and leaves no secret in the storage of the editor', async t => {
    const elsewhere = tempFolder(t);
    writeTree(elsewhere, { [longCwd]: '', [longEnvFile]: '' });
    const { workbench } = await openWorkbench(t, {
      folders,
      size: { width: 800, height: 600 },
      settings: {
        'mcpRoots.servers': {
          one: { ...hidden, roots: folders.slice(0, 1) },
          sixty: hidden,
          kept: { ...hidden, command: 'no-such-program' },
          [longName]: {
            command: 'docker',
            args: ['run', '--rm', ...manyArguments, `mcp/${'good-image/'.repeat(30)}`],
            env: Object.fromEntries(manyArguments.map((arg, index) => [`OPTION_${index}`, arg])),
            envFile: join(elsewhere, longEnvFile),
            cwd: join(elsewhere, longCwd),
            rootsAs: ['roots', 'args'],
            roots: folders.slice(0, 12),
          },
        },
      },
    });
    await workbench.openContainer('MCP Roots');
    await eventually(async () =>
      assert.match((await rowsOf(workbench.view('Servers')))[0] ?? '', /stopped$/),
    );
    for (const [name, picture, told] of [
      ['one', 'question-1', /:\n• folder-number-1 — \/.*\/folder-number-1\n/],
      ['sixty', 'question-60', /:(\n• folder-number-[1-3] — \/.*){3}\nMore folders: 57\. /],
    ] as const) {
      const { message, detail } = await ask(workbench, name, picture, hidden.env.AUTH_SERVER);
      const more = name === 'one' ? '' : ', "folder-number-2", "folder-number-3" and 57 more';
      assert.equal(message, `Allow "${name}" to see "folder-number-1"${more}?`);
      assert.match(detail, /^Your user settings .*: npx .* good-pkg --api-key …\[27\]\n/);
      assert.match(
        detail,
        /\n\nEnvironment: API_TOKEN=…\[27\] AUTH_SERVER=https:\/\/id\.example\.com\/$/,
      );
      assert.match(detail, /\nThe server runs with your rights .* not a sandbox\./);
      assert.match(detail, told);
    }
    const { message, detail } = await ask(
      workbench,
      longName,
      'question-long',
      'If you revoke a folder, the server is restarted.',
    );
    assert.match(message, /^Allow "name of .*…" to see 12 folders\?$/);
    assert.match(detail, /: docker\n.*: mcp\/good-image\/.* more\)….*\n\n/);
    assert.match(detail, /\n\nArguments: run --rm .*more\)….*\n/);
    assert.match(detail, /\nMore folders: 9\. /);

    await workbench.view('Servers').clickActionUntil(workbench.dialog.box, 'Start Server', 'kept');
    await workbench.dialog.click('Allow');
    await workbench.quickInput.pick('Always');
    await workbench.notifications.waitFor('was not found on PATH');
    const state = await eventually(async () => {
      const state = await stateOf(workbench);
      assert.match(state, /no-such-program/);
      return state;
    });
    assert.match(state, /"API_TOKEN=…\[27\]"/);
    assert.ok(!state.includes(secret));
  });
});

/** Asks, and sees whether all down to that text can be read. */
async function ask(workbench: Workbench, name: string, picture: string, lastSeen: string) {
  await workbench.runCommand('MCP Roots: Start Server');
  await workbench.quickInput.waitFor('Start which server?');
  await workbench.quickInput.pick(name);
  const question = await workbench.dialog.read();
  await workbench.screenshot(picture);
  assert.deepEqual(await workbench.dialog.hiddenParts(lastSeen), []);
  assert.deepEqual(question.buttons.toSorted(), [
    'Allow',
    'Choose Folders…',
    "Don't Allow",
    'Not Now',
  ]);
  await workbench.dialog.click('Not Now');
  return question;
}

/** All that the editor keeps in the browser, extensions' state included. */
async function stateOf({ page }: Workbench): Promise<string> {
  return page.evaluate<string>(everythingStored);
}

/** Run in the page. The settings of the user have the secret in clear, where the user wrote it. */
const everythingStored = `(async () => {
  const wait = request => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const found = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await wait(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      if (store !== 'vscode-userdata-store') {
        found.push(await wait(database.transaction(store).objectStore(store).getAll()));
      }
    }
    database.close();
  }
  return JSON.stringify(found).replaceAll('\\\\', '');
})()`;
