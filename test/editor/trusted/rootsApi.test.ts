import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Root, RootsGrant } from '../../../media/api/mcp-roots.d.ts';
import { identityOf } from '../../../src/domain/servers/serverIdentity.ts';
import type { Requester } from '../../../src/extension/api/requesters.ts';
import type { FolderRow } from '../../../src/extension/views/rows.ts';
import { askingExtension, askingId, namesOf } from '../support/askingExtension.ts';
import { addFolders, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { accessOf, allowed, exclusion, folder } from '../support/shownServer.ts';

const purpose = 'To index the manuals.';

describe('an extension that asks for roots', () => {
  const person = personForEachTest();
  const grants: RootsGrant[] = [];
  const request = async (more: { extension?: string; folders?: readonly vscode.Uri[] } = {}) => {
    const grant = await (await askingExtension()).requestRoots({ purpose, ...more });
    grants.push(grant);
    return grant;
  };
  afterEach(() => {
    for (const grant of grants.splice(0)) {
      grant.dispose();
    }
  });

  it('is given what the user allows, and hears of each change until it disposes of the grant', async () => {
    person().will('Choose Folders…', ['api'], 'For This Session');
    const grant = await request();
    const [question] = person().seen;
    assert.equal(question?.text, 'Allow the extension "Asking Extension" to see "api", "web"?');
    assert.deepEqual(question.detail.split('\n').slice(0, 3), [
      `It says that it is ${askingId}: that is claimed and not checked.`,
      `It says what it needs them for: ${purpose}`,
      'It runs with your rights and could read other files: roots are guidance.',
    ]);
    assert.deepEqual(
      grant.roots.map(({ uri, name }) => [uri.toString(), name]),
      [[uriOf('api').toString(), 'api']],
    );

    const allowed = nextRoots(grant);
    await answer(askingId, 'web', true);
    assert.deepEqual(namesOf(await allowed), ['api', 'web']);
    const narrow = await request({ folders: [uriOf('web')] });
    const revoked = nextRoots(grant);
    await answer(askingId, 'api', false);
    assert.deepEqual(namesOf(await revoked), ['web']);
    assert.deepEqual(namesOf(narrow.roots), ['web']);

    grant.dispose();
    narrow.dispose();
    assert.deepEqual([grant.roots, narrow.roots], [[], []]);
    const seen = person().seen.length;
    assert.deepEqual(namesOf((await request()).roots), ['web']);
    assert.equal(person().seen.length, seen, 'What was refused is not asked again.');
  });

  it('is asked about folders that are added, in a message that is in nobody’s way', async () => {
    const grant = await request();
    const added = nextRoots(grant);
    person().will('Allow', 'For This Session');
    await addFolders('docs');
    assert.deepEqual(namesOf(await added), ['web', 'docs']);
    const { text } = await person().sees(/^Allow the extension ".*" to see the added "docs" \(/);
    assert.ok(text.includes(`It says that it is ${askingId}`) && text.includes(purpose), text);
  });

  it('has no root after a question that was dismissed, until the user answers elsewhere', async () => {
    const extension = 'vscode.git';
    const grant = await request({ extension, folders: [uriOf('web')] });
    assert.match(person().seen[0]?.text ?? '', /to see "web"\?$/);
    await request({ extension, folders: [uriOf('web')] });
    assert.equal(person().seen.length, 1, 'A dismissed question is not put again.');
    assert.deepEqual(grant.roots, []);
    const answered = nextRoots(grant);
    await answer(extension, 'web', true);
    assert.deepEqual(namesOf(await answered), ['web']);

    const revoked = nextRoots(grant);
    person().will('Revoke');
    await vscode.commands.executeCommand('mcpRoots.revokeAll', folderRow(extension, 'web'));
    assert.deepEqual(await revoked, []);
    assert.equal(person().seen.at(-1)?.text, 'Revoke every folder from "vscode.git"?');
  });

  it('is told what is wrong with its request', async () => {
    const { getApi, requestRoots } = await askingExtension();
    assert.throws(() => getApi(2 as 1), /has API version 1, not 2/);
    await assert.rejects(request({ extension: 'no.such' }), /no extension "no\.such" here/);
    await assert.rejects(requestRoots({ purpose: ' ' }), /needs a purpose/);
    const elsewhere = [vscode.Uri.file('/elsewhere')];
    await assert.rejects(request({ folders: elsewhere }), /elsewhere is no folder on disk of this/);
    assert.deepEqual(person().seen, []);
  });
});

/** Ticks the box of a folder below an extension, or takes the tick away. */
async function answer(id: string, name: string, isAllowed: boolean): Promise<void> {
  const command = isAllowed ? 'mcpRoots.allowFolders' : 'mcpRoots.revokeFolders';
  const row = folderRow(id, name, isAllowed);
  await vscode.commands.executeCommand(command, row, [row]);
}

/** The row of a folder below an extension, as the tree passes it to a command. */
function folderRow(id: string, name: string, isAllowed = false): FolderRow {
  const one = folder(name, { uri: uriOf(name).toString() });
  const access = isAllowed ? exclusion(one, 'undecided') : allowed(one);
  const fields = { extension: id };
  const definition = { id: `extension:${id}`, label: id };
  const server = { definition, fields, identity: identityOf(fields), access: accessOf(access) };
  return { kind: 'folder', server: server as unknown as Requester, access, name };
}

function nextRoots({ onDidChangeRoots }: RootsGrant): Promise<readonly Root[]> {
  return new Promise(resolve => {
    const listener = onDidChangeRoots(roots => {
      listener.dispose();
      resolve(roots);
    });
  });
}
