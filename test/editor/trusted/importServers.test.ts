import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { said } from '../../support/texts.ts';
import { unsetAfterEachTest } from '../support/changedSettings.ts';
import { pathBeside, uriOf } from '../support/folders.ts';
import { hideSandboxes } from '../support/hiddenSandboxes.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs } from '../support/quickInputs.ts';
import { Recorder, setServers } from '../support/recorder.ts';

const notKept = /Not confined/;

describe('servers of other clients', () => {
  const person = personForEachTest();
  unsetAfterEachTest('inputs');
  let quick: QuickInputs;
  const written: string[] = [];
  const home = homeAt(homedir());
  let showSandboxes: () => void;

  beforeEach(() => {
    quick = new QuickInputs();
    // With one, there would be a question more.
    showSandboxes = hideSandboxes();
    // Otherwise the tests would find the files of the person who runs them.
    Object.assign(process.env, homeAt(pathBeside('home')));
  });

  afterEach(async () => {
    quick.leave();
    showSandboxes();
    Object.assign(process.env, home);
    for (const path of written.splice(0)) {
      rmSync(path, { force: true });
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are listed, picked and written with their needs, and none starts', async () => {
    const recorder = new Recorder('imported');
    const imported = recorder.definition();
    await setServers({ taken: { command: 'mine' } });
    put('api', '.vscode/mcp.json', {
      inputs: [{ id: 'city', type: 'promptString', description: 'City' }],
      servers: {
        imported: { ...imported, env: { API_TOKEN: 'hunter2', CITY: '${input:city}' } },
        taken: { command: 'theirs', dev: {} },
        odd: { command: '${command:pick}' },
        old: { type: 'websocket', url: 'wss://example.com' },
      },
    });
    put('web', '.cursor/mcp.json', '{ "mcpServers": { "a": { "command": } } }');
    quick.will({ check: ['imported', 'taken-2', 'old'] });
    person().will('Workspace');

    await vscode.commands.executeCommand('mcpRoots.importServers');
    const [preview] = quick.asked;
    assert.equal(
      preview?.content,
      '.vscode/mcp.json (api)\n*imported\n*taken-2\nodd\nold',
      'Only servers can be checked.',
    );
    await person().sees(/^\.cursor\/mcp\.json \(web\): .* line 1, column 37/);
    await person().sees(notKept);
    const details = preview?.details.flatMap(detail => detail.split(' · ').map(said)) ?? [];
    assert.ok(details.includes('convertServer.conversionNotes.kept(API_TOKEN)'), `${details}`);
    assert.ok(preview?.details.some(detail => /^"command" .*\$\{command:pick\}/.test(detail)));
    assert.ok(preview?.details.some(detail => /^"type" must /.test(detail)));
    assert.doesNotMatch(JSON.stringify(preview), /hunter2/);
    await person().sees(/^2 servers were imported: "imported", "taken-2"/);

    assert.deepEqual(servers(), {
      taken: { command: 'mine' },
      imported: {
        ...imported,
        env: { API_TOKEN: '${input:imported-API_TOKEN}', CITY: '${input:city}' },
      },
      'taken-2': { command: 'theirs' },
    });
    assert.deepEqual(
      inputs().map(({ id }) => id),
      ['imported-API_TOKEN', 'city'],
    );
    assert.deepEqual(recorder.pids, []);
  });

  it('are reported as missing when no client has any', async () => {
    await vscode.commands.executeCommand('mcpRoots.importServers');
    await person().sees(/^No servers were found/);
  });

  function put(folder: string, file: string, content: unknown): void {
    const path = join(uriOf(folder).fsPath, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    written.push(path);
  }
});

/** Where the user's own files are, on every system. */
function homeAt(path: string): Record<string, string> {
  return { HOME: path, USERPROFILE: path };
}

function servers(): Readonly<Record<string, unknown>> {
  return vscode.workspace.getConfiguration('mcpRoots').get('servers') ?? {};
}

function inputs(): readonly { id: string }[] {
  return vscode.workspace.getConfiguration('mcpRoots').get('inputs') ?? [];
}
