import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExclusionReason } from '../../../../src/domain/consent/statusWords.ts';
import type { Exposure } from '../../../../src/domain/exposure.ts';
import { folderLines } from '../../../../src/extension/folderText.ts';
import type { FolderRow, FoldersRow, FormerRootRow } from '../../../../src/extension/rows.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import {
  folderItem,
  foldersItem,
  formerRootItem,
} from '../../../../src/extension/views/folderItem.ts';
import { rowDetails } from '../../../../src/extension/views/rowDetails.ts';
import { TreeItemCheckboxState } from '../../../../src/extension/vscode.ts';
import {
  allowed,
  exclusion,
  exposure,
  folder,
  questionsWith,
  running,
  shownServer,
} from '../../../support/shownServer.ts';
import { said } from '../../../support/texts.ts';

const noClients = { of: () => [] };

describe('the row of a folder', () => {
  const item = (access: FolderRow['access'], facts: Partial<Server> = {}) =>
    folderItem(rowOf(access, facts));
  const lines = (access: FolderRow['access'], facts: Partial<Server> = {}) =>
    folderLines(access, shownServer(facts));

  it('tells menus why it is not a root, and has a checkbox if an answer changes that', () => {
    const shown = (access: FolderRow['access']) => {
      const { contextValue, checkboxState } = item(access);
      return [contextValue, checkboxState !== undefined];
    };
    const own = folder('api', { origin: 'picked' });
    const reasons = (...all: readonly ExclusionReason[]) =>
      all.map(reason => shown(exclusion(folder('api'), reason)));
    assert.deepEqual(
      [
        ...reasons('undecided', 'denied', 'not-offered', 'forbidden', 'excluded', 'missing'),
        ...reasons('not-a-directory', 'unreadable', 'not-file', 'restricted', 'duplicate'),
        ...[allowed(own), exclusion(own, 'denied')].map(shown),
      ],
      [
        ...['undecided', 'denied', 'not-offered'].map(reason => [`folder.${reason}`, true]),
        ...['forbidden', 'excluded', 'missing'].map(reason => [`folder.${reason}`, false]),
        ...['not-a-directory', 'unreadable', 'not-file', 'restricted', 'duplicate'].map(reason => [
          `folder.${reason}`,
          false,
        ]),
        ...['allowed', 'denied'].map(answer => [`folder.${answer}.picked`, true]),
      ],
    );
  });

  it('has a tooltip with origin and notes', () => {
    const holds = { kind: 'holds-forbidden', paths: ['/proj/home/.ssh'] } as const;
    const home = allowed(folder('home', { origin: 'extra' }), [holds, { kind: 'wide' }]);
    assert.deepEqual(lines(home).slice(2).map(said), [
      'folderText.originTexts.extra()',
      'folderText.folderDetails(/proj/home/.ssh)',
      'folderText.noteTexts.wide()',
    ]);
    const twin = exclusion(folder('b'), 'duplicate', [{ kind: 'same-as', name: 'api' }]);
    assert.deepEqual(lines(twin), ['/proj/b', 'listed twice', 'the same folder as api']);
  });

  it('says since when the running server knows the folder', () => {
    const access = allowed(folder('api'));
    const told = (trigger: Exposure['trigger']) => {
      const facts = { state: running, lastExposure: { ...exposure(), trigger } };
      return String(lines(access, facts)[1]);
    };
    assert.match(told({ kind: 'roots/list' }), /^exposed · the server asked at \S+/);
    assert.match(
      told({ kind: 'launch', as: ['args'] }),
      /^exposed · given when the server started at \S+/,
    );
    assert.match(
      told({ kind: 'launch', as: ['mount'] }),
      /^exposed · mounted in the sandbox since \S+/,
    );
    assert.equal(lines(access, { state: running })[1], 'allowed · the server has not asked yet');
  });

  it('has a word and remarks for its status, and a sentence for screen readers', () => {
    const access = { ...allowed(folder('api')), isReadOnly: true } as const;
    const known = { state: running, lastExposure: exposure() };
    const replaced = exclusion(folder('web'), 'undecided', [{ kind: 'replaced' }]);
    const texts = [
      item(access, known),
      item(exclusion(folder('api'), 'denied'), known),
      item(replaced, { state: running }),
    ].map(row => [row.description, row.accessibilityInformation?.label]);
    assert.deepEqual(texts, [
      ['exposed · read only', 'Folder api for files: exposed, read only.'],
      ['not allowed · still known', 'Folder api for files: not allowed, still known.'],
      ['waiting · replaced', 'Folder web for files: waiting, replaced.'],
    ]);
  });

  it('stays while the server knows a removed folder', () => {
    const server = shownServer({ state: running, lastExposure: exposure() });
    const root = { uri: 'file:///proj/api', name: 'a\u202epi' };
    const row: FormerRootRow = { kind: 'former-root', server, root };
    const { label, description } = formerRootItem(row);
    assert.deepEqual([label, description], ['a\\u202epi', 'removed · still known']);
    assert.match(
      String(rowDetails(row, noClients, questionsWith(), [])),
      /\nremoved from this window · was shared at \S+/,
    );
  });
});

describe('the row of folders with the same status', () => {
  const names = ['api', 'web', 'docs', 'more'];
  const row = (access: (name: string) => FolderRow['access']): FoldersRow => {
    const [first, ...rest] = names.map(name => rowOf(access(name), {}));
    assert.ok(first);
    return { kind: 'folders', server: first.server, folders: [first, ...rest], nth: 0 };
  };

  it('gives count and status, and has a checkbox if an answer changes the status', () => {
    const { Checked, Unchecked } = TreeItemCheckboxState;
    const shown = (access: (name: string) => FolderRow['access']) => {
      const { label, description, contextValue, checkboxState } = foldersItem(row(access));
      const box = typeof checkboxState === 'object' ? checkboxState.state : checkboxState;
      return [label, description, contextValue, box];
    };
    assert.deepEqual(
      [
        shown(name => allowed(folder(name))),
        shown(name => exclusion(folder(name), 'denied')),
        shown(name => exclusion(folder(name), 'missing')),
      ],
      [
        ['4 folders', 'allowed', 'folders.allowed', Checked],
        ['4 folders', 'not allowed', 'folders.denied', Unchecked],
        ['4 folders', 'missing', 'folders.missing', undefined],
      ],
    );
  });

  it('names its folders in its tooltip', () => {
    const details = rowDetails(
      row(name => allowed(folder(name))),
      noClients,
      questionsWith(),
      [],
    );
    assert.equal(details, names.map(name => `/proj/${name}`).join('\n'));
  });
});

function rowOf(access: FolderRow['access'], facts: Partial<Server>): FolderRow {
  return { kind: 'folder', server: shownServer(facts), access, name: access.folder.name };
}
