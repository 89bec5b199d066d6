import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { readInputSettings } from '../../../../src/domain/settings/inputs.ts';

function problems(value: unknown): string[] {
  return readInputSettings(value).problems.map(({ text }) => inEnglish(text));
}

test('inputs are read in the form of the editor, hidden unless said otherwise', () => {
  const value = [
    { id: 'token', type: 'promptString', description: 'A token', password: false, default: 'x' },
    { id: 'key', default: '' },
    { id: 'region', type: 'pickString', options: ['north', { label: 'South', value: 'south' }] },
  ];
  const nothing = { description: undefined, default: undefined, options: undefined };
  assert.deepEqual(readInputSettings(value), {
    inputs: [
      { ...nothing, id: 'token', description: 'A token', password: false, default: 'x' },
      { ...nothing, id: 'key', password: true, default: '' },
      { ...nothing, id: 'region', password: true, options: ['north', 'south'] },
    ],
    problems: [],
  });
});

test('each mistake is told with the input and the key, and the others go on', () => {
  const value = [
    { id: 'a', type: 'command', pasword: true },
    { id: 'b', description: 5, default: 5, password: 'yes', whatever: 1 },
    { id: 'c', type: 'pickString' },
    { id: 'd', type: 'pickString', options: ['x', 5] },
    { id: 'good' },
    { id: 'good' },
    { id: 'br}ace' },
    {},
    'hunter2',
  ];
  assert.deepEqual(problems(value), [
    'Input "a" in mcpRoots.inputs: "pasword" is not a known key. Did you mean "password"?',
    'Input "a" in mcpRoots.inputs: "type" must be "promptString" or "pickString".',
    'Input "b" in mcpRoots.inputs: "whatever" is not a known key. Known keys: id, type, description, password, default, options.',
    'Input "b" in mcpRoots.inputs: "description" must be a text. Write it in quotes.',
    'Input "b" in mcpRoots.inputs: "password" must be true or false, without quotes.',
    'Input "b" in mcpRoots.inputs: "default" must be a text. Write it in quotes.',
    'Input "c" in mcpRoots.inputs: "options" must be a list of the texts to pick from.',
    'Input "d" in mcpRoots.inputs: "options" must be a list of the texts to pick from.',
    'Input "good" in mcpRoots.inputs: "id" is the id of an input before it. Write another one.',
    'Input "br}ace" in mcpRoots.inputs: "id" must be the text after "input:" in ${input:…}.',
    'Input "8" in mcpRoots.inputs: "id" must be the text after "input:" in ${input:…}.',
    'Input "9" in mcpRoots.inputs: It must be an object with an "id".',
  ]);
  assert.deepEqual(
    readInputSettings(value).inputs.map(({ id }) => id),
    ['good'],
  );
});

test('a value that is no list is told as that', () => {
  assert.deepEqual(
    [{}, 'a', null].map(problems),
    [{}, 'a', null].map(() => ['The setting mcpRoots.inputs must be a list of inputs.']),
  );
});
