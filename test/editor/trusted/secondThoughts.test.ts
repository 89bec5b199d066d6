import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { set, unsetAfterEachTest } from '../support/changedSettings.ts';
import { OwnServer } from '../support/ownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { startWith } from '../support/shownRows.ts';

describe('what a person may think over', () => {
  const person = personForEachTest();
  unsetAfterEachTest('extraFolders');

  const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

  it('is a very wide folder, which takes a second yes, and that only once', async () => {
    const own = new OwnServer('widening');
    await own.defineAs();
    const server = await startWith(person(), own.name, 'api', 'web');
    await own.until(({ answers }) => answers.length >= 1);
    person().will('Allow', 'For This Session');
    await set('extraFolders', [process.platform === 'win32' ? 'C:\\Program Files' : '/usr']);
    const added = await person().sees(/^Allow "widening" to see the added /);
    assert.match(added.text, /until you answer\. .*: very wide\.$/);
    const second = await person().sees(
      / is very wide\. Allow "widening" to see it all the same\?$/,
    );
    assert.equal(second.detail, 'It may then work in everything below it.');
    assert.deepEqual([server.access.roots.length, server.access.waiting.length], [2, 1]);
    const wide = server.access.waiting[0]?.name ?? '';
    person().will(own.name, ['api', 'web', wide], 'For This Session', 'Allow All the Same');
    await run('reviewAccess');
    await own.until(({ answers }) => answers.length >= 2);
    assert.deepEqual(own.answers[1], ['api', 'web', wide]);
    const shown = person().seen.length;
    await run('restartServer');
    await own.until(({ answers }) => answers.length >= 3);
    person().will(own.name, ['api', wide], 'For This Session');
    await run('reviewAccess');
    await own.until(({ answers }) => answers.length >= 4);
    assert.deepEqual(own.answers[3], ['api', wide]);
    const later = person().seen.slice(shown);
    assert.ok(!later.some(({ text }) => / is very wide\./.test(text)));
  });

  it('is what a secret in the definition hides', async () => {
    const own = new OwnServer('hiding');
    const env = { DATABASE_URL: 'postgres://me:hunter2@db/x' };
    await own.defineAs({ args: ['--api-key', 'hunter2', '--token=hunter2'], env });
    person().will(own.name, 'Choose Folders…', ['api'], 'For This Session');
    await run('startServer');
    await own.until(({ answers }) => answers.length >= 1);
    const { detail } = await person().sees(/^Allow "hiding" to see/);
    assert.match(detail, / --api-key …\[7\] --token=…\[7\]$/m);
    assert.match(detail, /DATABASE_URL=postgres:\/\/me:…\[7\]@db\/x/);
    assert.match(detail, /Where "…\[n\]" stands, n characters are hidden\./);
    assert.doesNotMatch(detail, /hunter2/);
  });
});
