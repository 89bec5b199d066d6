import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Ruling } from '../../../src/domain/folders/folderRules.ts';
import type { Folder } from '../../../src/domain/folders/folders.ts';
import { offerFolders } from '../../../src/extension/consent/offerFolders.ts';
import type { CandidateFolders } from '../../../src/extension/folders/candidateFolders.ts';
import type { Row } from '../../../src/extension/rows.ts';
import { Screen } from '../../../src/extension/screen.ts';
import type { Server } from '../../../src/extension/servers/server.ts';
import { FolderDrop } from '../../../src/extension/views/serversView.ts';
import { accessOf, allowed, exclusion, folder, shownServer } from '../../support/shownServer.ts';
import { pathBeside, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';

const noLogger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

describe('a drop on the servers view', () => {
  const person = personForEachTest();
  const server = shownServer();
  const drop = async (row: Row | undefined, ...uris: readonly vscode.Uri[]) => {
    const offers: (readonly string[])[] = [];
    const offer = async (_: Server, paths: readonly string[]) => void offers.push(paths);
    const dropped = new vscode.DataTransfer();
    const list = ['# dragged', ...uris, ''].join('\r\n');
    dropped.set('text/uri-list', new vscode.DataTransferItem(list));
    await new FolderDrop(offer, noLogger).handleDrop(row, dropped);
    return offers;
  };

  it('offers folders to the server of the row they are dropped on', async () => {
    const below: Row = { kind: 'tools', server };
    assert.deepEqual(await drop(below, uriOf('api'), uriOf('web')), [
      [uriOf('api').fsPath, uriOf('web').fsPath],
    ]);
    assert.deepEqual(person().seen, []);
  });

  it('refuses the whole drop when one part is not a folder on disk', async () => {
    const row: Row = { kind: 'server', server };
    const file = pathBeside('dropped.txt');
    writeFileSync(file, '');
    assert.deepEqual(await drop(row, uriOf('api'), vscode.Uri.file(file)), []);
    assert.match(person().seen.at(-1)?.text ?? '', /dropped\.txt is not a folder/);
    assert.deepEqual(await drop(row, vscode.Uri.parse('vscode-vfs://github/a/b')), []);
    assert.match(person().seen.at(-1)?.text ?? '', /^vscode-vfs:.* is not on disk/);
    assert.deepEqual(await drop(undefined, uriOf('api')), []);
    assert.match(person().seen.at(-1)?.text ?? '', /^Drop a folder on a server/);
  });
});

describe('an offer of folders', () => {
  const person = personForEachTest();
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  const found = names.map(name => folder(name));

  /** Offers all folders, about which these rules are made, to a server that else may see them. */
  async function offered(exclusionOf: (nth: number) => Ruling['exclusion']) {
    const withdrawn: string[] = [];
    const folders = {
      offer: async () => found,
      withdraw: async (_: unknown, path: string) => void withdrawn.push(path),
      rules: { rulingOn: (one: Folder) => ({ exclusion: exclusionOf(found.indexOf(one)) }) },
    } as unknown as CandidateFolders;
    const accesses = found.map((one, nth) => {
      const excluded = exclusionOf(nth);
      return excluded ? exclusion(one, excluded) : allowed(one);
    });
    const server = shownServer({ access: accessOf(...accesses) });
    const consent = { askAboutAdded: () => Promise.reject(new Error('Nothing is to be asked.')) };
    const screen = new Screen(vscode);
    await offerFolders(server, [], folders, consent, screen, noLogger);
    // Its turn comes after all others.
    await screen.show(() => undefined);
    return { withdrawn, said: person().seen.map(({ text }) => text) };
  }

  it('says in one message that twelve folders are already allowed', async () => {
    const { withdrawn, said } = await offered(() => undefined);
    assert.deepEqual(withdrawn, []);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', / "files"\. .* "f0", "f1", "f2" and 9 more: allowed\.$/);
  });

  it('says in one message which folders the rules exclude, and withdraws them', async () => {
    const { withdrawn, said } = await offered(nth => {
      const others = nth < 11 ? 'excluded' : undefined;
      return nth < 6 ? 'forbidden' : others;
    });
    assert.equal(withdrawn.length, 11);
    assert.deepEqual(
      said.map(text => text.match(/"f\d+"|\d+ more|mcpRoots\.\w+|allowed/g)),
      [
        [
          ...['"f0"', '"f1"', '"f2"', '3 more', 'mcpRoots.neverExpose'],
          ...['"f6"', '"f7"', '"f8"', '2 more', 'mcpRoots.excludeFolders', '"f11"', 'allowed'],
        ],
      ],
    );
  });
});
