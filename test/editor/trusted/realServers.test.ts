import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../../ui/support/eventually.ts';
import {
  addFolders,
  closeAddedFolders,
  pathBeside,
  renameFolder,
  uriOf,
} from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { node, setServers } from '../support/recorder.ts';
import { answerRow, serverNamed } from '../support/shownRows.ts';
import { answeredBy } from '../support/toolTab.ts';

const program = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

describe('the reference server', () => {
  const person = personForEachTest();

  it('lists exactly the allowed folders while folders are ticked, lost, restored, renamed and closed', async () => {
    await addFolders('docs');
    await setServers({ ticked: { command: node, args: [program, 'stdio'] } });
    person().will('ticked', 'Choose Folders…', ['api'], 'Until the Window Closes');
    await run('startServer');
    await lists('api');
    const server = await serverNamed('ticked');

    await answerRow(server, 'docs', true);
    await lists('api', 'docs');
    const aside = `${pathBeside('docs')}-aside`;
    renameSync(pathBeside('docs'), aside);
    await lists('api');
    renameSync(aside, pathBeside('docs'));
    await lists('api', 'docs');
    await renameFolder('docs', 'manual');
    await lists('api', 'manual');
    await answerRow(server, 'api', false);
    await lists('manual');
    await answerRow(server, 'web', true);
    await lists('web', 'manual');
    await closeAddedFolders();
    await lists('web');
  });

  /** Settles when the server says that these are its roots: it asks for them after the notice. */
  function lists(...folders: readonly string[]): Promise<void> {
    return eventually(async () => {
      // For a moment the server does not run, because its working folder was revoked.
      person().will('get-roots-list');
      const { text } = await answeredBy(() => run('callTool')).finally(() => person().forget());
      const listed = [...text.matchAll(/\d+\. (.*)\n {3}URI: (.*)/g)];
      assert.deepEqual(
        listed.map(([, name, uri]) => [name, uri]),
        folders.map(name => [name, uriOf(name).toString()]),
      );
    });
  }
});
