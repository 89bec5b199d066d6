import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AuditEvent } from '../../src/server/hub/audit/auditEvent.ts';
import { auditLine } from '../../src/server/hub/audit/auditLine.ts';

const time = new Date(0);

test('a line tells its fields in one order, and leaves out what was not said', () => {
  const event = verdict({ reason: undefined, paths: ['/proj/a'] });
  equal(
    auditLine(event, time),
    '{"time":"1970-01-01T00:00:00.000Z","event":"verdict","session":"1","server":"files",' +
      '"tool":"read","verdict":"denied","paths":["/proj/a"]}\n',
  );
});

test('no text can forge a line or turn text around, and each reads back as it was', () => {
  const forgeries = [
    'a\n{"event":"verdict","verdict":"allowed"}',
    '\r\n\u0000\u001b[2J\u007f\u0085\u009b',
    'gpj.\u202e\u2028\u2029\u2066\u200e\u061c',
    '"},{"',
    'half \ud83d a pair \udc00',
    '\\u202e',
  ];
  const said = { session: 'x', server: 'x', tool: 'x', reason: 'x' };
  for (const forgery of forgeries) {
    const all = Object.fromEntries(Object.keys(said).map(key => [key, forgery]));
    const event = verdict({ ...all, paths: [forgery] });
    const line = auditLine(event, time);
    ok(/^[\x20-\x7e]+\n$/.test(line), line);
    deepEqual(JSON.parse(line), { time: time.toISOString(), ...event });
  }
});

test('any event is one whole line of at most 16 KB', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3000, size: 'max' });
  const long = fc
    .tuple(fc.constantFrom('\u0000', '\u202e', '語', '🙂', '\ud83d', 'a'), fc.nat(40_000))
    .map(([one, length]) => one.repeat(length));
  const any = fc.oneof(text, long);
  const events = fc
    .record({ session: any, server: any, tool: any, reason: any, paths: fc.array(any) })
    .map(verdict);
  fc.assert(
    fc.property(events, event => {
      const line = auditLine(event, time);
      const entry = JSON.parse(line);
      equal(line.indexOf('\n'), line.length - 1);
      ok(Buffer.byteLength(line) <= 16 * 1024, `${Buffer.byteLength(line)} bytes`);
      equal(Buffer.from(line).toString(), line);
      equal((entry.more ?? 0) + entry.paths.length, event.paths.length);
    }),
    { numRuns: 200, endOnFailure: true },
  );
});

test('a text is cut to 1,000 characters, and a list to 50 items, and both say so', () => {
  const entry = JSON.parse(
    auditLine(
      verdict({ reason: 'r'.repeat(5000), paths: Array.from({ length: 80 }, () => '/a') }),
      time,
    ),
  );
  deepEqual([entry.reason, entry.paths.length, entry.more], [`${'r'.repeat(999)}…`, 50, 30]);
  const exact = JSON.parse(auditLine(verdict({ reason: 'r'.repeat(1000) }), time));
  deepEqual([exact.reason, exact.more], ['r'.repeat(1000), undefined]);
});

test('too many long paths leave fewer whole ones, before any is cut', () => {
  const path = `/proj/${'a'.repeat(900)}`;
  const paths = Array.from({ length: 20 }, () => path);
  const entry = JSON.parse(auditLine(verdict({ paths }), time));
  deepEqual([entry.paths, entry.more], [paths.slice(0, 12), 8]);
});

test('what an event holds beyond its type is not told', () => {
  const event = { ...verdict({}), args: { content: 'secret' }, content: 'secret' };
  ok(!auditLine(event, time).includes('secret'));
});

function verdict(said: Partial<Extract<AuditEvent, { event: 'verdict' }>>) {
  const usual = { session: '1', server: 'files', tool: 'read', paths: [] };
  return { event: 'verdict', verdict: 'denied', ...usual, ...said } as const;
}
