import assert from 'node:assert/strict';
import type { AccessTable } from '../../../src/domain/access/accessTable.ts';
import { inEnglish } from '../../../src/domain/sentence.ts';
import type { ToAccessPage } from '../../../src/pages/pageMessages.ts';
import { StandInTab } from './standInTab.ts';

/** Stands in for the tab with who sees what. */
export class AccessTab extends StandInTab<ToAccessPage> {
  /** The table as it was last told. */
  get table(): AccessTable {
    const message = this.told.findLast(({ kind }) => kind === 'table');
    assert.ok(message?.kind === 'table', 'There is no table yet.');
    return message.table;
  }

  /** The word for a pair, and what else is said of it, as it was last told. */
  wordOf(server: string, folder: string): string {
    const { words, mode } = this.cell(server, folder);
    return [...words.map(inEnglish), ...(mode ? [mode] : [])].join(', ');
  }

  /** What a click on a cell asks for. */
  click(server: string, folder: string, isAllowed: boolean, isReadOnly?: boolean): void {
    this.say({
      kind: 'set',
      viewer: this.row(server).id,
      folder: this.folder(folder).id,
      isAllowed,
      ...(isReadOnly !== undefined && { isReadOnly }),
    });
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
