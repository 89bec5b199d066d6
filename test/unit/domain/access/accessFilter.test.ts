import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AccessFilter,
  filtered,
  wholeTable,
} from '../../../../src/domain/access/accessFilter.ts';
import type { AccessTable, AccessWord } from '../../../../src/domain/access/accessTable.ts';

const columns = ['api', 'payments', 'payments-ui'];
const table: AccessTable = {
  folders: columns.map(name => ({ id: name, name, place: `~/Work/${name}` })),
  rows: [
    row('server', 'Files', 'exposed', 'denied', 'allowed'),
    row('client', 'Claude Code', 'exposed', 'none', 'none'),
    row('server', 'Git', 'denied', 'exposed', 'denied'),
    row('server', 'Git Lab', 'denied', 'denied', 'denied'),
    row('extension', 'Tests', 'allowed', 'none', 'none'),
  ],
};

function row(kind: AccessTable['rows'][number]['kind'], name: string, ...words: AccessWord[]) {
  const cells = words.map(word => ({ word }));
  return { id: name, kind, name, state: '', cells };
}

/** The table that a filter leaves, in words. */
function left(filter: Partial<AccessFilter>): readonly (readonly string[])[] {
  const { folders, rows } = filtered(table, { ...wholeTable, ...filter });
  return [
    folders.map(({ name }) => name),
    ...rows.map(({ name, cells }) => [name, ...cells.map(({ word }) => word)]),
  ];
}

describe('the filter of the table of who sees what', () => {
  it('leaves all when nothing is typed', () => {
    assert.deepEqual(filtered(table, { server: ' ', folder: '' }), table);
  });

  it('answers who sees a folder of exactly that name', () => {
    assert.deepEqual(left({ folder: 'Payments' }), [
      ['payments'],
      ['Files', 'denied'],
      ['Claude Code', 'none'],
      ['Git', 'exposed'],
      ['Git Lab', 'denied'],
      ['Tests', 'none'],
    ]);
  });

  it('finds folders by a part of their name or place', () => {
    assert.deepEqual(left({ folder: 'pay' })[0], ['payments', 'payments-ui']);
    assert.deepEqual(left({ folder: 'work/a' })[0], ['api']);
    assert.deepEqual(left({ folder: 'nowhere' })[0], []);
  });

  it('leaves a server with its clients, found by the name of either', () => {
    const files = [
      ['Files', 'exposed'],
      ['Claude Code', 'exposed'],
    ];
    assert.deepEqual(left({ server: 'files', folder: 'api' }), [['api'], ...files]);
    assert.deepEqual(left({ server: 'claude', folder: 'api' }), [['api'], ...files]);
  });

  it('takes a name that is typed whole for that server alone', () => {
    assert.deepEqual(left({ server: 'git', folder: 'api' }), [['api'], ['Git', 'denied']]);
    assert.deepEqual(left({ server: 'gi', folder: 'api' }), [
      ['api'],
      ['Git', 'denied'],
      ['Git Lab', 'denied'],
    ]);
  });
});
