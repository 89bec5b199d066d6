import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExclusionReason } from '../../../../src/domain/consent/statusWords.ts';
import type { Exposure } from '../../../../src/domain/exposure.ts';
import { folderLines } from '../../../../src/extension/folderText.ts';
import type { Server } from '../../../../src/extension/servers/server.ts';
import {
  folderItem,
  foldersItem,
  formerRootItem,
} from '../../../../src/extension/views/folderItem.ts';
import { rowDetails } from '../../../../src/extension/views/rowDetails.ts';
import type { FolderRow, FoldersRow, FormerRootRow } from '../../../../src/extension/views/rows.ts';
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

const noClients = { of: () => [] };

describe('the row of a folder', () => {
  const item = (access: FolderRow['access'], facts: Partial<Server> = {}) =>
    folderItem(rowOf(access, facts));
  const lines = (access: FolderRow['access'], facts: Partial<Server> = {}) =>
    folderLines(access, shownServer(facts));

  it('says in a word why it is no root, and has a checkbox only where an answer changes that', () => {
    const shown = (reason: ExclusionReason) => {
      const { contextValue, description, checkboxState } = item(exclusion(folder('api'), reason));
      return [contextValue, description, checkboxState !== undefined];
    };
    const rows = [
      ['undecided', 'not asked', true],
      ['denied', 'not allowed', true],
      ['not-offered', 'not offered', true],
      ['forbidden', 'never', false],
      ['excluded', 'left out', false],
      ['missing', 'missing', false],
      ['not-a-directory', 'a file', false],
      ['unreadable', 'unreadable', false],
      ['not-file', 'not on disk', false],
      ['restricted', 'restricted', false],
      ['duplicate', 'listed twice', false],
    ] as const;
    assert.deepEqual(
      rows.map(([reason]) => shown(reason)),
      rows.map(([reason, ...rest]) => [`folder.${reason}`, ...rest]),
    );
  });

  it('lets a menu tell one that was offered to its server alone', () => {
    const own = folder('api', { origin: 'picked' });
    assert.deepEqual(
      [item(allowed(own)), item(exclusion(own, 'denied'))].map(({ contextValue }) => contextValue),
      ['folder.allowed.picked', 'folder.denied.picked'],
    );
  });

  it('says in its tooltip where it comes from, and what is to be known of it', () => {
    const holds = { kind: 'holds-forbidden', paths: ['/proj/home/.ssh'] } as const;
    const home = allowed(folder('home', { origin: 'extra' }), [holds, { kind: 'wide' }]);
    assert.equal(item(home).description, 'allowed');
    assert.deepEqual(lines(home), [
      '/proj/home',
      'allowed',
      'extra folder',
      'It holds what must never be exposed: /proj/home/.ssh',
      'very wide',
    ]);
    const twin = exclusion(folder('b'), 'duplicate', [{ kind: 'same-as', name: 'api' }]);
    assert.deepEqual(lines(twin), ['/proj/b', 'listed twice', 'the same folder as api']);
  });

  it('says that the server that runs was told of it, and in its tooltip when', () => {
    const access = allowed(folder('api'));
    const told = (trigger: Exposure['trigger']) => {
      const facts = { state: running, lastExposure: { ...exposure(), trigger } };
      assert.equal(item(access, facts).description, 'exposed');
      return String(lines(access, facts)[1]);
    };
    assert.match(told({ kind: 'roots/list' }), /^exposed · asked \S+/);
    assert.match(told({ kind: 'launch', as: ['args'] }), /^exposed · told at its start \S+/);
    assert.match(told({ kind: 'launch', as: ['mount'] }), /^exposed · shown since \S+/);
    assert.equal(item(access, { state: running }).description, 'allowed');
    assert.equal(lines(access, { state: running })[1], 'allowed · not asked for yet');
    const denied = exclusion(folder('api'), 'denied');
    const known = { state: running, lastExposure: exposure() };
    assert.equal(item(denied, known).description, 'not allowed · still told');
    const replaced = exclusion(folder('web'), 'undecided', [{ kind: 'replaced' }]);
    assert.equal(item(replaced, { state: running }).description, 'waiting · replaced');
  });

  it('says of a root that it is read only, whatever else the server knows of it', () => {
    const access = { ...allowed(folder('api')), isReadOnly: true } as const;
    const shown = (facts: Partial<Server>) => {
      const { description, accessibilityInformation } = item(access, facts);
      const { label = '' } = accessibilityInformation ?? {};
      assert.ok(label.endsWith(`: ${String(description).replaceAll(' · ', ', ')}.`), label);
      return String(description);
    };
    assert.equal(shown({}), 'allowed · read only');
    assert.equal(shown({ state: running }), 'allowed · read only');
    assert.equal(shown({ state: running, lastExposure: exposure() }), 'exposed · read only');
    const denied = { ...exclusion(folder('api'), 'denied'), isReadOnly: true };
    assert.equal(item(denied).description, 'not allowed');
  });

  it('stays while the server knows what is no folder of the window any more', () => {
    const server = shownServer({ state: running, lastExposure: exposure() });
    const root = { uri: 'file:///proj/api', name: 'a\u202epi' };
    const row: FormerRootRow = { kind: 'former-root', server, root };
    const { label, description } = formerRootItem(row);
    assert.deepEqual([label, description], ['a\\u202epi', 'removed · still told']);
    assert.match(
      String(rowDetails(row, noClients, questionsWith(), [])),
      /\nremoved from this window · was told at \S+/,
    );
  });
});

describe('the row of folders that stand alike', () => {
  const names = ['api', 'web', 'docs', 'more'];
  const row = (access: (name: string) => FolderRow['access']): FoldersRow => {
    const [first, ...rest] = names.map(name => rowOf(access(name), {}));
    assert.ok(first);
    return { kind: 'folders', server: first.server, folders: [first, ...rest], nth: 0 };
  };

  it('counts them, says how they stand, and has a checkbox where an answer changes that', () => {
    const { Checked, Unchecked } = TreeItemCheckboxState;
    const shown = (access: (name: string) => FolderRow['access']) => {
      const { label, description, contextValue, checkboxState } = foldersItem(row(access));
      const box = typeof checkboxState === 'object' ? checkboxState.state : checkboxState;
      return [label, description, contextValue, box];
    };
    assert.deepEqual(
      shown(name => allowed(folder(name))),
      ['4 folders', 'allowed', 'folders.allowed', Checked],
    );
    assert.deepEqual(
      shown(name => exclusion(folder(name), 'denied')),
      ['4 folders', 'not allowed', 'folders.denied', Unchecked],
    );
    assert.deepEqual(
      shown(name => exclusion(folder(name), 'missing')),
      ['4 folders', 'missing', 'folders.missing', undefined],
    );
  });

  it('names them in its tooltip', () => {
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
