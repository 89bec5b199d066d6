import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '../../../../src/domain/sentence.ts';
import { reportOf } from '../../../../src/extension/commands/callCommands.ts';

test('the report on what a server does with roots has a column for advice where there is some', () => {
  const findings = {
    era: 'modern',
    protocolVersion: '2026-07-28',
    firstAsked: sentence('in a call'),
    called: ['check-path', 'read-file'],
  } as const;
  const rows = (asksAgain: boolean) =>
    reportOf('files', { ...findings, asksAgain })
      .split('\n')
      .filter(line => line.startsWith('|'));
  deepEqual(
    [rows(true), rows(false)].map(([head, , , , again, , , , called]) => [head, again, called]),
    [
      [
        '| Fact | Seen |',
        '| Asked again after a change | yes |',
        '| Called tools | check-path, read-file |',
      ],
      [
        '| Fact | Seen | What to do |',
        '| Asked again after a change | no | Restart it when its folders change. |',
        '| Called tools | check-path, read-file |  |',
      ],
    ],
  );
});
