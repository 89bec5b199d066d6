import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filtered } from '../../../../src/domain/access/accessFilter.ts';
import type { AccessTable } from '../../../../src/domain/access/accessTable.ts';
import { type FolderWord, statusWords } from '../../../../src/domain/consent/statusWords.ts';

const columns = ['api', 'payments', 'payments-ui'];
const table: AccessTable = {
  folders: columns.map(name => ({ id: name, name, place: `~/Work/${name}` })),
  rows: [
    row('server', 'Files', 'exposed', 'denied', 'allowed'),
    row('client', 'Claude Code', 'exposed', 'none', 'none'),
    row('server', 'Git', 'denied', 'exposed', 'denied'),
    row('server', 'Git Lab', 'denied', 'denied', 'denied'),
    row('server', 'Tests', 'allowed', 'none', 'none'),
  ],
};

function row(kind: AccessTable['rows'][number]['kind'], name: string, ...words: FolderWord[]) {
  const cells = words.map(word => ({ word, words: statusWords({ word }) }));
  return { id: name, kind, name, about: [], cells };
}

/** The table that a filter leaves, in words. */
function left(filter: string): readonly (readonly string[])[] {
  const { folders, rows } = filtered(table, filter);
  return [
    folders.map(({ name }) => name),
    ...rows.map(({ name, cells }) => [name, ...cells.map(({ word }) => word)]),
  ];
}

const names = (filter: string) => left(filter).map(([name]) => name);

describe('the filter of the table of who sees what', () => {
  it('leaves all when nothing is typed, and nothing when nothing has that name', () => {
    assert.deepEqual(filtered(table, ' '), table);
    assert.deepEqual(left('nowhere'), [[]]);
  });

  it('answers who sees a folder of exactly that name', () => {
    assert.deepEqual(left('Payments'), [
      ['payments'],
      ['Files', 'denied'],
      ['Claude Code', 'none'],
      ['Git', 'exposed'],
      ['Git Lab', 'denied'],
      ['Tests', 'none'],
    ]);
  });

  it('finds folders by a part of their name or place', () => {
    assert.deepEqual(left('pay')[0], ['payments', 'payments-ui']);
    assert.deepEqual(left('work/a')[0], ['api']);
  });

  it('leaves a server with its clients and all folders, found by the name of either', () => {
    const files = [
      columns,
      ['Files', 'exposed', 'denied', 'allowed'],
      ['Claude Code', 'exposed', 'none', 'none'],
    ];
    assert.deepEqual(left('files'), files);
    assert.deepEqual(left('claude'), files);
  });

  it('takes a name that is typed whole for that server alone', () => {
    assert.deepEqual(names('git'), ['api', 'Git']);
    assert.deepEqual(names('gi'), ['api', 'Git', 'Git Lab']);
  });

  it('leaves the servers and the folders that are called so, where there are both', () => {
    assert.deepEqual(left('s'), [
      ['payments', 'payments-ui'],
      ['Files', 'denied', 'allowed'],
      ['Claude Code', 'none', 'none'],
      ['Tests', 'none', 'none'],
    ]);
  });
});
