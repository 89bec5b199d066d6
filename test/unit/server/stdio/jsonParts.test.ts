import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonParts } from '../../../../src/server/stdio/jsonParts.ts';
import { effort } from '../../../support/effort.ts';

const long = 'one "line"\n\ud800 ☂'.repeat(10_000);

const answer = (text: string, structuredContent: unknown = { path: '/proj/a', text }) => ({
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text }], structuredContent },
});

test('the parts are the JSON of the value', () => {
  const other = `${long}.`;
  const values = [
    answer('short'),
    answer(long),
    answer(long, [other, long, long, { other }]),
    answer(long, { [long]: 'a name' }),
    { result: { content: [null, 5, 'text', { text: 5 }, { text: long }] } },
    { result: { content: long } },
    { result: null },
    { result: { structuredContent: long } },
    {},
  ];
  assert.deepEqual(
    values.map(value => jsonParts(value).join('')),
    values.map(value => JSON.stringify(value)),
  );
});

test('the parts of any answer are its JSON', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(long), fc.constant(`${long}!`));
  const content = fc.array(fc.oneof(fc.record({ text }), fc.jsonValue()), { maxLength: 3 });
  const structuredContent = fc.dictionary(fc.string(), fc.oneof(text, fc.jsonValue()));
  fc.assert(
    fc.property(fc.record({ result: fc.record({ content, structuredContent }) }), value => {
      assert.equal(jsonParts(value).join(''), JSON.stringify(value));
    }),
    { numRuns: 10 * effort },
  );
});

test('a long text that is in an answer twice is escaped once, and never copied', () => {
  const parts = jsonParts(answer(long)).filter(({ length }) => length > 1000);
  assert.deepEqual(parts, [JSON.stringify(long), JSON.stringify(long)]);
  assert.deepEqual(jsonParts(answer('short')), [JSON.stringify(answer('short'))]);
});
