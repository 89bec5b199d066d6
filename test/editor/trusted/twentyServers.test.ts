import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { addFolders, closeAddedFolders } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { define, Member, type Recorder } from '../support/recorder.ts';
import { answerRow, serverNamed } from '../support/shownRows.ts';

const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
const folders = ['api', 'web', 'docs'];

describe('twenty servers in one window', () => {
  const person = personForEachTest();

  it('are each told of their folders and of every change, and leave no process', async () => {
    await addFolders('docs');
    const recorders = names.map(name => new Member(name));
    await define(recorders);
    const rows = [];
    for (const name of names) {
      rows.push(await allowed(name));
    }
    person().will(...names.map(() => 'Start'));
    await Promise.all(rows.map(row => vscode.commands.executeCommand('mcpRoots.startServer', row)));
    await told(recorders, 1);

    // One question for all of them.
    person().will('Choose…', names, 'For This Session');
    await addFolders('more');
    await told(recorders, 2);
    const asked = person().seen.filter(({ text }) => /^Who may see the added "more"/.test(text));
    assert.equal(asked.length, 1);
    await closeAddedFolders();
    await told(recorders, 3);
    for (const { server } of rows) {
      await answerRow(server, 'web', false);
    }
    await told(recorders, 4);

    await define([]);
    await Promise.all(recorders.map(recorder => recorder.ended()));
    for (const { name, answers, notices, pids } of recorders) {
      const lists = [folders, [...folders, 'more'], ['api', 'web'], ['api']];
      const all = { answers: lists, notices: 3, processes: 1 };
      assert.deepEqual({ answers, notices, processes: pids.length }, all, name);
    }
  });
});

/** The row of a server that may see all folders. */
async function allowed(name: string) {
  const server = await serverNamed(name);
  for (const folder of folders) {
    await answerRow(server, folder, true);
  }
  return { kind: 'server', server } as const;
}

/** Settles when each was told of its folders that many times. */
async function told(recorders: readonly Recorder[], times: number): Promise<void> {
  await Promise.all(
    recorders.map(recorder => recorder.until(({ answers }) => answers.length >= times)),
  );
}
