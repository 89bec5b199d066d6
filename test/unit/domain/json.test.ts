import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printParseErrorCode } from 'jsonc-parser';
import { jsonProblem } from '../../../src/domain/json.ts';

test('has words for every code of the parser', () => {
  const codes = Array.from({ length: 16 }, (_, at) => printParseErrorCode(at + 1));
  const unknown = codes.filter(code => jsonProblem(code) === jsonProblem('another'));
  assert.deepEqual([codes.length, unknown], [16, []]);
});
