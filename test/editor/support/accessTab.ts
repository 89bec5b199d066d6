import assert from 'node:assert/strict';
import type { AccessTable } from '../../../src/domain/access/accessTable.ts';
import { inEnglish } from '../../../src/domain/sentence.ts';
import type { ToAccessPage } from '../../../src/pages/pageMessages.ts';
import { StandInTab } from './standInTab.ts';

/** Stands in for the access tab. */
export class AccessTab extends StandInTab<ToAccessPage> {
  /** The latest table that the page got. */
  get table(): AccessTable {
    const message = this.told.findLast(({ kind }) => kind === 'table');
    assert.ok(message?.kind === 'table', 'There is no table yet.');
    return message.table;
  }

  /** The latest words for a pair that the page got. */
  wordOf(server: string, folder: string): string {
    return this.cell(server, folder).words.map(inEnglish).join(', ');
  }

  /** The request of a click on a cell. */
  click(server: string, folder: string, isAllowed: boolean): void {
    const [viewer, id] = [this.row(server).id, this.folder(folder).id];
    this.say({ kind: 'set', viewer, folder: id, isAllowed });
  }

  private cell(server: string, folder: string) {
    const { cells } = this.row(server);
    return cells[this.table.folders.indexOf(this.folder(folder))] ?? assert.fail();
  }

  private row(server: string) {
    return this.table.rows.find(({ name }) => name === server) ?? assert.fail(`no "${server}"`);
  }

  private folder(folder: string) {
    return this.table.folders.find(({ name }) => name === folder) ?? assert.fail(`no "${folder}"`);
  }
}
