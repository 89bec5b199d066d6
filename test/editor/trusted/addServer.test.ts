import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { said } from '../../support/texts.ts';
import { hideSandboxes } from '../support/hiddenSandboxes.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs, type Reply } from '../support/quickInputs.ts';
import { Recorder } from '../support/recorder.ts';

describe('a new server', () => {
  const person = personForEachTest();
  let quick: QuickInputs;
  let showSandboxes: () => void;
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const configuration = () => vscode.workspace.getConfiguration('mcpRoots');
  const servers = () => configuration().inspect('servers')?.workspaceValue;
  const inWorkspace: Reply[] = [{ pick: 'Settings' }];

  beforeEach(() => {
    quick = new QuickInputs();
    showSandboxes = hideSandboxes();
  });
  afterEach(async () => {
    quick.leave();
    showSandboxes();
    await configuration().update('servers', undefined, Global);
    await configuration().update('inputs', undefined, Workspace);
  });

  /** Adds a server with these replies, and returns how many questions there were. */
  async function add(...replies: Reply[]): Promise<number> {
    const before = quick.asked.length;
    quick.will(...replies);
    await vscode.commands.executeCommand('mcpRoots.addServer');
    return quick.asked.length - before;
  }

  it('is added by a pasted command line and two Enters', async () => {
    const questions = await add({ enter: 'npx -y @acme/indexer-mcp' }, { pick: 'Add' });
    assert.equal(questions, 2);
    const [first, review] = quick.asked;
    assert.deepEqual(
      [first?.title, first?.steps, review?.title, review?.steps],
      ['Add Server', '1 of 2', 'Add Server', '2 of 2'],
    );
    assert.deepEqual(review?.content.split('\n').slice(0, 6), [
      ...['Add', '', 'Name', 'Command Line', 'Environment Variables', 'Settings'],
    ]);
    assert.deepEqual(review?.descriptions.slice(2, 6), [
      ...['indexer', 'npx -y @acme/indexer-mcp', 'none', 'User'],
    ]);
    assert.match(said(review?.content.split('\n').at(-1) ?? ''), /text\.noSandboxText\(/);
    assert.deepEqual(configuration().inspect('servers')?.globalValue, {
      indexer: { command: 'npx', args: ['-y', '@acme/indexer-mcp'] },
    });
    await person().sees(/^"indexer" was added/);
  });

  it('can be changed part by part before it is added, and keeps its secrets', async () => {
    await add(
      { enter: 'TOKEN=hunter2 true serve' },
      ...[{ pick: 'Name' }, { enter: '' }, { enter: 'mine' }],
      ...[{ pick: 'Command Line' }, { enter: 'true "two words' }, { enter: 'true "two words"' }],
      ...[{ pick: 'Environment Variables' }, { pick: 'Add Environment Variable…' }],
      ...[{ enter: 'A=B' }, { enter: 'LEVEL' }, { enter: 'debug' }],
      ...[{ pick: 'Environment Variables' }, { pick: 'Add Environment Variable…' }],
      ...[{ enter: 'API_KEY' }, { enter: '' }],
      ...[{ pick: 'Environment Variables' }, { pick: 'LEVEL=debug' }, { enter: 'info' }],
      ...[{ pick: 'Environment Variables' }, { pick: 'Add Environment Variable…' }],
      ...[{ enter: 'GONE' }, { enter: '1' }],
      ...[{ pick: 'Environment Variables' }, { pick: 'GONE=1' }, { enter: '' }],
      ...inWorkspace,
      { pick: 'Add' },
    );
    assert.deepEqual(servers(), {
      mine: {
        command: 'true',
        args: ['two words'],
        env: {
          TOKEN: '${input:true-TOKEN}',
          LEVEL: 'info',
          API_KEY: '${input:mine-API_KEY}',
        },
      },
    });
    assert.deepEqual(quick.complaints.map(said), [
      'reviewServer.askName()',
      'serverDraft.refusals.open()',
      'reviewServer.askValueName.4(A=B)',
    ]);
    assert.deepEqual(quick.asked.at(-1)?.descriptions[4]?.split(', ').map(said), [
      'reviewServer.valueText(TOKEN)',
      '"LEVEL=info"',
      'reviewServer.valueText.2(API_KEY)',
    ]);
    assert.doesNotMatch(JSON.stringify(quick.asked), /hunter2(?! true serve)/);
  });

  it('changes nothing when the user cancels or goes back at any step', async () => {
    await add({ enter: 'true one' }, 'back', 'leave');
    const back = quick.asked.at(-1);
    assert.deepEqual([back?.steps, quick.asked.length], ['1 of 2', 3]);
    await add({ enter: 'true' }, { pick: 'Name' }, 'leave', { pick: 'Name' }, 'back', 'leave');
    assert.equal(quick.asked.at(-1)?.steps, '2 of 2');
    assert.deepEqual(configuration().get('servers'), {});
    assert.deepEqual(person().seen, []);
  });

  it('is reported before any question when its program is missing', async () => {
    const line = 'no-such-program serve';
    assert.equal(await add({ enter: line }, { enter: line }, ...inWorkspace, { pick: 'Add' }), 4);
    assert.equal(await add({ enter: './no/such' }, 'leave'), 2);
    assert.equal(await add({ enter: 'example.com/mcp' }, 'leave'), 2);
    assert.equal(await add({ enter: 'PATH=/nowhere true' }, 'leave'), 2);
    assert.deepEqual(quick.complaints.map(said), [
      'enterServer.missingText.3(no-such-program)',
      'enterServer.missingText.2(./no/such)',
      'enterServer.missingText(example.com/mcp)',
      'enterServer.missingText.3(true)',
    ]);
    const command = 'no-such-program';
    assert.deepEqual(servers(), { [command]: { command, args: ['serve'] } });
  });

  it('is added by JSON in the form of a file', async () => {
    const entry = { command: 'true', env: { TOKEN: 'hunter2' }, dev: {} };
    const text = `"acme": ${JSON.stringify(entry)},`;
    assert.equal(await add({ enter: text }, ...inWorkspace, { pick: 'Add' }), 3);
    assert.match(quick.asked[1]?.content ?? '', /\nNot imported: dev\.\n/);
    const token = '${input:acme-TOKEN}';
    assert.deepEqual(servers(), {
      acme: { command: 'true', env: { TOKEN: token } },
    });
    const [input] = configuration().inspect<{ id: string }[]>('inputs')?.workspaceValue ?? [];
    assert.equal(input?.id, 'acme-TOKEN');
    await add({ enter: '{ "command": }' }, { enter: '{ "a": 1 }' }, 'leave');
    const [broken = '', other = ''] = quick.complaints.map(said);
    assert.match(broken, /^readJson\.problemAt\(1, 14, /);
    assert.equal(other, 'enteredText.serversIn()');
  });

  it('is added with others from one JSON, which are listed like servers of a file', async () => {
    const one = { command: 'true', args: ['one'] };
    const text = JSON.stringify({ mcpServers: { one, two: { command: 'true' } } });
    person().will('Workspace');
    assert.equal(await add({ enter: text }, { check: ['one'] }), 2);
    assert.equal(quick.asked[1]?.content, 'What you entered\n*one\n*two');
    assert.deepEqual(servers(), { one: { ...one } });
    await person().sees(/^1 server was imported: "one"/);
  });

  it('is added by its URL, with a header', async () => {
    await add(
      { enter: 'https://mcp.acme.com/mcp' },
      ...[{ pick: 'Headers' }, { pick: 'Add Header…' }, { enter: 'Authorization' }, { enter: '' }],
      ...[{ pick: 'URL' }, { enter: 'ftp://x' }, { enter: 'https://acme.com' }],
      ...inWorkspace,
      { pick: 'Add' },
    );
    assert.deepEqual(servers(), {
      acme: {
        url: 'https://acme.com',
        headers: { Authorization: '${input:acme-Authorization}' },
      },
    });
    assert.equal(quick.complaints.length, 1);
  });

  it('starts as pasted when the user presses the button', async () => {
    const recorder = new Recorder('pasted');
    const pasted = recorder.definition();
    const line = [pasted.command, ...pasted.args].map(word => `'${word}'`).join(' ');
    person().will('Start', 'Choose Folders…', 'Until the Window Closes');
    await add(
      { enter: line },
      ...[{ pick: 'Name' }, { enter: 'pasted' }, { pick: 'Environment Variables' }],
      ...[{ pick: 'Add Environment Variable…' }, { enter: 'SOME_TOKEN' }, { enter: 'hunter2' }],
      ...[...inWorkspace, { pick: 'Add' }, { check: ['api'] }],
    );
    assert.deepEqual(
      quick.asked.filter(({ isPassword }) => isPassword).map(({ text }) => text.split('.')[0]),
      ['The value of SOME_TOKEN'],
    );
    await recorder.until(({ answers }) => answers.length > 0);
    assert.deepEqual(recorder.answers[0], ['api']);
    const env = { SOME_TOKEN: '${input:pasted-SOME_TOKEN}' };
    assert.deepEqual(servers(), { pasted: { ...pasted, env } });
    const shown = [servers(), configuration().get('inputs'), person().seen, quick.asked];
    assert.doesNotMatch(JSON.stringify(shown), /hunter2/);
  });
});
