import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
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

const packages = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'node_modules',
  '@modelcontextprotocol',
);
const run = (command: string) => vscode.commands.executeCommand(`mcpRoots.${command}`);

describe('a server that others made', () => {
  const person = personForEachTest();

  describe('server-filesystem', () => {
    const program = join(packages, 'server-filesystem', 'dist', 'index.js');
    const file = (folder: string) => join(uriOf(folder).fsPath, 'note.txt');

    beforeEach(async () => {
      for (const folder of ['api', 'web']) {
        writeFileSync(file(folder), `in ${folder}`);
      }
      // What it is started with it keeps when its list becomes empty.
      await setServers({ files: { command: node, args: [program, uriOf('api').fsPath] } });
      person().will('files', 'Choose Folders…', ['api'], 'For This Session');
      await run('startServer');
    });

    it('reads what is in the allowed folder and nothing else, and once all is revoked it is gone', async () => {
      assert.equal(await read(file('api')), 'in api');
      assert.match(await read(file('web')), /outside allowed directories/);
      const [pid, ...more] = processesOf(program);
      assert.ok(pid !== undefined && more.length === 0, `its processes: ${pid}, ${more}`);

      person().will('Revoke');
      await run('revokeAll');
      await eventually(() => assert.deepEqual(processesOf(program), []));
      await run('callTool');
      assert.match(person().seen.at(-1)?.text ?? '', /^No server is running\. Start one first\.$/);
    });

    function read(path: string): Promise<string> {
      return call('read_text_file', { path });
    }
  });

  describe('server-everything', () => {
    const program = join(packages, 'server-everything', 'dist', 'index.js');

    it('lists exactly the allowed folders when one is ticked, goes away, comes back, and is renamed or closed', async () => {
      await addFolders('docs');
      await setServers({ ticked: { command: node, args: [program, 'stdio'] } });
      person().will('ticked', 'Choose Folders…', ['api'], 'For This Session');
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
        const text = await call('get-roots-list');
        const listed = [...text.matchAll(/\d+\. (.*)\n {3}URI: (.*)/g)];
        assert.deepEqual(
          listed.map(([, name, uri]) => [name, uri]),
          folders.map(name => [name, uriOf(name).toString()]),
        );
      });
    }
  });

  /**
   * Calls a tool of the only running server, and reads the answer.
   *
   * @throws when there is none: a server whose working folder was taken away starts anew in another.
   */
  async function call(tool: string, args: object = {}): Promise<string> {
    person().will(tool);
    try {
      return (await answeredBy(() => run('callTool'), args)).text;
    } finally {
      person().forget();
    }
  }
});

/** The processes that run this program for the folders of this window. */
function processesOf(program: string): number[] {
  const lines = execFileSync('ps', ['-Ao', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter(line => line.includes(program) && line.includes(pathBeside('api')))
    .map(line => Number.parseInt(line, 10));
}
