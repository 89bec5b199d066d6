import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countProblem,
  type FormField,
  formFields,
  readText,
  shownValue,
} from '../../../../src/domain/elicitation/formFields.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

/** The only field of a form with this property. */
function field(property: object, name = 'it'): FormField {
  const [only] = formFields({ type: 'object', properties: { [name]: property } }) ?? [];
  assert.ok(only);
  return only;
}

/** The values read from what was typed, or what is wrong with it. */
function read(property: object, ...texts: string[]): unknown[] {
  return texts.map(text => {
    const outcome = readText(field(property), text);
    return outcome.ok ? outcome.value : inEnglish(outcome.problem);
  });
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
  const nothing = { format: undefined, least: undefined, most: undefined, looksSecret: false };
  assert.deepEqual(fields, [
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

test('a schema that is not flat is no form, and one without questions is', () => {
  const forms = [
    { properties: { a: { type: 'object', properties: {} } } },
    { properties: { a: true } },
    { properties: { a: { anyOf: [{ type: 'string' }] } } },
    {},
    undefined,
  ];
  assert.deepEqual(
    forms.map(schema => formFields(schema)),
    [undefined, undefined, undefined, [], []],
  );
});

test('a text is held against its length and format', () => {
  const long = '{0} must have at {1} characters.';
  const length = (limit: string) => long.replace('{0}', 'it').replace('{1}', limit);
  assert.deepEqual(read({ type: 'string', minLength: 2, maxLength: 3 }, 'a', '𝒳𝒳𝒳', 'abcd'), [
    length('least 2'),
    '𝒳𝒳𝒳',
    length('most 3'),
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

test('of choices there may be too few and too many, and they are shown by their names', () => {
  const many = field({
    type: 'array',
    minItems: 1,
    maxItems: 2,
    items: { anyOf: [{ const: 'a', title: 'One' }] },
  });
  const problems = [0, 1, 2, 3].map(count => countProblem(many, count));
  assert.deepEqual(
    problems.map(problem => problem && inEnglish(problem)),
    ['it: choose at least 1.', undefined, undefined, 'it: choose at most 2.'],
  );
  assert.deepEqual([shownValue(many, ['a', 'b']), shownValue(many, 5)], ['One, b', '5']);
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
