import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { lineReader } from '../../../src/connect/messages.ts';

test('keeps the end of a long line and the lines after it', () => {
  const lines: string[] = [];
  const reader = lineReader(line => void lines.push(line.toString()));
  const much = 'x'.repeat(5 * 1024 * 1024);
  for (const chunk of ['{"a":"', much, much, 'y"}\nafter\nla', 'st\n']) {
    reader.push(Buffer.from(chunk));
  }
  deepEqual(
    lines.map(line => line.slice(-4)),
    ['xy"}', 'fter', 'last'],
  );
});
