import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Asked } from '../../../src/extension/servers/asked.ts';
import { FolderDrop } from '../../../src/extension/views/folderDrop.ts';
import type { Row } from '../../../src/extension/views/rows.ts';
import { pathBeside, uriOf } from '../support/folders.ts';
import { personForEachTest } from '../support/person.ts';
import { shownServer } from '../support/shownServer.ts';

describe('a drop on the servers view', () => {
  const person = personForEachTest();
  const server = shownServer();
  const drop = async (row: Row | undefined, ...uris: readonly vscode.Uri[]) => {
    const offers: (readonly string[])[] = [];
    const offer = async (_: Asked, paths: readonly string[]) => void offers.push(paths);
    const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
    const dropped = new vscode.DataTransfer();
    const list = ['# dragged', ...uris, ''].join('\r\n');
    dropped.set('text/uri-list', new vscode.DataTransferItem(list));
    await new FolderDrop(offer, logger).handleDrop(row, dropped);
    return offers;
  };

  it('offers folders to the server whose row, or row below it, they are dropped on', async () => {
    const below: Row = { kind: 'tools', server };
    assert.deepEqual(await drop(below, uriOf('api'), uriOf('web')), [
      [uriOf('api').fsPath, uriOf('web').fsPath],
    ]);
    assert.deepEqual(person().seen, []);
  });

  it('refuses all of it when something is no folder on disk, and says so', async () => {
    const row: Row = { kind: 'server', server };
    const file = pathBeside('dropped.txt');
    writeFileSync(file, '');
    assert.deepEqual(await drop(row, uriOf('api'), vscode.Uri.file(file)), []);
    assert.match(person().seen.at(-1)?.text ?? '', /^Only a folder .*dropped\.txt is none/);
    assert.deepEqual(await drop(row, vscode.Uri.parse('vscode-vfs://github/a/b')), []);
    assert.match(person().seen.at(-1)?.text ?? '', /^vscode-vfs:.* is not on disk/);
    assert.deepEqual(await drop(undefined, uriOf('api')), []);
    assert.match(person().seen.at(-1)?.text ?? '', /^Drop a folder on the server/);
  });
});
