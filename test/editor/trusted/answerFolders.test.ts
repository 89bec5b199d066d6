import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExclusionReason } from '../../../src/domain/consent/statusWords.ts';
import { answerFolders } from '../../../src/extension/commands/folderCommands.ts';
import { Screen } from '../../../src/extension/screen.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import type { Row } from '../../../src/extension/views/rows.ts';
import { allowed, exclusion, folder, shownServer } from '../../support/shownServer.ts';
import { personForEachTest } from '../support/person.ts';
import { setServers } from '../support/recorder.ts';
import { folderRow, folderState, serverNamed } from '../support/shownRows.ts';

describe('an answer for several folders', () => {
  const person = personForEachTest();
  const row = (name: string, reason?: ExclusionReason): Row => {
    const access = reason ? exclusion(folder(name), reason) : allowed(folder(name));
    return { kind: 'folder', server: shownServer(), access, name };
  };
  const answering = () => {
    const answers: unknown[] = [];
    const set = async (_: Server, { name }: { name: string }, isAllowed: boolean) => {
      answers.push([name, isAllowed]);
    };
    return { answers, consent: { set, screen: new Screen(vscode) } };
  };

  it('is confirmed once, and kept for those that it changes', async () => {
    const { answers, consent } = answering();
    const rows = [
      row('api', 'undecided'),
      row('web', 'denied'),
      row('docs'),
      row('home', 'forbidden'),
      { kind: 'server', server: shownServer() } as const,
    ];
    await answerFolders(consent, rows, true);
    assert.deepEqual(answers, []);
    person().will('Allow');
    await answerFolders(consent, rows, true);
    assert.deepEqual(answers, [
      ['api', true],
      ['web', true],
    ]);
    assert.deepEqual(person().seen.at(-1), {
      text: 'Allow 2 folders, each to the server it is listed below?',
      detail: '• files: /proj/api\n• files: /proj/web',
    });
  });

  it('needs no confirmation for one', async () => {
    const { answers, consent } = answering();
    await answerFolders(consent, [row('api')], false);
    assert.deepEqual(answers, [['api', false]]);
    assert.deepEqual(person().seen, []);
  });

  it('that changes nothing says why', async () => {
    const { answers, consent } = answering();
    await assert.rejects(answerFolders(consent, [], true), /Select folders/);
    await assert.rejects(answerFolders(consent, [row('api')], true), /allowed already/);
    await assert.rejects(answerFolders(consent, [row('web', 'denied')], false), /not allowed/);
    await assert.rejects(answerFolders(consent, [row('x', 'excluded')], true), /No answer can/);
    assert.deepEqual(answers, []);
  });

  it('on a selection with a mistake in it is about the others', async () => {
    await setServers({ chosen: { command: 'node' } });
    const row = folderRow(await serverNamed('chosen'), 'api');
    const selected = [{ kind: 'mistake' }, row];
    await vscode.commands.executeCommand('mcpRoots.allowFolders', row, selected);
    assert.equal(folderState(row.server, 'api'), 'allowed');
  });

  it('on a row that somebody made up is refused', async () => {
    await setServers({ named: { command: 'node' } });
    const { server, access, ...row } = folderRow(await serverNamed('named'), 'api');
    const { definition, identity, fields } = server;
    const known = {
      ...row,
      access,
      server: { definition, identity, fields, access: server.access },
    };
    await vscode.commands.executeCommand('mcpRoots.allowFolders', known, [known]);
    await person().sees(/^This row is gone\. /);
    assert.equal(folderState(server, 'api'), 'not asked');
  });
});
