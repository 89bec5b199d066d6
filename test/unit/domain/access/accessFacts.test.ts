import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accessTable,
  folderToChange,
  type ViewerFacts,
} from '../../../../src/domain/access/accessFacts.ts';
import type { AccessChange, AccessTable } from '../../../../src/domain/access/accessTable.ts';
import { accessTo } from '../../../../src/domain/consent/folderAccess.ts';
import type { Decision } from '../../../../src/domain/consent/grants.ts';
import { folderRemarks, folderStatus } from '../../../../src/domain/consent/statusWords.ts';
import { diskFolder, type Folder } from '../../../../src/domain/folders/folders.ts';
import type { Sentence } from '../../../../src/domain/sentence.ts';
import { allowing } from '../../../support/access.ts';
import { foundAsExpected } from '../../../support/cases.ts';

const folder = (path: string, name = path.split('/').at(-1) ?? '') =>
  diskFolder(path, name, 'directory', 'linux');
const [api, web, docs] = [folder('/proj/api'), folder('/proj/web'), folder('/proj/docs')];
const all: readonly Folder[] = [api, web, docs];

/** Folders by the decision on them; all others are not allowed. */
interface Wanted extends Partial<Omit<ViewerFacts, 'access' | 'statusOf' | 'titleOf'>> {
  readonly folders?: readonly Folder[];
  readonly decisions?: Readonly<Record<string, Decision>>;
  readonly told?: readonly Folder[];
  readonly readOnly?: readonly Folder[];
}

function viewer({
  folders = all,
  decisions = {},
  told,
  readOnly = [],
  ...facts
}: Wanted = {}): ViewerFacts {
  const isLive = told !== undefined;
  return {
    id: 'files',
    name: 'Files',
    about: ['running'],
    access: accessTo(folders, {
      ...allowing(({ name }) => decisions[name] ?? 'denied'),
      isReadOnly: one => readOnly.includes(one),
    }),
    statusOf: access =>
      folderStatus(access, {
        isLive,
        isKnown: told?.some(({ uri }) => uri === access.folder.uri) ?? false,
      }),
    titleOf: ({ folder }) => `all of ${folder.name}`,
    canReadOnly: false,
    formerRoots: [],
    clients: [],
    ...facts,
  };
}

function tableOf(...viewers: readonly ViewerFacts[]): AccessTable {
  return accessTable(viewers, path => path);
}

/** The word and remarks of each cell by name; cells that an answer changes begin with a box. */
function cellsOf(table: AccessTable): unknown {
  const nameOf = ({ template }: Sentence) =>
    Object.entries(folderRemarks).find(([, text]) => text === template)?.[0];
  return table.rows.map(({ cells }) =>
    cells.map(({ word, words: [, ...remarks], isAnswerable, mode }) =>
      [
        ...(isAnswerable ? ['☐'] : []),
        ...[word, ...remarks.map(nameOf)],
        ...(mode ? [`(${mode})`] : []),
      ].join(' '),
    ),
  );
}

describe('the access table', () => {
  it('gives the status of each pair with its details', () => {
    const table = tableOf(
      viewer({ decisions: { api: 'allowed', web: 'allowed', docs: 'denied' }, told: [api] }),
      viewer({ id: 'git', name: 'Git', decisions: { api: 'undecided' } }),
    );
    assert.deepEqual(cellsOf(table), [
      ['☐ exposed', '☐ allowed', '☐ denied'],
      ['☐ not-asked', '☐ denied', '☐ denied'],
    ]);
    assert.deepEqual(
      table.rows[0]?.cells.map(({ title }) => title),
      ['all of api', 'all of web', 'all of docs'],
    );
  });

  it('says what is read-only, and lets the user change that where a sandbox enforces it', () => {
    const decisions = { api: 'allowed', web: 'allowed' } as const;
    const facts = { decisions, told: [api], readOnly: [api], canReadOnly: true };
    assert.deepEqual(cellsOf(tableOf(viewer(facts))), [
      ['☐ exposed isReadOnly (read-only)', '☐ allowed (read-write)', '☐ denied (read-write)'],
    ]);
  });

  it('lists the folders of all servers in order, then the roots of removed folders', () => {
    const own = folder('/other/own');
    const table = tableOf(
      viewer({ folders: [api, own] }),
      viewer({
        id: 'git',
        name: 'Git',
        folders: [api, web],
        told: [],
        formerRoots: [{ uri: 'file:///gone', name: 'gone', title: 'was told at 10' }],
      }),
    );
    assert.deepEqual(
      table.folders.map(({ name, place }) => `${name}: ${place}`),
      ['api: /proj/api', 'own: /other/own', 'web: /proj/web', 'gone: file:///gone'],
    );
    assert.deepEqual(cellsOf(table), [
      ['☐ denied', '☐ denied', 'none', 'none'],
      ['☐ denied', 'none', '☐ denied', 'removed isStillKnown'],
    ]);
    assert.equal(table.rows[1]?.cells[3]?.title, 'was told at 10');
  });

  it('lists the clients of a server below it, with the roots that each got', () => {
    const part = { uri: `${web.uri}/src`, name: 'web/src' };
    const table = tableOf(
      viewer({
        decisions: { api: 'allowed', web: 'allowed' },
        readOnly: [web],
        clients: [
          { name: 'Claude Code', about: ['client'], roots: [api], title: 'told at 7' },
          { name: 'Claude Code', about: ['client'], roots: [part], title: 'told at 8' },
          { name: 'Codex', about: ['client'], roots: [], title: '' },
        ],
      }),
      viewer({ id: 'git', name: 'Git' }),
    );
    assert.deepEqual(
      table.rows.map(({ name }) => name),
      ['Files', 'Claude Code', 'Claude Code (2)', 'Codex', 'Git'],
    );
    assert.deepEqual(cellsOf({ ...table, rows: table.rows.slice(1, 4) }), [
      ['exposed', 'none', 'none'],
      ['none', 'exposed isReadOnly isPart', 'none'],
      ['none', 'none', 'none'],
    ]);
    assert.equal(table.rows[2]?.cells[1]?.title, 'told at 8');
  });

  it('attributes a root to the nearest folder that contains it', () => {
    const inner = folder('/proj/api/inner');
    const roots = [{ uri: `${inner.uri}/deep`, name: 'deep' }];
    const table = tableOf(
      viewer({ folders: [api, inner], clients: [{ name: 'Codex', about: [], roots, title: '' }] }),
    );
    assert.deepEqual(
      table.rows[1]?.cells.map(({ word }) => word),
      ['none', 'exposed'],
    );
  });

  it('tells apart folders, and servers, of the same name', () => {
    const table = tableOf(
      viewer({ folders: [folder('/one/app'), folder('/two/app')] }),
      viewer({ id: 'setting:Files', folders: [] }),
    );
    const names = [...table.folders, ...table.rows].map(({ name }) => name);
    assert.deepEqual(names, ['app (one)', 'app (two)', 'Files', 'Files (2)']);
  });

  it('shows hostile names safely and within limits, and keeps different names apart', () => {
    const long = 'x'.repeat(10_000);
    const table = tableOf(
      viewer({
        name: `\u202egnp.${long}`,
        about: ['running\u200b', 'a\nb', 'c\td'],
        folders: [folder(`/proj/${long}y`), folder(`/proj/${long}z`), folder('/w/\u202edcba')],
      }),
    );
    const texts = [
      ...table.folders.flatMap(({ name, place }) => [name, place]),
      ...table.rows.flatMap(({ name, about }) => [name, ...about]),
    ];
    assert.equal(new Set(table.folders.map(({ name }) => name)).size, 3);
    assert.deepEqual(
      texts.filter(text => text.length > 160 || /[^ -~…]/.test(text)),
      [],
    );
    assert.equal(table.folders[2]?.name, '\\u202edcba');
    assert.equal(table.rows[0]?.about[0], 'running\\u200b');
  });
});

it('accepts a change only for a known folder and with a new answer', () => {
  const facts = (wanted: Wanted = {}) =>
    viewer({ decisions: { api: 'allowed' }, folders: [api, web], readOnly: [web], ...wanted });
  const change = (folder: string, isAllowed: boolean, isReadOnly?: boolean): AccessChange => {
    const mode = isReadOnly === undefined ? {} : { isReadOnly };
    return { kind: 'set', viewer: 'files', folder, isAllowed, ...mode };
  };
  const gone = { ...web, disk: 'missing' } as const;
  const missing = facts({ folders: [gone], decisions: { web: 'allowed' }, canReadOnly: true });
  const kept = facts({ canReadOnly: true });
  foundAsExpected({
    'allowed now': [folderToChange(facts(), change(web.uri, true)), web],
    'refused now': [folderToChange(facts(), change(api.uri, false)), api],
    'allowed already': [folderToChange(facts(), change(api.uri, true)), undefined],
    'refused already': [folderToChange(facts(), change(web.uri, false)), undefined],
    'of nobody': [folderToChange(facts(), change('file:///etc', true)), undefined],
    'not there': [folderToChange(missing, change(web.uri, true)), undefined],
    'not there, read only': [folderToChange(missing, change(web.uri, true, true)), undefined],
    // A folder becomes read only, or not any more, where a sandbox sees to that.
    'read only now': [folderToChange(kept, change(api.uri, true, true)), api],
    'writable already': [folderToChange(kept, change(api.uri, true, false)), undefined],
    'writable now': [folderToChange(kept, change(web.uri, true, false)), web],
    'without a sandbox': [folderToChange(facts(), change(api.uri, true, true)), undefined],
    'the same, refused': [folderToChange(facts(), change(web.uri, true, true)), undefined],
  });
});
