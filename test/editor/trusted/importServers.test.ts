import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { pathBeside, uriOf } from '../support/folders.ts';
import { hideSandboxes } from '../support/hiddenSandboxes.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs } from '../support/quickInputs.ts';
import { Recorder, setServers } from '../support/recorder.ts';

const notKept = /Not kept in its folders by the system: bubblewrap is missing/;

describe('servers of other clients', () => {
  const person = personForEachTest();
  let quick: QuickInputs;
  const written: string[] = [];
  const home = homeAt(homedir());
  let showSandboxes: () => void;

  beforeEach(() => {
    quick = new QuickInputs();
    // With one, there would be a question more.
    showSandboxes = hideSandboxes();
    // Else the files of whoever runs the tests would be found.
    Object.assign(process.env, homeAt(pathBeside('home')));
  });

  afterEach(async () => {
    quick.leave();
    showSandboxes();
    Object.assign(process.env, home);
    for (const path of written.splice(0)) {
      rmSync(path, { force: true });
    }
    await setInputs(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are shown, picked and written with what they need, and nothing is started', async () => {
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
    await person().sees(/^\.cursor\/mcp\.json \(web\): It is broken at line 1, column 37/);
    await person().sees(notKept);
    assert.match(
      preview?.details.find(detail => detail.includes('API_TOKEN')) ?? '',
      /^Kept in the secret storage, not in the settings: API_TOKEN\. · /,
    );
    const details = preview?.details.join('\n') ?? '';
    assert.match(details, /^"command" holds \$\{command:pick\}, which is no variable\. /m);
    assert.match(details, /^"type" must be "stdio", "http" or "sse"\.$/m);
    assert.doesNotMatch(JSON.stringify(preview), /hunter2/);
    await person().sees(/^2 servers were imported: "imported", "taken-2"\. None was started\.$/);

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

  it('that are there already are not taken again, and leaving changes nothing', async () => {
    await setServers({ same: { command: 'x' } });
    put('api', '.mcp.json', { mcpServers: { same: { command: 'x' }, new: { command: 'y' } } });
    quick.will('leave');
    await vscode.commands.executeCommand('mcpRoots.importServers');
    quick.will({ check: ['same'] });
    await vscode.commands.executeCommand('mcpRoots.importServers');
    assert.deepEqual(
      quick.asked.map(({ content }) => content),
      Array(2).fill('.mcp.json (api)\nsame\n*new'),
    );
    assert.deepEqual(servers(), { same: { command: 'x' } });
  });

  it('that are nowhere are said to be nowhere', async () => {
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

async function setInputs(value: unknown): Promise<void> {
  const { Workspace } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('mcpRoots').update('inputs', value, Workspace);
}
