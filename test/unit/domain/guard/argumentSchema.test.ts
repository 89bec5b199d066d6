import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { declaredMeaning } from '../../../../src/domain/guard/argumentMeaning.ts';

test('a word is no path where its pattern admits nothing but words, whatever it is called', () => {
  const meaning = (pattern: string, text: string) =>
    declaredMeaning([{ description: 'Path of the page', pattern }], text);
  deepEqual(
    [
      meaning('^[a-z]+$', 'abc'),
      meaning('^[A-Za-z0-9_-]{1,64}$', 'abc-1'),
      meaning('^(?:abc|\\d+)$', '12'),
    ],
    ['other', 'other', 'other'],
  );
  // A pattern is the server's word for what it takes, and it may take more.
  deepEqual(
    [
      meaning('^[a-z]+$', '../abc'),
      meaning('^[a-z]+$', 'a.b'),
      meaning('^.+$', 'abc'),
      meaning('[a-z]', 'abc'),
      meaning('^[a-z/]+$', 'abc'),
    ],
    Array(5).fill('path'),
  );
});
