import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accessTable,
  folderToChange,
  type ViewerFacts,
} from '../../../../src/domain/access/accessFacts.ts';
import type { AccessTable } from '../../../../src/domain/access/accessTable.ts';
import { accessTo } from '../../../../src/domain/consent/folderAccess.ts';
import type { Decision } from '../../../../src/domain/consent/grants.ts';
import { folderStatus } from '../../../../src/domain/consent/statusWords.ts';
import { diskFolder, type Folder } from '../../../../src/domain/folders/folders.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { allowing } from '../../../support/access.ts';

const folder = (path: string, name = path.split('/').at(-1) ?? '') =>
  diskFolder(path, name, 'directory', 'linux');
const [api, web, docs] = [folder('/proj/api'), folder('/proj/web'), folder('/proj/docs')];
const all: readonly Folder[] = [api, web, docs];

/** Folders by the decision on them; those that are not named are not allowed. */
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

/** The words of each cell; those that an answer changes begin with a box. */
function cellsOf(table: AccessTable): unknown {
  return table.rows.map(({ cells }) =>
    cells.map(({ words, isAnswerable, mode }) =>
      [
        ...(isAnswerable ? ['☐'] : []),
        ...words.map(inEnglish),
        ...(mode ? [`(${mode})`] : []),
      ].join(' '),
    ),
  );
}

describe('the table of who sees what', () => {
  it('says of each pair what holds, and all that is to be known of it', () => {
    const table = tableOf(
      viewer({ decisions: { api: 'allowed', web: 'allowed', docs: 'denied' }, told: [api] }),
      viewer({ id: 'git', name: 'Git', decisions: { api: 'undecided' } }),
    );
    assert.deepEqual(cellsOf(table), [
      ['☐ exposed', '☐ allowed', '☐ not allowed'],
      ['☐ not asked', '☐ not allowed', '☐ not allowed'],
    ]);
    assert.deepEqual(
      table.rows[0]?.cells.map(({ word, title }) => [word, title]),
      [
        ['exposed', 'all of api'],
        ['allowed', 'all of web'],
        ['denied', 'all of docs'],
      ],
    );
  });

  it('says what is read only, and lets it be changed where a sandbox sees to it', () => {
    const table = tableOf(
      viewer({
        decisions: { api: 'allowed', web: 'allowed' },
        told: [api],
        readOnly: [api],
        canReadOnly: true,
      }),
    );
    assert.deepEqual(cellsOf(table), [
      ['☐ exposed read only (read-only)', '☐ allowed (read-write)', '☐ not allowed (read-write)'],
    ]);
  });

  it('says what is still told after it was taken back, and that another folder took a place', () => {
    const table = tableOf(
      viewer({ decisions: { api: 'denied', web: 'replaced' }, told: [api], folders: [api, web] }),
    );
    assert.deepEqual(cellsOf(table), [['☐ not allowed still told', '☐ waiting replaced']]);
  });

  it('can be answered only where an answer changes something', () => {
    const gone = { ...web, disk: 'missing' } as const;
    const table = tableOf(viewer({ folders: [api, gone], decisions: { web: 'allowed' } }));
    assert.deepEqual(cellsOf(table), [['☐ not allowed', 'missing']]);
  });

  it('has the folders of all servers, in their order, and then the roots of folders that are gone', () => {
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
      ['☐ not allowed', '☐ not allowed', '–', '–'],
      ['☐ not allowed', '–', '☐ not allowed', 'removed still told'],
    ]);
    assert.equal(table.rows[1]?.cells[3]?.title, 'was told at 10');
  });

  it('has the clients of a server below it, with what each was told', () => {
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
      ['exposed', '–', '–'],
      ['–', 'exposed read only in part', '–'],
      ['–', '–', '–'],
    ]);
    assert.equal(table.rows[2]?.cells[1]?.title, 'told at 8');
  });

  it('attributes a root to the folder that holds it most closely', () => {
    const inner = folder('/proj/api/inner');
    const roots = [{ uri: `${inner.uri}/deep`, name: 'deep' }];
    const table = tableOf(
      viewer({
        folders: [api, inner],
        clients: [{ name: 'Codex', about: [], roots, title: '' }],
      }),
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
    assert.deepEqual(
      table.folders.map(({ name }) => name),
      ['app (one)', 'app (two)'],
    );
    assert.deepEqual(
      table.rows.map(({ name }) => name),
      ['Files', 'Files (2)'],
    );
  });

  it('shows of a hostile name what it is, in bounds, and never takes two for one', () => {
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

describe('a change that is asked for in the table', () => {
  const facts = (wanted: Wanted = {}) =>
    viewer({ decisions: { api: 'allowed' }, folders: [api, web], readOnly: [web], ...wanted });
  const change = (uri: string, isAllowed: boolean, isReadOnly?: boolean) =>
    ({
      kind: 'set',
      viewer: 'files',
      folder: uri,
      isAllowed,
      ...(isReadOnly !== undefined && { isReadOnly }),
    }) as const;

  it('is about a folder that is there and on which it says something new', () => {
    assert.equal(folderToChange(facts(), change(web.uri, true)), web);
    assert.equal(folderToChange(facts(), change(api.uri, false)), api);
    assert.equal(folderToChange(facts(), change(api.uri, true)), undefined);
    assert.equal(folderToChange(facts(), change(web.uri, false)), undefined);
    assert.equal(folderToChange(facts(), change('file:///etc', true)), undefined);
  });

  it('is not about one that no answer changes', () => {
    const gone = { ...web, disk: 'missing' } as const;
    const missing = facts({ folders: [gone], decisions: { web: 'allowed' }, canReadOnly: true });
    assert.equal(folderToChange(missing, change(web.uri, true)), undefined);
    assert.equal(folderToChange(missing, change(web.uri, true, true)), undefined);
  });

  it('makes a folder read only, or not any more, where a sandbox sees to that', () => {
    const kept = facts({ canReadOnly: true });
    assert.equal(folderToChange(kept, change(api.uri, true, true)), api);
    assert.equal(folderToChange(kept, change(api.uri, true, false)), undefined);
    assert.equal(folderToChange(kept, change(web.uri, true, false)), web);
    assert.equal(folderToChange(facts(), change(api.uri, true, true)), undefined);
    assert.equal(folderToChange(facts(), change(web.uri, true, true)), undefined);
  });
});
