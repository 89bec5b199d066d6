import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countProblem,
  type Draft,
  draftOf,
  readDraft,
  readText,
} from '../../../../src/domain/forms/formAnswers.ts';
import {
  argumentsField,
  type FormField,
  memberOf,
} from '../../../../src/domain/forms/formFields.ts';
import { propertiesOf } from '../../../../src/domain/forms/jsonSchema.ts';
import { shownPath } from '../../../../src/domain/json.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';

/** The question for an argument of this schema. */
function field(schema: object, isRequired = true): FormField {
  const required = isRequired ? ['it'] : [];
  const whole = argumentsField({ properties: { it: schema }, required });
  const [property] = propertiesOf(whole.schema);
  assert.ok(property);
  return memberOf(whole, property);
}

/** The values read from what was typed, or what is wrong with it. */
function read(property: object, ...texts: string[]): unknown[] {
  return texts.map(text => {
    const outcome = readText(field(property), text);
    return outcome.ok ? outcome.value : inEnglish(outcome.problem);
  });
}

/** The arguments that a draft comes to, and what is wrong with it. */
function argumentsOf(inputSchema: object, draft: Draft | undefined): unknown {
  const { value, problems } = readDraft(argumentsField(inputSchema), draft);
  const said = problems.map(({ path, problem }) => `${shownPath(path)}: ${inEnglish(problem)}`);
  return said.length > 0 ? said : value;
}

const text = (text: string): Draft => ({ as: 'text', text });
const object = (members: Readonly<Record<string, Draft>>, further?: string): Draft => ({
  as: 'object',
  members: Object.entries(members),
  ...(further !== undefined && { further }),
});

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
  const problems = [0, 1, 2, 3].map(count => countProblem(many, count));
  assert.deepEqual(
    problems.map(problem => problem && inEnglish(problem)),
    ['it: choose at least 1.', undefined, undefined, 'it: choose at most 2.'],
  );
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
  assert.deepEqual(read({ enum: ['a'] }, '"a"', '"b"'), ['a', 'it does not allow this value.']);
});

const search = {
  type: 'object',
  properties: {
    pattern: { type: 'string' },
    depth: { type: 'integer', default: 3 },
    only: { type: 'string', const: 'files' },
    globs: { type: 'array', items: { type: 'string' }, minItems: 1 },
    where: {
      type: 'object',
      properties: { path: { type: 'string' }, isDeep: { type: 'boolean' } },
      required: ['path'],
    },
  },
  required: ['pattern', 'depth', 'only'],
};

test('what is not given is left out, and what has to be there takes its default', () => {
  assert.deepEqual(argumentsOf(search, object({ pattern: text('a') })), {
    pattern: 'a',
    depth: 3,
    only: 'files',
  });
  assert.deepEqual(argumentsOf(search, object({})), ['pattern: pattern must be given.']);
  assert.deepEqual(argumentsOf({}, undefined), {});
});

test('what was deleted does not become the default again', () => {
  const cleared = object({ pattern: text('a'), depth: text('') });
  assert.deepEqual(argumentsOf(search, cleared), ['depth: depth must be given.']);
  const optional = { properties: { depth: { type: 'integer', default: 3 } } };
  assert.deepEqual(argumentsOf(optional, object({ depth: text('') })), {});
});

test('problems are told at their places, within objects and lists, too', () => {
  const draft = object({
    pattern: text('a'),
    depth: text('deep'),
    globs: { as: 'list', items: [text('*.ts'), undefined] },
    where: object({ isDeep: { as: 'one', value: true } }),
  });
  assert.deepEqual(argumentsOf(search, draft), [
    'depth: depth must be a number.',
    'globs[1]: globs[1] must be given.',
    'where.path: path must be given.',
  ]);
  const empty = object({ pattern: text('a'), globs: { as: 'list', items: [] } });
  assert.deepEqual(argumentsOf(search, empty), ['globs: globs must have at least 1 item.']);
});

test('a list may be asked to have no item twice', () => {
  const single = { properties: { ids: { type: 'array', items: {}, maxItems: 1 } } };
  const two = object({ ids: { as: 'list', items: [text('1'), text('2')] } });
  assert.deepEqual(argumentsOf(single, two), ['ids: ids must have at most 1 item.']);
  const schema = { properties: { ids: { items: { type: 'integer' }, uniqueItems: true } } };
  const twice = object({ ids: { as: 'list', items: [text('1'), text('1')] } });
  assert.deepEqual(argumentsOf(schema, twice), ['ids: ids may have no item twice.']);
});

test('further properties are an object, and do not replace those that are named', () => {
  const draft = (further: string) => object({ pattern: text('a') }, further);
  assert.deepEqual(argumentsOf(search, draft('{"pattern": 5, "more": [1]}')), {
    pattern: 'a',
    more: [1],
    depth: 3,
    only: 'files',
  });
  assert.deepEqual(argumentsOf(search, draft('[1]')), [
    ': This must be an object, such as {"b": 1}.',
  ]);
});

test('names that objects have by themselves become arguments like others', () => {
  const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}, "toString": {}}}');
  const draft: Draft = { as: 'object', members: [['__proto__', text('a')]] };
  assert.equal(JSON.stringify(argumentsOf(schema, draft)), '{"__proto__":"a"}');
  const value = JSON.parse('{"__proto__": "a", "toString": [1]}');
  const round = readDraft(argumentsField(schema), draftOf(argumentsField(schema), value));
  assert.equal(JSON.stringify(round.value), JSON.stringify(value));
});

test('a value becomes a draft that stands for it', () => {
  const schema = {
    properties: {
      ...search.properties,
      shape: {
        oneOf: [
          { properties: { kind: { const: 'dot' }, at: { type: 'number' } }, required: ['kind'] },
          { properties: { kind: { const: 'line' }, to: { type: 'number' } }, required: ['kind'] },
        ],
      },
      sort: { type: 'array', items: { enum: ['name', 'size'] } },
      either: { type: ['string', 'number'] },
      anything: {},
    },
    additionalProperties: true,
  };
  const value = {
    pattern: '',
    depth: 0,
    globs: ['a', 'b'],
    where: { path: 'p', isDeep: false },
    shape: { kind: 'line', to: 5 },
    sort: ['size'],
    either: 5,
    anything: null,
    more: { a: 1 },
  };
  const draft = draftOf(argumentsField(schema), value);
  // An empty text is what is left out, so it is not to be told from nothing.
  const { pattern: _, ...rest } = value;
  assert.deepEqual(argumentsOf(schema, draft), rest);
  assert.deepEqual(draft.as === 'object' && draft.members.find(([name]) => name === 'shape')?.[1], {
    as: 'variant',
    at: 1,
    draft: {
      as: 'object',
      members: [
        ['kind', { as: 'one', value: 'line' }],
        ['to', { as: 'text', text: '5' }],
      ],
    },
  });
});

test('a value that is none of its question stays as JSON', () => {
  const whole = argumentsField(search);
  assert.deepEqual(draftOf(whole, { pattern: 5, other: 1 }), {
    as: 'json',
    text: '{\n  "pattern": 5,\n  "other": 1\n}',
  });
  assert.deepEqual(draftOf(whole, { pattern: 5 }), object({ pattern: { as: 'json', text: '5' } }));
  assert.deepEqual(argumentsOf(search, draftOf(whole, { pattern: 5 })), [
    'pattern: pattern does not allow this value.',
  ]);
});

test('a value without end is no deeper in its draft than a person looks', () => {
  const schema = { properties: { next: { $ref: '#' } } };
  let value: unknown = {};
  for (let depth = 0; depth < 900; depth++) {
    value = { next: value };
  }
  const draft = draftOf(argumentsField(schema), value);
  assert.ok(JSON.stringify(draft).includes('"as":"json"'));
  assert.deepEqual(argumentsOf(schema, draft), value);
});

test('what is required in a circle can not be implied', () => {
  const circle = { properties: { next: { $ref: '#/$defs/circle' } }, required: ['next'] };
  assert.deepEqual(argumentsOf({ ...circle, $defs: { circle } }, object({})), [
    'next: next must be given.',
  ]);
});

test('a form of ten thousand questions is read, and tells some of its problems', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `p${at}`);
  const big = { properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])) };
  const schema = {
    properties: Object.fromEntries(names.map(name => [name, { $ref: '#/$defs/big' }])),
    required: names,
    $defs: { big },
  };
  assert.deepEqual(Object.keys(Object(argumentsOf(schema, object({})))).length, 10_000);
  const wrong = argumentsOf({ ...schema, $defs: { big: { type: 'string' } } }, object({}));
  assert.equal(Object(wrong).length, 100);
});
