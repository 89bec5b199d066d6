import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseTree } from 'jsonc-parser';
import {
  type JsonNode,
  placeInTree,
  tooDeepAt,
  valueOfTree,
} from '../../../src/domain/jsonTree.ts';
import { foundAsExpected } from '../../support/cases.ts';

const text = `{
  // A comment
  "list": [1, { "a": "b" }],
  "__proto__": { "x": 1 },
  "twice": { "k": 1 }, "twice": { "k": 2 },
}`;
const root = parseTree(text, [], { allowTrailingComma: true }) as JsonNode;

/** The text of a place, after the text of its name, if any. */
function shown(...path: readonly (string | number)[]): string {
  const { key, value, isExact } = placeInTree(root, path);
  const [name, what] = [key, value].map(
    node => node && text.slice(node.offset, node.offset + node.length),
  );
  return `${isExact ? '' : 'near '}${name === undefined ? '' : `${name} `}${what}`;
}

describe('the tree of a JSON text', () => {
  test('agrees with the parser, except on repeated and special keys', () => {
    const { value, twice } = valueOfTree(root);
    const entries = [
      ['list', [1, { a: 'b' }]],
      ['__proto__', { x: 1 }],
      ['twice', { k: 2 }],
    ];
    deepEqual(value, Object.fromEntries(entries));
    deepEqual(twice, [{ path: ['twice'], offset: text.lastIndexOf('"twice"') }]);
  });

  test('knows the place of each part, and the surroundings of a missing part', () => {
    foundAsExpected({
      item: [shown('list', 0), '1'],
      member: [shown('list', 1, 'a'), '"a" "b"'],
      'the last of two': [shown('twice', 'k'), '"k" 2'],
      'no member': [shown('list', 1, 'b', 'c'), 'near { "a": "b" }'],
      'no item': [shown('list', 'a'), 'near "list" [1, { "a": "b" }]'],
    });
  });

  test('ignores brackets in strings and comments, and is not built for too deep texts', () => {
    equal(tooDeepAt('['.repeat(100)), undefined);
    equal(tooDeepAt(`${'['.repeat(100)}{`), 100);
    const flat = ['"{\\"{"', '// {{', '/* [ \n [ */'].map(one => one.repeat(300)).join('\n');
    equal(tooDeepAt(flat), undefined);
    equal(tooDeepAt(`"${'{'.repeat(200)}`), undefined);
  });
});
