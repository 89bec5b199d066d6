import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Draft,
  draftOf,
  readDraft,
  readForm,
  readText,
} from '../../../../src/domain/forms/formAnswers.ts';
import {
  type FormField,
  formFields,
  objectField,
} from '../../../../src/domain/forms/formFields.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

function fieldsOf(inputSchema: object): readonly FormField[] {
  const fields = formFields(inputSchema);
  assert.ok(fields);
  return fields;
}

/** The question for an argument of this schema. */
function field(schema: object, isRequired = true): FormField {
  const [only] = fieldsOf({ properties: { it: schema }, required: isRequired ? ['it'] : [] });
  assert.ok(only);
  return only;
}

/** The values read from what was typed, or what is wrong with it. */
function read(property: object, ...texts: string[]): unknown[] {
  return texts.map(text => {
    const { value, problem } = readText(field(property), text);
    return problem ? inEnglish(problem) : value;
  });
}

/** The arguments that what is given comes to, or what is wrong with it. */
function argumentsOf(inputSchema: object, given: Readonly<Record<string, Draft>>): unknown {
  const { value, problems } = readForm(fieldsOf(inputSchema), new Map(Object.entries(given)));
  const said = problems.map(({ name, problem }) => `${name}: ${inEnglish(problem)}`);
  return said.length > 0 ? said : value;
}

const text = (text: string): Draft => ({ as: 'text', text });

test('a text is held against its length and format', () => {
  const long = '{0} must have at {1} characters.';
  const length = (limit: string) => long.replace('{0}', 'it').replace('{1}', limit);
  assert.deepEqual(read({ type: 'string', minLength: 2, maxLength: 3 }, 'a', '𝒳𝒳𝒳', 'abcd'), [
    length('least 2'),
    '𝒳𝒳𝒳',
    length('most 3'),
  ]);
  assert.deepEqual(read({ type: 'string', minLength: 1, maxLength: 1 }, '', 'ab'), [
    'it must have at least 1 character.',
    'it must have at most 1 character.',
  ]);
  const texts: readonly [string, string, string][] = [
    ['email', 'a@b', 'a b@c'],
    ['uri', 'https://a', 'a'],
    ['date', '2026-01-31', '31.1.2026'],
    ['date-time', '2026-01-31T18:00:00+01:00', '2026-01-31'],
  ];
  for (const [format, right, wrong] of texts) {
    const [first, second] = read({ type: 'string', format }, right, wrong);
    assert.equal(first, right);
    assert.match(String(second), /^it must have a form like /);
  }
  assert.deepEqual(read({ type: 'string', format: 'colour' }, ''), ['']);
});

test('a number is held against its limits', () => {
  assert.deepEqual(
    read({ type: 'number', minimum: 0, maximum: 9 }, '3.5', '-1', '10', 'a', ' ', 'Infinity'),
    [
      3.5,
      'it must be at least 0.',
      'it must be at most 9.',
      'it must be a number.',
      'it must be a number.',
      'it must be a number.',
    ],
  );
  assert.deepEqual(read({ type: 'integer' }, '3', '3.5'), [3, 'it must be a whole number.']);
});

test('of choices there may be too few and too many', () => {
  const many = field({
    type: 'array',
    minItems: 1,
    maxItems: 2,
    items: { anyOf: [{ const: 'a', title: 'One' }] },
  });
  const problems = [0, 1, 2, 3].map(count => {
    const { problem } = readDraft(many, { as: 'many', values: Array(count).fill('a') });
    return problem && inEnglish(problem);
  });
  assert.deepEqual(problems, [
    'it: choose at least 1.',
    undefined,
    undefined,
    'it: choose at most 2.',
  ]);
});

test('a number is held against limits that it must not touch, and against its step', () => {
  const schema = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.1 };
  assert.deepEqual(read(schema, '0.3', '0', '1', '0.25'), [
    0.3,
    'it must be more than 0.',
    'it must be less than 1.',
    'it must be a multiple of 0.1.',
  ]);
});

test('what is no text and no number is read as JSON of its type', () => {
  assert.deepEqual(read({}, '["a"]', 'null', 'a', ''), [
    ['a'],
    null,
    'it must be JSON, such as ["a"] or {"b": 1}.',
    'it must be JSON, such as ["a"] or {"b": 1}.',
  ]);
  assert.deepEqual(read({ items: {} }, '[1]', '1'), [[1], 'it must be a list, such as ["a"].']);
  assert.deepEqual(read({ properties: { a: {} } }, '{}', '1'), [
    {},
    'it must be an object, such as {"b": 1}.',
  ]);
});

test('a list has an item in each line, held against what its schema says of them', () => {
  const schema = { items: { type: 'integer' }, minItems: 1, maxItems: 2, uniqueItems: true };
  assert.deepEqual(read({ items: { type: 'string' } }, 'a b\r\n\n c\n', ''), [['a b', ' c'], []]);
  assert.deepEqual(read(schema, '1\n2', '', '1\n2\n3', '1\n1', '1\nb'), [
    [1, 2],
    'it must have at least 1 item.',
    'it must have at most 2 items.',
    'it may have no item twice.',
    'it[1] must be a number.',
  ]);
});

const search = {
  type: 'object',
  properties: {
    pattern: { type: 'string' },
    depth: { type: 'integer', default: 3 },
    only: { type: 'string', const: 'files' },
    globs: { type: 'array', items: { type: 'string' }, minItems: 1 },
    where: { type: 'object', properties: { path: { type: 'string' } } },
  },
  required: ['pattern', 'depth', 'only'],
};

test('what is not given is left out, and what has to be there takes its default', () => {
  assert.deepEqual(argumentsOf(search, { pattern: text('a') }), {
    pattern: 'a',
    depth: 3,
    only: 'files',
  });
  assert.deepEqual(argumentsOf(search, {}), ['pattern: pattern must be given.']);
  assert.deepEqual(argumentsOf({}, {}), {});
  const lists = { properties: { a: { items: { type: 'string' } } }, required: ['a'] };
  assert.deepEqual(argumentsOf(lists, {}), { a: [] });
  assert.deepEqual(argumentsOf(lists, { a: text('') }), { a: [] });
});

test('what was deleted does not become the default again', () => {
  const cleared = { pattern: text('a'), depth: text('') };
  assert.deepEqual(argumentsOf(search, cleared), ['depth: depth must be given.']);
  const optional = { properties: { depth: { type: 'integer', default: 3 } } };
  assert.deepEqual(argumentsOf(optional, { depth: text('') }), {});
});

test('problems are told by the names of their questions', () => {
  const given = { pattern: text('a'), depth: text('deep'), globs: text(''), where: text('[]') };
  assert.deepEqual(argumentsOf(search, given), [
    'depth: depth must be a number.',
    'where: where must be an object, such as {"b": 1}.',
  ]);
});

test('a whole object is read as JSON', () => {
  const read = (text: string) => {
    const { value, problem } = readDraft(objectField('Arguments', {}), { as: 'text', text });
    return problem ? inEnglish(problem) : value;
  };
  assert.deepEqual(['{"a": [1]}', '[]', ''].map(read), [
    { a: [1] },
    'Arguments must be an object, such as {"b": 1}.',
    'Arguments must be given.',
  ]);
});

test('names that objects have by themselves become arguments like others', () => {
  const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}, "toString": {}}}');
  const given = new Map([['__proto__', text('a')]]);
  assert.equal(JSON.stringify(readForm(fieldsOf(schema), given).value), '{"__proto__":"a"}');
});

test('what is wrong is not lost: its text stands in the value', () => {
  const given = new Map([
    ['depth', text('12a')],
    ['where', text('{"path":')],
  ]);
  const { value, problems } = readForm(fieldsOf(search), given);
  assert.deepEqual([value['depth'], value['where']], ['12a', '{"path":']);
  assert.ok(problems.length >= 2);
});

test('a value becomes a draft that stands for it', () => {
  const values: readonly (readonly [object, unknown])[] = [
    [{ type: 'string' }, 'a'],
    [{ type: 'integer' }, 0],
    [{ enum: ['a', null] }, null],
    [{ type: 'array', items: { enum: ['name', 'size'] } }, ['size']],
    [{ type: 'array', items: { type: 'string' } }, ['a', 'b']],
    [{ type: 'array', items: { type: 'number' } }, [1, 2.5]],
    [{ type: 'object' }, { path: 'p' }],
    [{ type: ['string', 'number'] }, 5],
    [{}, null],
  ];
  for (const [schema, value] of values) {
    const one = field(schema);
    const draft = draftOf(one, value);
    assert.ok(draft);
    assert.deepEqual(readDraft(one, draft), { value });
  }
});

test('a default that no lines can say is not filled in, and counts all the same', () => {
  for (const preset of [[], ['a', ''], ['a\nb']]) {
    const list = field({ items: { type: 'string' }, default: preset });
    assert.equal(draftOf(list, preset), undefined);
    assert.deepEqual(readDraft(list, undefined), { value: preset });
  }
});
