import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type AccessTable,
  accessText,
  filtered,
  readAccessRequest,
} from '../../../../src/domain/access/accessTable.ts';
import { type FolderWord, statusWords } from '../../../../src/domain/consent/statusWords.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

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

describe('what the page with the table asks for', () => {
  const set = { kind: 'set', viewer: 'files', folder: 'file:///a', isAllowed: true };

  it('is read when it is a request, and nothing else with it', () => {
    const copy = { kind: 'copy', text: 'a\tb\n' };
    assert.deepEqual(
      [
        { ...set, more: 1 },
        { ...set, isReadOnly: false },
        { ...copy, command: 'x' },
      ].map(readAccessRequest),
      [set, { ...set, isReadOnly: false }, copy],
    );
  });

  it('is none when it is anything else', () => {
    const others = [
      undefined,
      null,
      'set',
      [],
      {},
      { kind: 'loaded' },
      { kind: 'run', command: 'x' },
      { ...set, viewer: 1 },
      { ...set, folder: undefined },
      { ...set, isAllowed: 'yes' },
      { ...set, isReadOnly: 1 },
      { kind: 'copy' },
      { kind: 'copy', text: 1 },
    ];
    assert.deepEqual(
      others.filter(other => readAccessRequest(other) !== undefined),
      [],
    );
  });
});

it('the text of who sees what has a line for each row, and a tab between its cells', () => {
  const readOnly = {
    word: 'exposed',
    words: statusWords({ word: 'exposed', isReadOnly: true }),
  } as const;
  const files = row('server', 'Files', 'not-asked');
  const rows = [{ ...files, about: ['running', 'confined'], cells: [readOnly, ...files.cells] }];
  assert.equal(
    accessText({ folders: table.folders.slice(0, 2), rows }, inEnglish),
    'Server\tState\tapi (~/Work/api)\tpayments (~/Work/payments)\n' +
      'Files\trunning, confined\texposed, read only\tnot asked\n',
  );
});
