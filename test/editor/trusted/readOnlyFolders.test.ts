import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sandboxHere } from '../../support/sandbox/bubblewrap.ts';
import { personForEachTest } from '../support/person.ts';
import { QuickInputs } from '../support/quickInputs.ts';
import { node, Recorder, setServers } from '../support/recorder.ts';
import { answerRow, becomes, folderState, serverNamed } from '../support/shownRows.ts';

describe('a read-only folder', () => {
  const person = personForEachTest();
  let quick: QuickInputs;

  beforeEach(() => {
    quick = new QuickInputs();
  });

  afterEach(() => {
    quick.leave();
  });

  /** Reviews the access of a server, once the button of these folders was pressed. */
  const review = async (name: string, pressed: readonly string[], checked: readonly string[]) => {
    person().will(name, 'Until the Window Closes');
    const until = Promise.resolve();
    quick.will(...pressed.map(look => ({ look, until })), { check: checked });
    await vscode.commands.executeCommand('mcpRoots.reviewAccess');
    const server = await serverNamed(name);
    return ['api', 'web'].map(folder => folderState(server, folder));
  };

  it('is read-only for a confined server until the user changes that', async () => {
    await setServers({ kept: { command: node, sandbox: 'on' } });
    const both = ['api', 'web'];
    assert.deepEqual(await review('kept', ['api', 'web', 'web'], both), [
      'allowed · read only',
      'allowed',
    ]);
    // Below the folders it says whether they are worth a restart.
    const shown = () =>
      quick.asked.map(({ content, descriptions }) => [
        ...content.split('\n').slice(0, both.length),
        // Tests before this one may have refused a folder to other servers.
        ...descriptions
          .slice(0, both.length)
          .map(text => text.replace(' · you refused this folder before', '')),
      ]);
    assert.deepEqual(shown(), [
      ['api', 'web', 'read and write · not asked yet', 'read and write · not asked yet'],
      ['api', 'web', 'read only · not asked yet', 'read and write · not asked yet'],
      ['api', 'web', 'read only · not asked yet', 'read only · not asked yet'],
      ['api', 'web', 'read only · not asked yet', 'read and write · not asked yet'],
    ]);
    const server = await serverNamed('kept');
    await answerRow(server, 'api', false);
    assert.equal(folderState(server, 'api'), 'not allowed');
    await answerRow(server, 'api', true);
    assert.equal(folderState(server, 'api'), 'allowed · read only');
    assert.deepEqual(await review('kept', ['api'], both), ['allowed', 'allowed']);
    assert.deepEqual(shown().slice(-2), [
      ['*api', '*web', 'read only · allowed', 'read and write · allowed'],
      ['*api', '*web', 'read and write · allowed', 'read and write · allowed'],
    ]);
    // The question names only changes.
    const asked = () => person().seen.at(-1)?.text;
    assert.equal(asked(), 'Let "kept" see "api"');
    assert.deepEqual(await review('kept', ['web'], both), ['allowed', 'allowed · read only']);
    assert.equal(asked(), 'Let "kept" see "web", read only');
    assert.deepEqual(await review('kept', [], ['web']), ['not allowed', 'allowed · read only']);
    assert.equal(asked(), 'Don\'t let "kept" see "api"');
  });

  it('becomes writable as soon as the user says so', async function () {
    if ((await sandboxHere()).skip) {
      this.skip();
    }
    const own = new Recorder('running');
    await own.define({ sandbox: { write: [own.folder] } });
    await review(own.name, ['api'], ['api']);
    person().will(own.name, 'Start');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const server = await serverNamed(own.name);
    await becomes(server, ({ state }) => state.kind === 'running');
    assert.equal(folderState(server, 'api'), 'exposed · read only');
    await review(own.name, ['api'], ['api']);
    await own.until(({ launches }) => launches.length >= 2);
    await becomes(server, ({ state }) => state.kind === 'running');
    assert.equal(folderState(server, 'api'), 'exposed');
    await server.stop();
  });

  it('is listed as read-only in the question before a start', async () => {
    await setServers({ listed: { command: node, sandbox: 'on' } });
    await review('listed', ['web'], ['web']);
    person().will('listed');
    await vscode.commands.executeCommand('mcpRoots.startServer');
    const { detail } = await person().sees(/^Start "listed"\?/);
    assert.match(detail, /web \(allowed already, read only\)$/m);
  });

  it('is offered for confined servers only', async () => {
    await setServers({ free: { command: node } });
    assert.deepEqual(await review('free', [], ['api']), ['allowed', 'not allowed']);
    assert.deepEqual(quick.asked.at(-1)?.descriptions, ['not asked yet', 'not asked yet']);
  });
});
