import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { marked } from 'marked';
import type { AccessRow, AccessTable } from '../../../../src/domain/access/accessTable.ts';
import { accessText } from '../../../../src/domain/access/accessText.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

const moment = { workspace: 'shop', time: '2026-11-23 14:03 UTC' };

function tableOf(names: readonly string[], ...rows: readonly Partial<AccessRow>[]): AccessTable {
  return {
    folders: names.map((name, index) => ({ id: `${index}`, name, place: `~/proj/${name}` })),
    rows: rows.map((row, index) => ({
      id: `${index}`,
      kind: 'server',
      name: 'Files',
      state: 'running',
      cells: names.map(() => ({ word: 'none' })),
      ...row,
    })),
  };
}

describe('the text of who sees what', () => {
  it('is a table that reads well as it is, with the day, the places, and each word once', () => {
    const table = tableOf(
      ['api', 'payments (eu)'],
      {
        keeping: ['confined'],
        isConfined: true,
        routes: ['told when it asks'],
        cells: [{ word: 'exposed', time: '14:00', isReadOnly: true }, { word: 'forbidden' }],
      },
      { kind: 'client', name: 'Claude Code', cells: [{ word: 'exposed' }, { word: 'none' }] },
      { name: 'Git', state: 'stopped', cells: [{ word: 'not-asked' }, { word: 'denied' }] },
    );
    assert.equal(
      accessText(table, moment, inEnglish),
      `# Who sees what in shop

2026-11-23 14:03 UTC

| Server             | State                                | api                        | payments (eu) |
| ------------------ | ------------------------------------ | -------------------------- | ------------- |
| Files              | running, confined, told when it asks | exposed, read only (14:00) | never         |
| client Claude Code | running                              | exposed                    |               |
| Git                | stopped                              | not asked                  | not allowed   |

- api: ~/proj/api
- payments (eu): ~/proj/payments (eu)

- exposed: It was told of the folder, or its sandbox shows it.
- not asked: You were not asked yet. Until then it is not told of the folder.
- not allowed: You do not allow it to see the folder.
- never: The setting mcpRoots.neverExpose keeps the folder from every server.
- read only: The system lets it read the folder, and not change it.
- confined: The system keeps it in its folders. Of what is not confined this says what it was told, not what it could read.
`,
    );
  });

  it('explains what confined is only where a server is', () => {
    const text = (row: Partial<AccessRow>) => accessText(tableOf(['api'], row), moment, inEnglish);
    assert.match(text({ isConfined: true }), /^- confined: /m);
    assert.doesNotMatch(text({ keeping: ['not confined'] }), /^- confined: /m);
  });

  it('makes nothing but text of hostile names', () => {
    const names = [
      '| a | b |',
      '<img src=x onerror=alert(1)>',
      '[a](command:x)',
      'https://evil.example',
      'www.evil.example',
      'me@evil.example',
      '# head',
      '1. item',
      '__init__ and **b**',
      '`code`',
      '&lt;b&gt;',
    ];
    const table = tableOf(
      names,
      ...names.map(
        name =>
          ({ name, state: name, keeping: [name], routes: [name] }) satisfies Partial<AccessRow>,
      ),
    );
    const text = accessText(table, { ...moment, workspace: '<b>[x](y)</b>' }, inEnglish);
    const kinds = new Set<string>();
    void marked.walkTokens(marked.lexer(text), ({ type }) => void kinds.add(type));
    assert.deepEqual(
      [...kinds].filter(kind => !expected.includes(kind)),
      [],
    );
    const rows = text.split('\n').filter(line => line.startsWith('|'));
    assert.equal(rows.length, names.length + 2);
    const cells = rows.map(line => line.match(/(?<!\\)\|/g)?.length);
    assert.deepEqual(new Set(cells), new Set([names.length + 3]));
  });
});

const expected = ['heading', 'text', 'space', 'paragraph', 'table', 'list', 'list_item', 'escape'];
