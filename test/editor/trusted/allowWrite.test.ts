import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { said } from '../../support/texts.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { serverNamed } from '../support/shownRows.ts';

const writing = ['create-directory', 'delete-path', 'edit-file', 'move-path', 'write-file'];
const question = /^Allow "MCP Roots Server" to see/;
const keeping = /^Let "MCP Roots Server" see "api", "web"$/;
const late = /^Nothing was saved, because the question is closed/;

describe('the bundled server', () => {
  // Before the person leaves.
  afterEach(async () => {
    await allowWrite(undefined);
    // A start does nothing while the setting still reaches the extension. A second server makes the
    // commands ask which server is meant.
    await setServers({ another: { command: 'no-such-program' } });
    await eventually(async () => {
      const { definition } = await serverNamed('MCP Roots Server');
      assert.doesNotMatch(JSON.stringify(definition), /--allow-write/);
    });
    await run('stopServer');
    person().will('Revoke');
    await run('revokeAll');
  });

  const person = personForEachTest();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  // Allows it to read both folders, whatever the earlier answers.
  beforeEach(async () => {
    person().will(['api', 'web'], 'Until the Window Closes');
    await run('reviewAccess');
    await run('startServer');
    assert.deepEqual(await writingTools(), []);
  });

  it('writes after its own question is answered, and not before', async () => {
    person().will('Review…', 'Allow', 'Until the Window Closes');
    await allowWrite(true);
    await eventually(() => assert.equal(kept(), 1));
    await eventually(async () => assert.deepEqual(await writingTools(), writing));
    assert.equal(questions().length, 1);
    const [{ text, detail }] = questions() as [{ text: string; detail: string }];
    assert.match(text, /"api", "web"\?$/);
    const [started = '', , writes = '', , changes] = detail.split(/\n+/);
    assert.match(
      said(started),
      /^startQuestion\.startedText\(startQuestion\.settingsOf\.workspace/,
    );
    assert.equal(said(writes), 'startQuestion.nature.3()');
    assert.equal(changes, 'args: — → --allow-write');

    await allowWrite(undefined);
    await eventually(async () => assert.deepEqual(await writingTools(), []));
    assert.deepEqual(writingProcesses(), []);
    await allowWrite(true);
    await eventually(async () => assert.deepEqual(await writingTools(), writing));
    assert.equal(questions().length, 1);
  });

  it('does not write when the setting is switched off before the answer', async () => {
    const answer = person().waitsWith(question);
    person().will('Review…');
    await allowWrite(true);
    await person().sees(question);
    await allowWrite(undefined);
    answer('Allow');
    await person().sees(late);
    assert.equal(kept(), 0);
    await eventually(async () => {
      await run('startServer');
      assert.deepEqual(await writingTools(), []);
    });
    assert.deepEqual(writingProcesses(), []);
  });

  it('does not start with writing when the setting was switched off during the question', async () => {
    await run('stopServer');
    await allowWrite(true);
    const answer = person().waitsWith(question);
    const starting = run('startServer');
    await person().sees(question);
    await allowWrite(undefined);
    answer('Allow');
    await starting;
    await person().sees(late);
    await person().sees(/^"MCP Roots Server" changed meanwhile/);
    assert.equal(await writingTools(), 'not running');
    assert.deepEqual(writingProcesses(), []);
  });

  /** The writing tools that the running server offers. */
  async function writingTools(): Promise<string[] | 'not running'> {
    await run('callTool');
    const { text, detail } = person().seen.at(-1) ?? { text: '', detail: '' };
    if (/^No server is running/.test(text)) {
      return 'not running';
    }
    assert.equal(text, 'Call a Tool of "MCP Roots Server"');
    const tools = detail.split('\n');
    assert.ok(tools.includes('get-roots'), detail);
    return tools.filter(name => writing.includes(name)).sort();
  }

  /** The number of saved answers after the first one of each test. */
  function kept(): number {
    return person().seen.filter(({ text }) => keeping.test(text)).length - 1;
  }

  function questions() {
    return person().seen.filter(({ text }) => question.test(text));
  }
});

async function allowWrite(value: true | undefined): Promise<void> {
  const { Workspace } = vscode.ConfigurationTarget;
  const settings = vscode.workspace.getConfiguration('mcpRoots.bundledServer');
  await settings.update('allowWrite', value, Workspace);
}

/** The command lines of the servers of this window that may write; Windows does not tell of them. */
function writingProcesses(): string[] {
  if (process.platform === 'win32') {
    return [];
  }
  const lines = execFileSync('ps', ['-Ao', 'ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter(
    line => Number.parseInt(line, 10) === process.pid && line.includes('--allow-write'),
  );
}
