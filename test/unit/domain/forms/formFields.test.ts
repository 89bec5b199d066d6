import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FormField,
  formFields,
  isValueOf,
  objectField,
} from '../../../../src/domain/forms/formFields.ts';

/** The only field of a form with this property. */
function field(property: object, name = 'it'): FormField {
  const [only] = formFields({ type: 'object', properties: { [name]: property } }) ?? [];
  assert.ok(only);
  return only;
}

/** What can be seen of a question. */
function seen({ schema: _, ...field }: FormField): object {
  return field;
}

/** The only argument of a tool, of this schema. */
function argument(schema: unknown, isRequired = true): FormField {
  const required = isRequired ? ['it'] : [];
  const [only] = formFields({ type: 'object', properties: { it: schema }, required }) ?? [];
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
    item: undefined,
    format: undefined,
    least: undefined,
    most: undefined,
    looksSecret: false,
  };
  assert.deepEqual(fields?.map(seen), [
    {
      ...nothing,
      name: 'name',
      label: 'Your\\u200b name',
      description: 'In full',
      isRequired: true,
      kind: 'text',
      choices: [],
      most: 5,
      preset: undefined,
    },
    {
      ...nothing,
      name: 'age',
      label: 'age',
      description: '',
      isRequired: false,
      kind: 'integer',
      choices: [],
      least: 1,
      preset: 42,
    },
    {
      ...nothing,
      name: 'agrees',
      label: 'agrees',
      description: '',
      isRequired: false,
      kind: 'one',
      choices: [
        { value: true, label: 'true' },
        { value: false, label: 'false' },
      ],
      preset: false,
    },
  ]);
});

test('choices come untitled, titled, and with the names of earlier revisions', () => {
  const choices = [
    { value: 'a', label: 'One' },
    { value: 'b', label: 'Two' },
  ];
  const titled = [
    { const: 'a', title: 'One' },
    { const: 'b', title: 'Two' },
  ];
  const plain = choices.map(({ value }) => ({ value, label: value }));
  const forms: readonly [object, FormField['kind'], object][] = [
    [{ type: 'string', enum: ['a', 'b'] }, 'one', plain],
    [{ type: 'string', enum: ['a', 'b'], enumNames: ['One', 'Two'] }, 'one', choices],
    [{ type: 'string', oneOf: titled }, 'one', choices],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, 'many', plain],
    [{ type: 'array', items: { anyOf: titled } }, 'many', choices],
  ];
  assert.deepEqual(
    forms.map(([property]) => {
      const { kind, choices } = field(property);
      return [kind, choices];
    }),
    forms.map(([, kind, choices]) => [kind, choices]),
  );
});

test('a default counts when it is a value of its question', () => {
  const items = { type: 'string', enum: ['a', 'b'] };
  const presets = [
    { ...items, default: 'a' },
    { ...items, default: 'c' },
    { type: 'array', items, default: ['b'] },
    { type: 'array', items, default: ['c'] },
    { type: 'string', default: 5 },
    { type: 'number', default: '5' },
  ].map(property => field(property).preset);
  assert.deepEqual(presets, ['a', undefined, ['b'], undefined, undefined, undefined]);
});

test('what fields can not say is no form of questions, and what asks for nothing is an empty one', () => {
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

test('a question whose name or title means a secret is known', () => {
  const secrets = [
    field({ type: 'string' }, 'apiKey'),
    field({ type: 'string', title: 'Password' }, 'p'),
    field({ type: 'string', title: 'Author' }, 'author'),
  ];
  assert.deepEqual(
    secrets.map(({ looksSecret }) => looksSecret),
    [true, true, false],
  );
});

test('a tool may take values of any kind, and what can not be said in fields is JSON', () => {
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
    [{ properties: { a: {} } }, 'json'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'json'],
    [{ type: ['string', 'number'] }, 'json'],
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

test('what may be left out is not asked for `null` besides', () => {
  const optional = { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }], default: null };
  const { kind, most, preset } = argument({ ...optional, title: 'Why' }, false);
  assert.deepEqual([kind, most, preset], ['text', 3, undefined]);
  assert.equal(argument({ type: ['integer', 'null'] }, false).kind, 'integer');
  assert.equal(argument({ oneOf: [{ const: 'a' }, { type: 'null' }] }, false).kind, 'one');
  assert.equal(argument(optional).kind, 'json');
});

test('a schema that leads nowhere but to itself is JSON, and costs no time', () => {
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

test('what is written as JSON has its schema, with what that refers to', () => {
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

test('more choices than a person picks from are typed', () => {
  const numbers = Array.from({ length: 501 }, (_, at) => at);
  assert.equal(argument({ type: 'string', enum: numbers.map(String) }).kind, 'text');
  assert.equal(argument({ enum: numbers }).kind, 'json');
});

test('texts of a schema are printable and no longer than a person reads', () => {
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

test('names that objects have by themselves are names like others', () => {
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

test('a value is told by its type, and by the choices there are', () => {
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
