import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HumanError, inEnglish, isHumanError, sentence } from '../../../src/domain/sentence.ts';

test('a sentence is filled in by position, and a hole without a value stays one', () => {
  assert.equal(
    inEnglish(sentence('{1} before {0}, {0} twice, {2} open.', 'a', '{1}$&')),
    '{1}$& before a, a twice, {2} open.',
  );
});

test('a human error is told in English and keeps its sentence for translation', () => {
  const error = new HumanError('The tool "{0}" is unknown.', 'x');
  assert.deepEqual(
    [error.message, error.sentence, error.name],
    [
      'The tool "x" is unknown.',
      { template: 'The tool "{0}" is unknown.', values: ['x'] },
      'HumanError',
    ],
  );
});

test('a human error is known as one across bundles, other errors are not', () => {
  class FromAnotherBundle extends Error {
    override readonly name = 'HumanError';
  }
  assert.deepEqual(
    [new HumanError('x'), new FromAnotherBundle(), new Error('x'), 'HumanError', undefined].map(
      isHumanError,
    ),
    [true, true, false, false, false],
  );
});
