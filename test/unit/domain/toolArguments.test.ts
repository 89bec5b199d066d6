import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../../src/domain/sentence.ts';
import { type Field, fieldsOf, parseField } from '../../../src/domain/toolArguments.ts';

function field(kind: Field['kind']): Field {
  return {
    name: 'depth',
    label: 'depth',
    description: '',
    isRequired: true,
    kind,
    choices: undefined,
  };
}

/** The values read from what was typed, or what is wrong with it. */
function parsed(kind: Field['kind'], ...texts: string[]): unknown[] {
  return texts.map(text => {
    const outcome = parseField(field(kind), text);
    return outcome.ok ? outcome.value : inEnglish(outcome.problem);
  });
}

test('the arguments of a tool are read from its schema, in its order', () => {
  const fields = fieldsOf({
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where.' },
      depth: { type: 'integer' },
      ratio: { type: 'number' },
      isDry: { type: 'boolean' },
      sort: { type: 'string', enum: ['name', 'size'] },
      globs: { type: 'array', description: 5 },
      either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      anything: true,
    },
    required: ['path', 'globs'],
  });
  const plain = { description: '', isRequired: false, choices: undefined };
  assert.deepEqual(
    fields.map(({ label, ...field }) => {
      assert.equal(label, field.name);
      return field;
    }),
    [
      { ...plain, name: 'path', kind: 'string', description: 'Where.', isRequired: true },
      { ...plain, name: 'depth', kind: 'integer' },
      { ...plain, name: 'ratio', kind: 'number' },
      { ...plain, name: 'isDry', kind: 'boolean', choices: [true, false] },
      { ...plain, name: 'sort', kind: 'string', choices: ['name', 'size'] },
      { ...plain, name: 'globs', kind: 'json', isRequired: true },
      { ...plain, name: 'either', kind: 'json' },
      { ...plain, name: 'anything', kind: 'json' },
    ],
  );
});

test('what a schema says of an argument is shown without characters that can not be seen', () => {
  const [field] = fieldsOf({
    properties: { 'pa\u200bth': { type: 'integer', description: 'Where\u{e0041}.' } },
  });
  assert.deepEqual(
    [field?.name, field?.label, field?.description],
    ['pa\u200bth', 'pa\\u200bth', 'Where\\udb40\\udc41.'],
  );
  const wrong = field && parseField(field, 'x');
  assert.equal(wrong && !wrong.ok && inEnglish(wrong.problem), 'pa\\u200bth must be a number.');
});

test('a schema that names no arguments, or is none, has no fields', () => {
  const schemas = [
    {},
    { type: 'object' },
    { properties: null },
    { properties: [] },
    { required: 5 },
  ];
  assert.deepEqual(
    schemas.map(schema => fieldsOf(schema)),
    schemas.map(() => []),
  );
});

test('a text is a string as it was typed', () => {
  assert.deepEqual(parsed('string', '', ' a ', '5', '{"a":1}'), ['', ' a ', '5', '{"a":1}']);
});

test('a number is read as one, anything else is told as that', () => {
  const problem = 'depth must be a number.';
  assert.deepEqual(parsed('number', '5', ' -1.5 ', '1e3', '', ' ', 'five', 'Infinity', '1,5'), [
    5,
    -1.5,
    1000,
    problem,
    problem,
    problem,
    problem,
    problem,
  ]);
  assert.deepEqual(parsed('integer', '5', '1.5', ''), [
    5,
    'depth must be a whole number.',
    problem,
  ]);
});

test('everything else is read as JSON', () => {
  assert.deepEqual(parsed('json', '["a"]', 'null', '{"a": 1}', 'a', ''), [
    ['a'],
    null,
    { a: 1 },
    'depth must be JSON, such as ["a"] or {"b": 1}.',
    'depth must be JSON, such as ["a"] or {"b": 1}.',
  ]);
});
