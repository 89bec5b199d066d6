import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hideSandboxes } from '../support/hiddenSandboxes.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs, type Reply } from '../support/quickInputs.ts';
import { Recorder, setServers } from '../support/recorder.ts';

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
    assert.match(review?.content ?? '', /Not kept in its folders by the system: bubblewrap/);
    assert.deepEqual(configuration().inspect('servers')?.globalValue, {
      indexer: { command: 'npx', args: ['-y', '@acme/indexer-mcp'] },
    });
    await person().sees(/^"indexer" was added\. It was not started yet\.$/);
  });

  it('has each part changed before it is added, and its secrets kept', async () => {
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
    assert.deepEqual(quick.complaints, [
      'Enter a name.',
      'A quote is not closed.',
      '"A=B" is no name of a variable.',
    ]);
    const values = quick.asked.at(-1)?.descriptions[4];
    assert.equal(
      values,
      'TOKEN (kept in the secret storage), LEVEL=info, API_KEY (you are asked for it)',
    );
    assert.doesNotMatch(JSON.stringify(quick.asked), /hunter2(?! true serve)/);
  });

  it('may be left or gone back from at any place, which changes nothing', async () => {
    await add({ enter: 'true one' }, 'back', 'leave');
    const back = quick.asked.at(-1);
    assert.deepEqual([back?.steps, quick.asked.length], ['1 of 2', 3]);
    await add({ enter: 'true' }, { pick: 'Name' }, 'leave', { pick: 'Name' }, 'back', 'leave');
    assert.equal(quick.asked.at(-1)?.steps, '2 of 2');
    assert.deepEqual(configuration().get('servers'), {});
    assert.deepEqual(person().seen, []);
  });

  it('whose program is not there is told of that before anything is asked', async () => {
    const line = 'no-such-program serve';
    assert.equal(await add({ enter: line }, { enter: line }, ...inWorkspace, { pick: 'Add' }), 4);
    assert.equal(await add({ enter: './no/such' }, 'leave'), 2);
    assert.equal(await add({ enter: 'example.com/mcp' }, 'leave'), 2);
    assert.equal(await add({ enter: 'PATH=/nowhere true' }, 'leave'), 2);
    assert.deepEqual(quick.complaints, [
      '"no-such-program" is not on the PATH. Press Enter again to go on all the same.',
      'There is no program ./no/such. Press Enter again to go on all the same.',
      'There is no program example.com/mcp. A URL begins with http:// or https://. Press Enter again to go on all the same.',
      '"true" is not on the PATH. Press Enter again to go on all the same.',
    ]);
    const command = 'no-such-program';
    assert.deepEqual(servers(), { [command]: { command, args: ['serve'] } });
  });

  it('is added by JSON, as it stands in a file', async () => {
    const entry = { command: 'true', env: { TOKEN: 'hunter2' }, dev: {} };
    const text = `"acme": ${JSON.stringify(entry)},`;
    assert.equal(await add({ enter: text }, ...inWorkspace, { pick: 'Add' }), 3);
    assert.match(quick.asked[1]?.content ?? '', /\nNot taken over: dev\.\n/);
    const token = '${input:acme-TOKEN}';
    assert.deepEqual(servers(), {
      acme: { command: 'true', env: { TOKEN: token } },
    });
    const [input] = configuration().inspect<{ id: string }[]>('inputs')?.workspaceValue ?? [];
    assert.equal(input?.id, 'acme-TOKEN');
    await add({ enter: '{ "command": }' }, { enter: '{ "a": 1 }' }, 'leave');
    assert.match(
      quick.complaints[0] ?? '',
      /^It is broken at line 1, column 14: a value is missing/,
    );
    assert.match(quick.complaints[1] ?? '', /^This is no server: /);
  });

  it('takes the first free name', async () => {
    await setServers({ acme: { command: 'mine' } });
    const text = JSON.stringify({ mcpServers: { acme: { command: 'true' } } });
    await add({ enter: text }, ...inWorkspace, { pick: 'Add' });
    assert.deepEqual(Object.keys(servers() ?? {}), ['acme', 'acme-2']);
    const taken = [{ pick: 'Name' }, { enter: 'acme' }, 'leave'] as const;
    await add({ enter: text }, ...taken, 'leave');
    assert.deepEqual(quick.complaints, ['There is a server of this name already.']);
  });

  it('comes with others in JSON of several, which are shown as those of a file are', async () => {
    const one = { command: 'true', args: ['one'] };
    const text = JSON.stringify({ mcpServers: { one, two: { command: 'true' } } });
    person().will('Workspace');
    assert.equal(await add({ enter: text }, { check: ['one'] }), 2);
    assert.equal(quick.asked[1]?.content, 'What you entered\n*one\n*two');
    assert.deepEqual(servers(), { one: { ...one } });
    await person().sees(/^1 server was imported: "one"\. It was not started\.$/);
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
    assert.match(quick.complaints[0] ?? '', /http:\/\/ or https:\/\//);
  });

  it('starts at the press of a button, as it was pasted', async () => {
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
