import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { jsonProblem } from '../../../src/domain/json.ts';

function problemOf(text: string): string {
  const errors: ParseError[] = [];
  parseTree(text, errors);
  return errors[0] ? jsonProblem(printParseErrorCode(errors[0].error)) : 'none';
}

test('what people get wrong in JSON is told in words', () => {
  const texts = [
    '{ "a": 1 "b": 2 }',
    '{ "a" 1 }',
    '{ "a": }',
    '{ a: 1 }',
    '{ "a": 1',
    '[1',
    '{} }',
    '{ "a": C:/x }',
    String.raw`{ "a": "C:\Users" }`,
    String.raw`{ "a": "\u12" }`,
    '{ "a": "b }',
    '{ "a": "b\tc" }',
    '{ "a": 1. }',
    '/* a',
  ];
  assert.deepEqual(texts.map(problemOf), [
    'a comma is missing',
    'a colon is missing',
    'a value is missing',
    'this is no value; a text has to be in double quotes',
    'a closing brace "}" is missing',
    'a closing bracket "]" is missing',
    'something follows its end',
    'this is no value; a text has to be in double quotes',
    String.raw`a backslash in a text has to be written as "\\"`,
    'after "\\u" there have to be four hexadecimal digits',
    'nothing ends this text: a double quote is missing',
    'a control character cannot stand in a text',
    'this number is cut off',
    'nothing ends this comment',
  ]);
});

test('no code of the parser is left without words', () => {
  const codes = Array.from({ length: 16 }, (_, at) => printParseErrorCode(at + 1));
  const unknown = codes.filter(code => jsonProblem(code) === jsonProblem('another'));
  assert.deepEqual([codes.length, unknown], [16, []]);
});
