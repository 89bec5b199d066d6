import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Root, RootsGrant } from '../../../media/api/mcp-roots.d.ts';
import { identityOf } from '../../../src/domain/servers/serverIdentity.ts';
import { askingExtension, askingId, namesOf } from '../support/askingExtension.ts';
import { addFolders, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { accessOf, exclusion, folder } from '../support/shownServer.ts';

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

  it('is given what the user allows, until it disposes of the grant', async () => {
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

    const narrow = await request({ folders: [uriOf('api')] });
    assert.deepEqual(namesOf(narrow.roots), ['api']);

    grant.dispose();
    narrow.dispose();
    assert.deepEqual([grant.roots, narrow.roots], [[], []]);
    const seen = person().seen.length;
    assert.deepEqual(namesOf((await request()).roots), ['api']);
    assert.equal(person().seen.length, seen, 'What was refused is not asked again.');
  });

  it('is asked about folders that are added, in a message that is in nobody’s way', async () => {
    const grant = await request();
    const added = nextRoots(grant);
    person().will('Allow', 'For This Session');
    await addFolders('docs');
    assert.deepEqual(namesOf(await added), ['api', 'docs']);
    const { text } = await person().sees(/^Allow the extension ".*" to see the added "docs" \(/);
    assert.ok(text.includes(`It says that it is ${askingId}`) && text.includes(purpose), text);
  });

  it('has no root after a question that was dismissed, which is not put again', async () => {
    const extension = 'vscode.git';
    const grant = await request({ extension, folders: [uriOf('web')] });
    assert.match(person().seen[0]?.text ?? '', /to see "web"\?$/);
    await request({ extension, folders: [uriOf('web')] });
    assert.equal(person().seen.length, 1, 'A dismissed question is not put again.');
    assert.deepEqual(grant.roots, []);
  });

  it('gets nothing by a row that somebody made up', async () => {
    const extension = 'vscode.git';
    const grant = await request({ extension, folders: [uriOf('web')] });
    await forged('mcpRoots.allowFolders', extension, 'web');
    await person().sees(/^What this was called on is not there any more\. /);
    assert.deepEqual(grant.roots, []);
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

/** Calls the command on the row of a folder below an extension, made up from what anybody knows of it. */
async function forged(command: string, id: string, name: string): Promise<void> {
  const one = folder(name, { uri: uriOf(name).toString() });
  const fields = { extension: id };
  const definition = { id: `extension:${id}`, label: id };
  const access = exclusion(one, 'undecided');
  const server = { definition, fields, identity: identityOf(fields), access: accessOf(access) };
  const row = { kind: 'folder', server, access, name };
  await vscode.commands.executeCommand(command, row, [row]);
}

function nextRoots({ onDidChangeRoots }: RootsGrant): Promise<readonly Root[]> {
  return new Promise(resolve => {
    const listener = onDidChangeRoots(roots => {
      listener.dispose();
      resolve(roots);
    });
  });
}
