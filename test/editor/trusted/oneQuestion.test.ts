import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Server } from '../../../src/extension/servers/server.ts';
import { eventually } from '../../ui/support/eventually.ts';
import { connectClient } from '../support/connectedClient.ts';
import { addFolders, pathBeside, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { define, Recorder } from '../support/recorder.ts';
import { sessionsOf } from '../support/shownClients.ts';
import { answerRow, becomes, folderState, serverNamed } from '../support/shownRows.ts';
import { testEnds } from '../support/testEnds.ts';

const late = /^Nothing was saved, because the question is closed/;

describe('a message with a question', () => {
  const t = testEnds();
  const person = personForEachTest();
  const run = (command: string, ...args: readonly object[]) =>
    vscode.commands.executeCommand(`mcpRoots.${command}`, ...args);
  const seen = (text: RegExp) => person().seen.filter(shown => text.test(shown.text));

  /** Servers that run and see `api`. */
  async function running(...names: readonly string[]) {
    const recorders = names.map(name => new Recorder(name));
    await define(recorders);
    const servers: Server[] = [];
    for (const name of names) {
      const server = await serverNamed(name);
      await answerRow(server, 'api', true);
      await answerRow(server, 'web', false);
      person().will('Start');
      await run('startServer', { kind: 'server', server });
      await becomes(server, ({ state }) => state.kind === 'running');
      servers.push(server);
    }
    await Promise.all(recorders.map(one => one.until(({ answers }) => answers.length >= 1)));
    return { recorders, servers };
  }

  it('covers five servers and two folders, and the next message comes after its answer', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `server-${index}`);
    const { recorders, servers } = await running(...names);
    const question = /^Who may see the added "docs", "more"\?/;
    const answer = person().waitsWith(question);
    await addFolders('docs', 'more');
    const { text } = await person().sees(question);
    assert.match(text, /: "server-0", "server-1", "server-2" and 2 more\.$/);

    const [first, second] = servers as [Server, Server];
    const sessions = sessionsOf(first);
    t.after(() => sessions.leave());
    const client = await connectClient('waiting-client', 'server-0', uriOf('api').fsPath);
    t.after(() => client.close());
    const called = client.callTool({ name: 'answers', arguments: {} });
    await eventually(() => assert.equal(sessions.all.at(-1)?.isWaiting, true));
    assert.equal(seen(/^Allow "waiting-client" to use/).length, 0);
    assert.equal(seen(question).length, 1);

    person().will(['server-0', 'server-3'], 'Until the Window Closes');
    const about = /^Allow "waiting-client" to use "server-0"/;
    const allow = person().waitsWith(about);
    answer('Choose…');
    await person().sees(about);
    allow('In This Workspace');
    await called;
    const list = seen(/^Who may see "docs", "more"\?$/);
    const rows = ['docs', 'more'].flatMap(name => [`${name} in ${pathBeside(name)}`, ...names]);
    assert.deepEqual(
      list.map(({ detail }) => detail.split('\n')),
      [rows],
    );
    assert.equal(seen(/^Let "server-0", "server-3" see "docs", "more"$/).length, 1);
    await Promise.all(
      [0, 3].map(index => recorders[index]?.until(({ answers }) => answers.length >= 2)),
    );
    assert.deepEqual(recorders[0]?.answers.at(-1), ['api', 'docs', 'more']);
    assert.deepEqual(recorders[1]?.answers, [['api']]);
    assert.equal(folderState(second, 'more'), 'not allowed');
    await run('forgetClient', { kind: 'client', server: first, client: clientOf(first) });

    function clientOf(server: Server) {
      const session = sessions.all.at(-1);
      return { server, name: 'waiting-client', isAllowed: true, session };
    }
  });

  it('rejects an answer when the row was ticked meanwhile, and says so', async () => {
    const { recorders, servers } = await running('ticked');
    const [server] = servers as [Server];
    const answer = person().waitsWith(/added "docs"/);
    await addFolders('docs');
    await person().sees(/added "docs"/);
    await answerRow(server, 'docs', false);
    answer('Allow');
    await person().sees(late);
    assert.equal(folderState(server, 'docs'), 'not allowed');
    assert.deepEqual(recorders[0]?.answers, [['api']]);
  });

  it('is skipped when all its servers were answered while it waited', async () => {
    const { servers } = await running('one', 'two');
    const [one, two] = servers as [Server, Server];
    const answer = person().waitsWith(/added "docs"/);
    await addFolders('docs');
    await person().sees(/added "docs"/);
    await addFolders('more');
    await becomes(two, ({ access }) => access.waiting.length === 2);
    await answerRow(one, 'more', false);
    await answerRow(two, 'more', false);
    person().will('Until the Window Closes');
    answer("Don't Allow");
    await becomes(two, ({ access }) => access.waiting.length === 0);
    await addFolders('last');
    await person().sees(/added "last"/);
    assert.equal(seen(/"more"/).length, 0);
  });
});
