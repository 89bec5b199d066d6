import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accessTable,
  folderToChange,
  type SeerFacts,
} from '../../../../src/domain/access/accessFacts.ts';
import type { AccessTable } from '../../../../src/domain/access/accessTable.ts';
import { accessTo } from '../../../../src/domain/consent/folderAccess.ts';
import { folderStanding } from '../../../../src/domain/consent/folderStanding.ts';
import type { Decision } from '../../../../src/domain/consent/grants.ts';
import type { Exposure } from '../../../../src/domain/exposure.ts';
import { diskFolder, type Folder } from '../../../../src/domain/folders/folders.ts';
import { allowing } from '../../../support/access.ts';

const folder = (path: string, name = path.split('/').at(-1) ?? '') =>
  diskFolder(path, name, 'directory', 'linux');
const [api, web, docs] = [folder('/proj/api'), folder('/proj/web'), folder('/proj/docs')];
const all: readonly Folder[] = [api, web, docs];

/** Folders by the decision on them; those that are not named are not allowed. */
interface Wanted extends Partial<Omit<SeerFacts, 'access' | 'standingOf'>> {
  readonly folders?: readonly Folder[];
  readonly decisions?: Readonly<Record<string, Decision>>;
  readonly told?: readonly Folder[];
  readonly readOnly?: readonly Folder[];
}

function seer({
  folders = all,
  decisions = {},
  told,
  readOnly = [],
  ...facts
}: Wanted = {}): SeerFacts {
  const isLive = told !== undefined;
  return {
    id: 'files',
    kind: 'server',
    name: 'Files',
    state: 'running',
    keeping: [],
    isConfined: false,
    routes: [],
    access: accessTo(folders, {
      ...allowing(({ name }) => decisions[name] ?? 'denied'),
      isReadOnly: one => readOnly.includes(one),
    }),
    standingOf: access =>
      folderStanding(access, {
        isLive,
        isKnown: told?.some(({ uri }) => uri === access.folder.uri) ?? false,
        isReadOnlyNow: false,
      }),
    exposure: told && exposureOf(10, told),
    answers: new Map(),
    canReadOnly: false,
    formerRoots: [],
    clients: [],
    ...facts,
  };
}

function exposureOf(at: number, roots: readonly { readonly uri: string; readonly name: string }[]) {
  const trigger = { kind: 'roots/list' } as const;
  const known = roots.map(({ uri, name }) => ({ uri, name }));
  return { at, serverId: '', serverLabel: '', trigger, count: 1, roots: known } satisfies Exposure;
}

function tableOf(...seers: readonly SeerFacts[]): AccessTable {
  return accessTable(
    seers,
    at => `at ${at}`,
    path => path,
  );
}

function cellsOf(table: AccessTable): unknown {
  return table.rows.map(({ cells }) => cells);
}

describe('the table of who sees what', () => {
  it('says of each pair what holds, and since when', () => {
    const table = tableOf(
      seer({
        decisions: { api: 'allowed', web: 'allowed', docs: 'denied' },
        told: [api],
        answers: new Map([
          [api.uri, 1],
          [web.uri, 2],
          [docs.uri, 3],
        ]),
      }),
      seer({ id: 'git', name: 'Git', decisions: { api: 'undecided' } }),
    );
    assert.deepEqual(cellsOf(table), [
      [
        { word: 'exposed', time: 'at 10', isAnswerable: true },
        { word: 'allowed', time: 'at 2', isAnswerable: true },
        { word: 'denied', time: 'at 3', isAnswerable: true },
      ],
      [
        { word: 'not-asked', isAnswerable: true },
        { word: 'denied', isAnswerable: true },
        { word: 'denied', isAnswerable: true },
      ],
    ]);
  });

  it('says what is read only, and lets it be changed where a sandbox sees to it', () => {
    const table = tableOf(
      seer({
        decisions: { api: 'allowed', web: 'allowed' },
        told: [api],
        readOnly: [api],
        canReadOnly: true,
      }),
    );
    assert.deepEqual(cellsOf(table), [
      [
        {
          word: 'exposed',
          time: 'at 10',
          isReadOnly: true,
          isAnswerable: true,
          mode: 'read-only',
        },
        { word: 'allowed', isAnswerable: true, mode: 'read-write' },
        { word: 'denied', isAnswerable: true, mode: 'read-write' },
      ],
    ]);
  });

  it('says what is still told after it was taken back, and that another folder took a place', () => {
    const table = tableOf(
      seer({ decisions: { api: 'denied', web: 'replaced' }, told: [api], folders: [api, web] }),
    );
    assert.deepEqual(cellsOf(table), [
      [
        { word: 'denied', isStillKnown: true, isAnswerable: true },
        { word: 'waiting', isReplaced: true, isAnswerable: true },
      ],
    ]);
  });

  it('can be answered only where an answer changes something', () => {
    const gone = { ...web, disk: 'missing' } as const;
    const table = tableOf(seer({ folders: [api, gone], decisions: { web: 'allowed' } }));
    assert.deepEqual(cellsOf(table), [
      [{ word: 'denied', isAnswerable: true }, { word: 'missing' }],
    ]);
  });

  it('has the folders of all servers, in their order, and then the roots of folders that are gone', () => {
    const own = folder('/other/own');
    const table = tableOf(
      seer({ folders: [api, own] }),
      seer({
        id: 'git',
        name: 'Git',
        folders: [api, web],
        told: [],
        formerRoots: [{ uri: 'file:///gone', name: 'gone' }],
      }),
    );
    assert.deepEqual(
      table.folders.map(({ name, place }) => `${name}: ${place}`),
      ['api: /proj/api', 'own: /other/own', 'web: /proj/web', 'gone: file:///gone'],
    );
    assert.deepEqual(cellsOf(table), [
      [
        { word: 'denied', isAnswerable: true },
        { word: 'denied', isAnswerable: true },
        { word: 'none' },
        { word: 'none' },
      ],
      [
        { word: 'denied', isAnswerable: true },
        { word: 'none' },
        { word: 'denied', isAnswerable: true },
        { word: 'removed', time: 'at 10' },
      ],
    ]);
  });

  it('has the clients of a server below it, with what each was told', () => {
    const part = { uri: `${web.uri}/src`, name: 'web/src' };
    const table = tableOf(
      seer({
        decisions: { api: 'allowed', web: 'allowed' },
        readOnly: [web],
        clients: [
          { name: 'Claude Code', state: 'running', exposure: exposureOf(7, [api]) },
          { name: 'Claude Code', state: 'running', exposure: exposureOf(8, [part]) },
          { name: 'Codex', state: 'allowed', exposure: undefined },
        ],
      }),
      seer({ id: 'git', name: 'Git' }),
    );
    const clients = table.rows.filter(({ kind }) => kind === 'client');
    assert.deepEqual(
      table.rows.map(({ name }) => name),
      ['Files', 'Claude Code', 'Claude Code (2)', 'Codex', 'Git'],
    );
    assert.deepEqual(
      clients.map(({ cells }) => cells),
      [
        [{ word: 'exposed', time: 'at 7' }, { word: 'none' }, { word: 'none' }],
        [
          { word: 'none' },
          { word: 'exposed', time: 'at 8', isReadOnly: true, isPart: true },
          { word: 'none' },
        ],
        [{ word: 'none' }, { word: 'none' }, { word: 'none' }],
      ],
    );
  });

  it('attributes a root to the folder that holds it most closely', () => {
    const inner = folder('/proj/api/inner');
    const told = exposureOf(7, [{ uri: `${inner.uri}/deep`, name: 'deep' }]);
    const table = tableOf(
      seer({
        folders: [api, inner],
        clients: [{ name: 'Codex', state: 'running', exposure: told }],
      }),
    );
    assert.deepEqual(
      table.rows[1]?.cells.map(({ word }) => word),
      ['none', 'exposed'],
    );
  });

  it('tells apart folders, and servers, of the same name', () => {
    const table = tableOf(
      seer({ folders: [folder('/one/app'), folder('/two/app')] }),
      seer({ id: 'setting:Files', folders: [] }),
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
      seer({
        name: `\u202egnp.${long}`,
        state: 'running\u200b',
        keeping: ['a\nb'],
        routes: ['c\td'],
        folders: [folder(`/proj/${long}y`), folder(`/proj/${long}z`), folder('/w/\u202edcba')],
      }),
    );
    const texts = [
      ...table.folders.flatMap(({ name, place }) => [name, place]),
      ...table.rows.flatMap(({ name, state, keeping = [], routes = [] }) => [
        name,
        state,
        ...keeping,
        ...routes,
      ]),
    ];
    assert.equal(new Set(table.folders.map(({ name }) => name)).size, 3);
    assert.deepEqual(
      texts.filter(text => text.length > 160 || /[^ -~…]/.test(text)),
      [],
    );
    assert.equal(table.folders[2]?.name, '\\u202edcba');
    assert.equal(table.rows[0]?.state, 'running\\u200b');
  });
});

describe('a change that is asked for in the table', () => {
  const facts = (wanted: Wanted = {}) =>
    seer({ decisions: { api: 'allowed' }, folders: [api, web], readOnly: [web], ...wanted });
  const change = (uri: string, isAllowed: boolean, isReadOnly?: boolean) =>
    ({
      kind: 'set',
      seer: 'files',
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
