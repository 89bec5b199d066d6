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
import type { Sentence } from '../../../../src/domain/sentence.ts';
import { saidBy } from '../../../support/texts.ts';

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

/** The mistakes, without the name of the file. */
function why(problem: Sentence): string {
  return saidBy(problem).replace(/^\w+\./, '');
}

/** The values of the entered texts, or their mistakes. */
function read(property: object, ...texts: string[]): unknown[] {
  return texts.map(text => {
    const { value, problem } = readText(field(property), text);
    return problem ? why(problem) : value;
  });
}

/** The resulting arguments, or the mistakes in the given texts. */
function argumentsOf(inputSchema: object, given: Readonly<Record<string, Draft>>): unknown {
  const { value, problems } = readForm(fieldsOf(inputSchema), new Map(Object.entries(given)));
  const said = problems.map(({ name, problem }) => `${name}: ${why(problem)}`);
  return said.length > 0 ? said : value;
}

const text = (text: string): Draft => ({ as: 'text', text });

test('checks an entered value against the schema of its question', () => {
  const limits = { minimum: 0, maximum: 9 };
  const open = { exclusiveMinimum: 0, exclusiveMaximum: 1 };
  const list = { items: { type: 'integer' }, minItems: 1, maxItems: 2 };
  const one = { type: 'string', minLength: 1, maxLength: 1 };
  const noNumber = 'checkedNumber(it)';
  const cases: readonly (readonly [schema: object, typed: string, read: unknown])[] = [
    [{ type: 'string', minLength: 2, maxLength: 3 }, 'a', 'counts.characters(it, 2)'],
    [{ type: 'string', minLength: 2, maxLength: 3 }, '𝒳𝒳𝒳', '𝒳𝒳𝒳'],
    [{ type: 'string', minLength: 2, maxLength: 3 }, 'abcd', 'counts.characters(it, 3)'],
    [one, '', 'counts.characters(it, 1)'],
    [one, 'ab', 'counts.characters(it, 1)'],
    [{ type: 'string', format: 'colour' }, '', ''],
    [{ type: 'number', ...limits }, '3.5', 3.5],
    [{ type: 'number', ...limits }, '-1', 'checkedNumber(it, 0)'],
    [{ type: 'number', ...limits }, '10', 'checkedNumber(it, 9)'],
    ...['a', ' ', 'Infinity'].map(typed => [{ type: 'number' }, typed, noNumber] as const),
    [{ type: 'integer' }, '3', 3],
    [{ type: 'integer' }, '3.5', noNumber],
    [{ type: 'number', ...open }, '0.3', 0.3],
    [{ type: 'number', ...open }, '0', 'checkedNumber(it, 0)'],
    [{ type: 'number', ...open }, '1', 'checkedNumber(it, 1)'],
    // Anything but text and numbers is JSON of its type.
    [{}, '["a"]', ['a']],
    [{}, 'null', null],
    [{}, 'a', 'readJson(it)'],
    [{}, '', 'readJson(it)'],
    [{ items: {} }, '[1]', [1]],
    [{ items: {} }, '1', 'readJson(it)'],
    [{ properties: { a: {} } }, '{}', {}],
    [{ properties: { a: {} } }, '1', 'readJson(it)'],
    // A list has an item in each line.
    [{ items: { type: 'string' } }, 'a b\r\n\n c\n', ['a b', ' c']],
    [{ items: { type: 'string' } }, '', []],
    [list, '1\n2', [1, 2]],
    [list, '', 'counts.items(it, 1)'],
    [list, '1\n2\n3', 'counts.items(it, 2)'],
    [list, '1\nb', 'checkedNumber(it[1])'],
  ];
  assert.deepEqual(
    cases.map(([schema, typed]) => [schema, typed, ...read(schema, typed)]),
    cases,
  );
});

test('checks a text against its format', () => {
  const texts: readonly [string, string, string][] = [
    ['email', 'a@b', 'a b@c'],
    ['uri', 'https://a', 'a'],
    ['date', '2026-01-31', '31.1.2026'],
    ['date-time', '2026-01-31T18:00:00+01:00', '2026-01-31'],
  ];
  for (const [format, right, wrong] of texts) {
    const [first, second] = read({ type: 'string', format }, right, wrong);
    assert.equal(first, right);
    assert.match(String(second), /^checkedText\(it, /);
  }
});

test('counts too few and too many choices', () => {
  const items = { anyOf: [{ const: 'a', title: 'One' }] };
  const many = field({ type: 'array', minItems: 1, maxItems: 2, items });
  const problems = [0, 1, 2, 3].map(count => {
    const { problem } = readDraft(many, { as: 'many', values: Array(count).fill('a') });
    return problem && why(problem);
  });
  const wrong = (limit: number) => `counts.choices(it, ${limit})`;
  assert.deepEqual(problems, [wrong(1), undefined, undefined, wrong(2)]);
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

test('leaves out a missing value, and fills in the default of a required one', () => {
  assert.deepEqual(argumentsOf(search, { pattern: text('a') }), {
    pattern: 'a',
    depth: 3,
    only: 'files',
  });
  assert.deepEqual(argumentsOf(search, {}), ['pattern: missing(pattern)']);
  assert.deepEqual(argumentsOf({}, {}), {});
  const lists = { properties: { a: { items: { type: 'string' } } }, required: ['a'] };
  assert.deepEqual(argumentsOf(lists, {}), { a: [] });
  assert.deepEqual(argumentsOf(lists, { a: text('') }), { a: [] });
});

test('does not restore the default of a deleted value', () => {
  const cleared = { pattern: text('a'), depth: text('') };
  assert.deepEqual(argumentsOf(search, cleared), ['depth: missing(depth)']);
  const optional = { properties: { depth: { type: 'integer', default: 3 } } };
  assert.deepEqual(argumentsOf(optional, { depth: text('') }), {});
});

test('a whole object is read as JSON', () => {
  const read = (text: string) => {
    const { value, problem } = readDraft(objectField('Arguments', {}), { as: 'text', text });
    return problem ? why(problem) : value;
  };
  assert.deepEqual(['{"a": [1]}', '[]', ''].map(read), [
    { a: [1] },
    'readJson(Arguments)',
    'missing(Arguments)',
  ]);
});

test('takes inherited names of objects as arguments like others', () => {
  const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}, "toString": {}}}');
  const given = new Map([['__proto__', text('a')]]);
  assert.equal(JSON.stringify(readForm(fieldsOf(schema), given).value), '{"__proto__":"a"}');
});

test('keeps the text of a wrong value in the result', () => {
  const given = new Map([
    ['depth', text('12a')],
    ['where', text('{"path":')],
  ]);
  const { value, problems } = readForm(fieldsOf(search), given);
  assert.deepEqual([value['depth'], value['where']], ['12a', '{"path":']);
  assert.ok(problems.length >= 2);
});

test('turns a value into a draft that reads back as the value', () => {
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

test('applies a default that lines cannot express, without filling it in', () => {
  for (const preset of [[], ['a', ''], ['a\nb']]) {
    const list = field({ items: { type: 'string' }, default: preset });
    assert.equal(draftOf(list, preset), undefined);
    assert.deepEqual(readDraft(list, undefined), { value: preset });
  }
});
