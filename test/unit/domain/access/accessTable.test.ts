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

describe('the filter of the access table', () => {
  it('keeps all rows without a text, and none when no name matches', () => {
    assert.deepEqual(filtered(table, ' '), table);
    assert.deepEqual(left('nowhere'), [[]]);
  });

  it('finds folders by a part of name or place, and one folder by its whole name', () => {
    assert.deepEqual(left('pay')[0], ['payments', 'payments-ui']);
    assert.deepEqual(left('work/a')[0], ['api']);
    assert.deepEqual(left('Payments'), [
      ['payments'],
      ['Files', 'denied'],
      ['Claude Code', 'none'],
      ['Git', 'exposed'],
      ['Git Lab', 'denied'],
      ['Tests', 'none'],
    ]);
  });

  it('keeps a server with clients and folders by either name, or one server by its whole name', () => {
    const files = [
      columns,
      ['Files', 'exposed', 'denied', 'allowed'],
      ['Claude Code', 'exposed', 'none', 'none'],
    ];
    assert.deepEqual(left('files'), files);
    assert.deepEqual(left('claude'), files);
    const names = (filter: string) => left(filter).map(([name]) => name);
    assert.deepEqual(names('git'), ['api', 'Git']);
    assert.deepEqual(names('gi'), ['api', 'Git', 'Git Lab']);
  });

  it('keeps servers and folders when both match the name', () => {
    assert.deepEqual(left('s'), [
      ['payments', 'payments-ui'],
      ['Files', 'denied', 'allowed'],
      ['Claude Code', 'none', 'none'],
      ['Tests', 'none', 'none'],
    ]);
  });
});

describe('a request of the access page', () => {
  const set = { kind: 'set', viewer: 'files', folder: 'file:///a', isAllowed: true };

  it('is read without unknown fields', () => {
    const requests = [set, { ...set, isReadOnly: false }, { kind: 'copy', text: 'a\tb\n' }];
    assert.deepEqual(
      requests.map(request => readAccessRequest({ ...request, command: 'x' })),
      requests,
    );
  });

  it('is rejected in any other form', () => {
    const wrong = { viewer: 1, folder: undefined, isAllowed: 'yes', isReadOnly: 1 };
    const others = [
      ...[undefined, null, 'set', [], {}, { kind: 'loaded' }, { kind: 'run', command: 'x' }],
      ...Object.entries(wrong).map(([key, value]) => ({ ...set, [key]: value })),
      ...[{ kind: 'copy' }, { kind: 'copy', text: 1 }],
    ];
    assert.deepEqual(
      others.filter(other => readAccessRequest(other) !== undefined),
      [],
    );
  });
});

it('the copied access table has a line for each row, and a tab between cells', () => {
  const words = statusWords({ word: 'exposed', isReadOnly: true });
  const cells = [{ word: 'exposed', words } as const];
  const rows = [{ ...row('server', 'Files'), about: ['running', 'confined'], cells }];
  const text = accessText({ folders: table.folders.slice(0, 1), rows }, inEnglish);
  const [head, ...lines] = text.split('\n').map(line => line.split('\t'));
  assert.deepEqual(head?.slice(2), ['api (~/Work/api)']);
  assert.deepEqual(lines, [['Files', 'running, confined', words.map(inEnglish).join(', ')], ['']]);
});
