import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HumanError, inEnglish, isHumanError, sentence } from '../../../src/domain/sentence.ts';

test('fills in a sentence by position, and keeps a placeholder without a value', () => {
  assert.equal(
    inEnglish(sentence('{1} before {0}, {0} twice, {2} open.', 'a', '{1}$&')),
    '{1}$& before a, a twice, {2} open.',
  );
});

test('a human error has an English message and keeps its sentence for translation', () => {
  const error = new HumanError('The tool "{0}" is unknown.', 'x');
  const sentence = { template: 'The tool "{0}" is unknown.', values: ['x'] };
  assert.deepEqual([error.message, error.sentence], ['The tool "x" is unknown.', sentence]);
});

test('a human error is recognized across bundles, other errors are not', () => {
  class FromAnotherBundle extends Error {
    override readonly name = 'HumanError';
  }
  const human = [new HumanError('x'), new FromAnotherBundle()];
  const all = [...human, new Error('x'), 'HumanError', undefined];
  assert.deepEqual(all.filter(isHumanError), human);
});
