import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FormField,
  formFields,
  isValueOf,
  objectField,
} from '../../../../src/domain/forms/formFields.ts';
import { foundAsExpected } from '../../../support/cases.ts';

/** The only question of a form, for an argument of this schema. */
function argument(schema: unknown, isRequired = true, name = 'it'): FormField {
  const required = isRequired ? [name] : [];
  const [only] = formFields({ type: 'object', properties: { [name]: schema }, required }) ?? [];
  assert.ok(only);
  return only;
}

test('a form has its questions in the order of its schema, named by their titles', () => {
  const fields = formFields({
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your\u200b name', description: 'In full', maxLength: 5 },
      age: { type: 'integer', minimum: 1, default: 42 },
      agrees: { type: 'boolean', default: false },
    },
    required: ['name'],
  });
  const nothing = {
    ...{ item: undefined, format: undefined, least: undefined, most: undefined },
    ...{ preset: undefined, description: '', choices: [], looksSecret: false, isRequired: false },
  };
  const choices = [true, false].map(value => ({ value, label: String(value) }));
  assert.deepEqual(
    fields?.map(({ schema: _, ...field }) => field),
    [
      {
        ...{ ...nothing, name: 'name', label: 'Your\\u200b name', description: 'In full' },
        ...{ isRequired: true, kind: 'text', most: 5 },
      },
      { ...nothing, name: 'age', label: 'age', kind: 'integer', least: 1, preset: 42 },
      { ...nothing, name: 'agrees', label: 'agrees', kind: 'one', choices, preset: false },
    ],
  );
});

test('reads choices with and without titles, and with names of earlier revisions', () => {
  const titles = Object.entries({ a: 'One', b: 'Two' });
  const choices = titles.map(([value, label]) => ({ value, label }));
  const titled = titles.map(([value, title]) => ({ const: value, title }));
  const plain = choices.map(({ value }) => ({ value, label: value }));
  const forms: readonly [object, FormField['kind'], object][] = [
    [{ type: 'string', enum: ['a', 'b'] }, 'one', plain],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['One', 'Two'] }, 'one', choices],
    [{ type: 'string', oneOf: titled }, 'one', choices],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, 'many', plain],
    [{ type: 'array', items: { anyOf: titled } }, 'many', choices],
  ];
  for (const [property, kind, choices] of forms) {
    const found = argument(property, false);
    assert.deepEqual([found.kind, found.choices], [kind, choices]);
  }
});

test('takes a default only if it is a valid value', () => {
  const items = { type: 'string', enum: ['a', 'b'] };
  const presetOf = (schema: object, preset: unknown) =>
    argument({ ...schema, default: preset }, false).preset;
  foundAsExpected({
    choice: [presetOf(items, 'a'), 'a'],
    'no choice': [presetOf(items, 'c'), undefined],
    choices: [presetOf({ type: 'array', items }, ['b']), ['b']],
    'another type': [presetOf({ type: 'number' }, '5'), undefined],
  });
});

test('has no form for a schema beyond fields, and an empty form for one without questions', () => {
  const properties = { a: { type: 'string' } };
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`p${at}`, {}]));
  const forms = [
    { type: 'object', additionalProperties: true },
    { additionalProperties: { type: 'string' } },
    { properties: many },
    { properties, oneOf: [{ properties: { b: {} } }] },
    { properties, anyOf: [{ required: ['a'] }] },
    { properties, additionalProperties: true },
    ...[{}, { type: 'object' }, { properties: [] }, { type: 'object', properties: {} }, undefined],
  ];
  assert.deepEqual(
    forms.map(schema => formFields(schema)?.map(({ name }) => name)),
    [undefined, undefined, undefined, undefined, ['a'], ['a'], [], [], [], [], []],
  );
});

test('recognizes a question for a secret by name or title', () => {
  const looksSecret = (name: string, title?: string) =>
    argument({ type: 'string', title }, false, name).looksSecret;
  assert.deepEqual(
    [looksSecret('apiKey'), looksSecret('p', 'Password'), looksSecret('author', 'Author')],
    [true, true, false],
  );
});

test('offers JSON for arguments of a tool that fields cannot express', () => {
  const kinds: readonly [unknown, FormField['kind']][] = [
    [{ type: 'string' }, 'text'],
    [{ type: 'number' }, 'number'],
    [{ type: 'integer' }, 'integer'],
    [{ type: 'boolean' }, 'one'],
    [{ type: 'null' }, 'one'],
    [{ const: 5 }, 'one'],
    [{ enum: ['a', 5, null] }, 'one'],
    [{ oneOf: [{ const: 1, title: 'One' }, { const: 2 }] }, 'one'],
    [{ type: 'array', items: { enum: ['a'] } }, 'many'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ items: { type: 'string' } }, 'list'],
    [{ type: 'array', items: { type: 'integer' } }, 'list'],
    [{ type: 'array', items: { type: 'boolean' } }, 'many'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{ type: 'array', items: { items: { type: 'string' } } }, 'json'],
    [{ type: 'object', properties: { a: {} } }, 'json'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'json'],
    [{ type: 'object' }, 'json'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'json'],
    [{ type: 'array' }, 'json'],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: {} }, 'json'],
    [{ type: 'colour' }, 'json'],
    [{}, 'json'],
    [true, 'json'],
    [null, 'json'],
    ['string', 'json'],
  ];
  assert.deepEqual(
    kinds.map(([schema]) => [schema, argument(schema).kind]),
    kinds,
  );
});

test('does not offer `null` for an optional value', () => {
  const optional = { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }], default: null };
  const { kind, most, preset } = argument({ ...optional, title: 'Why' }, false);
  assert.deepEqual([kind, most, preset], ['text', 3, undefined]);
  assert.equal(argument({ type: ['integer', 'null'] }, false).kind, 'integer');
  assert.equal(argument({ oneOf: [{ const: 'a' }, { type: 'null' }] }, false).kind, 'one');
  assert.equal(argument(optional).kind, 'json');
});

test('offers JSON for a circular schema, without delay', () => {
  const circle = { $defs: { a: { $ref: '#/$defs/b' }, b: { allOf: [{ $ref: '#/$defs/a' }] } } };
  const properties = {
    it: { $ref: '#/$defs/a' },
    either: { anyOf: [{ $ref: '#/properties/it' }, { $ref: '#/properties/it' }] },
    list: { type: 'array', items: { $ref: '#/properties/list' } },
    texts: { type: 'array', items: { $ref: '#/properties/text' } },
    text: { type: 'string', items: { $ref: '#/properties/text' } },
  };
  const kinds = formFields({ ...circle, properties })?.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['json', 'json', 'json', 'list', 'text']);
});

test('gives a JSON field its schema with all references', () => {
  const $defs = { edit: { type: 'object', properties: { old: { type: 'string' } } } };
  const edits = { type: 'array', items: { $ref: '#/$defs/edit' } };
  const schema = { oneOf: [{ $ref: '#/$defs/edit' }], $defs };
  assert.deepEqual(
    [
      ...(formFields({ properties: { edits, name: { type: 'string' } }, $defs }) ?? []),
      objectField('Arguments', schema),
    ].map(({ schema }) => schema),
    [{ ...edits, $defs }, { type: 'string' }, { ...schema, type: 'object' }],
  );
});

test('asks for a typed value when there are too many choices', () => {
  const numbers = Array.from({ length: 501 }, (_, at) => at);
  assert.equal(argument({ type: 'string', enum: numbers.map(String) }).kind, 'text');
  assert.equal(argument({ enum: numbers }).kind, 'json');
});

test('makes texts of a schema printable and short', () => {
  const long = 'x'.repeat(5_000_000);
  const { label, description, choices } = argument({
    title: `\u202e${long}`,
    description: `two\nlines\u200b${long}`,
    enum: [long],
  });
  assert.ok(label.startsWith('\\u202ex') && label.length < 300);
  assert.ok(description.startsWith('two\nlines\\u200bx') && description.length < 5000);
  assert.ok((choices[0]?.label.length ?? 0) < 300);
});

test('treats inherited names of objects like other names', () => {
  const schema = JSON.parse(
    '{"properties": {"__proto__": {"type": "integer", "default": 5}, "constructor": {"$ref": "#/toString"}}}',
  );
  assert.deepEqual(
    formFields(schema)?.map(({ name, kind, preset }) => [name, kind, preset]),
    [
      ['__proto__', 'integer', 5],
      ['constructor', 'json', undefined],
    ],
  );
});

test('tells values apart by type and by choices', () => {
  const rightAndWrong: readonly [object, unknown, unknown][] = [
    [{ type: 'string' }, 'a', 5],
    [{ type: 'integer' }, 5, '5'],
    [{ enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, { a: 1 }],
    [{ type: 'array', items: { enum: ['a'] } }, ['a'], ['b']],
    [{ properties: { a: {} } }, {}, []],
    [{ items: {} }, [], {}],
    [{ items: { type: 'string' } }, ['a'], [5]],
    [{}, null, undefined],
  ];
  for (const [schema, right, wrong] of rightAndWrong) {
    assert.ok(isValueOf(argument(schema), right), JSON.stringify(schema));
    assert.ok(!isValueOf(argument(schema), wrong), JSON.stringify(schema));
  }
});
