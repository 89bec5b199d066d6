import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish, type Sentence } from '../../../../src/domain/sentence.ts';
import { readInputSettings } from '../../../../src/domain/settings/inputs.ts';
import { mistakeBy, said } from '../../../support/texts.ts';

test('reads inputs in the form of the editor, hidden by default', () => {
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

test('reports each mistake with its input and key, and reads the others', () => {
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
  const { inputs, problems } = readInputSettings(value);
  assert.deepEqual(
    problems.map(problem => {
      const [subject] = problem.text.values as readonly Sentence[];
      return `${problem.path[0]} (${subject?.values[0]}): ${mistakeBy(problem)}`;
    }),
    [
      '0 (a): pasword noteUnknown(password)',
      '0 (a): type readChoice("promptString", "pickString")',
      '1 (b): whatever noteUnknown(id, type, description, password, default, options)',
      '1 (b): description notText()',
      '1 (b): password readSwitch()',
      '1 (b): default notText()',
      '2 (c): options readOptions()',
      '3 (d): options readOptions()',
      '5 (good): id readInputSettings()',
      '6 (br}ace): id readId()',
      '7 (8): id readId()',
      '8 (9): readInput()',
    ],
  );
  assert.deepEqual([inputs.length, inputs[0]?.id], [1, 'good']);
});

test('reports a value that is not a list', () => {
  for (const value of [{}, 'a', null]) {
    const [problem, ...others] = readInputSettings(value).problems;
    assert.deepEqual([problem?.path, others], [[], []]);
    assert.equal(said(inEnglish(problem!.text)), 'inputs.readInputSettings()');
  }
});
