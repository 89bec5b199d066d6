import assert from 'node:assert/strict';
import { delimiter } from 'node:path';
import * as vscode from 'vscode';
import { exportedActivity } from '../support/exportedActivity.ts';
import { uriOf } from '../support/folders.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import {
  answerRow,
  becomes,
  detailsOf,
  folderDetails,
  folderState,
  rowOf,
  startWith,
} from '../support/shownRows.ts';

const asArguments = { rootsAs: 'args', args: ['--dir=${roots}'] };

describe('a server that gets its folders as arguments', () => {
  const person = personForEachTest();

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);
  const argumentsFor = (...names: string[]) => names.map(name => `--dir=${uriOf(name).fsPath}`);

  it('has one for each that it may see, is offered no roots, and leaves an entry in the activity', async () => {
    const own = new OwnServer('given');
    await own.defineAs(asArguments);
    const server = await startWith(person(), own.name, 'api', 'web');
    const consent = await person().sees(/^Allow "given" to see/);
    assert.match(consent.detail, /gets the paths as arguments or environment, and is restarted/);
    assert.deepEqual(
      own.launches.map(({ args }) => args),
      [argumentsFor('api', 'web')],
    );
    assert.equal(own.launches[0]?.cwd, uriOf('api').fsPath);
    const hello = own.messages.find(({ method }) => method === 'initialize');
    assert.deepEqual(hello?.params?.capabilities, { elicitation: { form: {}, url: {} } });
    assert.deepEqual(rowOf(server), ['server.running', 'running']);
    assert.ok(detailsOf(server).includes('Roots: given as arguments when it starts'));
    assert.equal(folderState(server, 'api'), 'exposed');
    assert.match(String(folderDetails(server, 'api')[0]), /^exposed · told at its start /);
    // Told when there was a process, and started when that had answered.
    const [told, started] = (await exportedActivity()).slice(-2);
    assert.equal(started?.['kind'], 'started');
    const { time: _, ...entry } = told ?? {};
    assert.deepEqual(entry, {
      kind: 'exposure',
      serverId: server.definition.id,
      serverLabel: 'given',
      trigger: { kind: 'launch', as: ['args'] },
      count: 1,
      roots: ['api', 'web'].map(name => ({ uri: uriOf(name).toString(), name })),
    });
  });

  it('is restarted with the others as soon as one is taken away, without a question', async () => {
    const own = new OwnServer('taken');
    await own.defineAs(asArguments);
    const server = await startWith(person(), own.name, 'api', 'web');
    await answerRow(server, 'api', false);
    await own.until(({ launches }) => launches.length >= 2);
    assert.deepEqual(own.launches[1]?.args, argumentsFor('web'));
    await becomes(server, ({ state }) => state.kind === 'running');
    await answerRow(server, 'web', false);
    await becomes(server, ({ isStoppedForLackOfRoots }) => isStoppedForLackOfRoots);
    await own.ended();
    assert.equal(own.launches.length, 2);
  });

  it('is not started without any, and says why', async () => {
    const own = new OwnServer('without');
    await own.defineAs(asArguments);
    person().will(own.name, "Don't Allow", 'Until the Window Closes');
    await run('startServer');
    await person().sees(/was not started, since it may see no folder/);
    person().will(own.name, 'Start');
    await run('startServer');
    const { text } = await person().sees(/^"without" could not be started/);
    assert.match(
      text,
      /told of its folders when it is started \(\$\{roots\}\), and it may see none/,
    );
    assert.deepEqual(own.pids, []);
  });

  it('can be told of them in its environment as well, and asked for by it', async () => {
    const own = new OwnServer('both');
    const env = { SERVER_FOLDERS: `\${rootsJoined:${delimiter}}` };
    await own.defineAs({ rootsAs: ['roots', 'env'], env });
    const server = await startWith(person(), own.name, 'api', 'web');
    await own.until(({ answers }) => answers.length >= 1);
    const both = ['api', 'web'].map(name => uriOf(name).fsPath);
    assert.deepEqual(
      own.launches.map(({ folders }) => folders),
      [both.join(delimiter)],
    );
    assert.deepEqual(own.answers, [['api', 'web']]);
    assert.match(detailsOf(server).join('\n'), /^Roots: .*given as environment/m);
    await answerRow(server, 'web', false);
    await own.until(({ answers }) => answers.at(-1)?.length === 1 && answers.length > 1);
    await own.until(({ launches }) => launches.length >= 2);
    assert.equal(own.launches[1]?.folders, both[0]);
  });
});
