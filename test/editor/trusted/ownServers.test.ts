import assert from 'node:assert/strict';
import { exportedActivity } from '../support/exportedActivity.ts';
import { uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { Recorder } from '../support/recorder.ts';
import { detailsOf, folderDetails, folderState, rowOf, startWith } from '../support/shownRows.ts';

const asArguments = { rootsAs: 'args', args: ['--dir=${roots}'] };

describe('a server that gets its folders as arguments', () => {
  const person = personForEachTest();

  const argumentsFor = (...names: string[]) => names.map(name => `--dir=${uriOf(name).fsPath}`);

  it('gets one argument a folder and no roots, and is recorded in the activity', async () => {
    const own = await new Recorder('given').define(asArguments);
    const server = await startWith(person(), own.name, 'api', 'web');
    const consent = await person().sees(/^Allow "given" to see/);
    assert.match(consent.detail, /gets the paths as arguments\./);
    assert.deepEqual(
      own.launches.map(({ args }) => args),
      [argumentsFor('api', 'web')],
    );
    assert.equal(own.launches[0]?.cwd, uriOf('api').fsPath);
    const hello = own.messages.find(({ method }) => method === 'initialize');
    assert.deepEqual(hello?.params?.capabilities, { elicitation: { form: {}, url: {} } });
    assert.deepEqual(rowOf(server), ['server.running', 'running']);
    assert.ok(detailsOf(server).includes('Roots: given as arguments when the server starts'));
    assert.equal(folderState(server, 'api'), 'exposed');
    assert.match(
      String(folderDetails(server, 'api')[0]),
      /^exposed · given when the server started at /,
    );
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
});
