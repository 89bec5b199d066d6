import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { serverNamed } from '../support/shownRows.ts';

const writing = ['create-directory', 'delete-path', 'edit-file', 'move-path', 'write-file'];
const question = /^Allow "MCP Roots Server" to see/;
const changed = /^Changed since you agreed to it, .*: "MCP Roots Server"\.$/;
const keeping = /^Let "MCP Roots Server" see "api", "web"$/;
const late = /^Nothing was kept: that question no longer waits for an answer\.$/;

describe('the bundled server', () => {
  // Before the person leaves.
  afterEach(async () => {
    await allowWrite(undefined);
    // The next start is none when the setting reaches the extension while it is under way.
    // Of a single server nobody asks which one is meant.
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

  // Whatever was answered before, it may see both folders for reading.
  beforeEach(async () => {
    person().will(['api', 'web'], 'Until the Window Closes');
    await run('reviewAccess');
    await run('startServer');
    assert.deepEqual(await writingTools(), []);
  });

  it('may write after a question of its own, and without one no more', async () => {
    person().will('Review…', 'Allow', 'Until the Window Closes');
    await allowWrite(true);
    await eventually(() => assert.equal(kept(), 1));
    await eventually(async () => assert.deepEqual(await writingTools(), writing));
    assert.equal(questions().length, 1);
    const [{ text, detail }] = questions() as [{ text: string; detail: string }];
    assert.match(text, /"api", "web"\?$/);
    assert.match(detail, /^The settings of this workspace start it with: /);
    assert.match(detail, /\n\nChanged since you last answered:\nargs: — → --allow-write\n/);
    assert.match(detail, /Inside its roots it may create, change, move and delete files\./);

    await allowWrite(undefined);
    await eventually(async () => assert.deepEqual(await writingTools(), []));
    assert.deepEqual(writingProcesses(), []);
    await allowWrite(true);
    await eventually(async () => assert.deepEqual(await writingTools(), writing));
    assert.equal(questions().length, 1);
  });

  it('is stopped, and a message says so: no dialog comes by itself; it reads again unasked', async () => {
    await allowWrite(true);
    await person().sees(changed);
    assert.equal(await writingTools(), 'not running');
    await allowWrite(undefined);
    await run('startServer');
    assert.deepEqual(await writingTools(), []);
    assert.equal(questions().length, 0);
  });

  it('does not write when that was switched off before it was answered for', async () => {
    const answer = person().waitsWith(question);
    person().will('Review…');
    await allowWrite(true);
    await person().sees(question);
    await allowWrite(undefined);
    answer('Allow');
    await person().sees(late);
    assert.equal(kept(), 0);
    await run('startServer');
    assert.deepEqual(await writingTools(), []);
    assert.deepEqual(writingProcesses(), []);
  });

  it('is not started with what was switched off while its question was open', async () => {
    await run('stopServer');
    await allowWrite(true);
    const answer = person().waitsWith(question);
    const starting = run('startServer');
    await person().sees(question);
    await allowWrite(undefined);
    answer('Allow');
    await starting;
    await person().sees(late);
    await person().sees(/^"MCP Roots Server" was changed meanwhile, so it was not started/);
    assert.equal(await writingTools(), 'not running');
    assert.deepEqual(writingProcesses(), []);
  });

  /** The tools that write among those that the running server offers. */
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

  /** How many answers were kept after the one that each test begins with. */
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
