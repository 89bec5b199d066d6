import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseTree } from 'jsonc-parser';
import {
  type JsonNode,
  placeInTree,
  tooDeepAt,
  valueOfTree,
} from '../../../src/domain/jsonTree.ts';

const text = `{
  // A comment
  "list": [1, { "a": "b" }],
  "__proto__": { "x": 1 },
  "twice": { "k": 1 }, "twice": { "k": 2 },
}`;
const root = parseTree(text, [], { allowTrailingComma: true }) as JsonNode;

/** The text of a place, after that of its name if it has one. */
function shown(...path: readonly (string | number)[]): string {
  const { key, value, isExact } = placeInTree(root, path);
  const [name, what] = [key, value].map(
    node => node && text.slice(node.offset, node.offset + node.length),
  );
  return `${isExact ? '' : 'near '}${name === undefined ? '' : `${name} `}${what}`;
}

describe('the tree of a JSON text', () => {
  test('says what the parser would say, but for keys that are there twice and special ones', () => {
    const { value, twice } = valueOfTree(root);
    const entries = [
      ['list', [1, { a: 'b' }]],
      ['__proto__', { x: 1 }],
      ['twice', { k: 2 }],
    ];
    deepEqual(value, Object.fromEntries(entries));
    deepEqual(twice, [{ path: ['twice'], offset: text.lastIndexOf('"twice"') }]);
  });

  test('knows where each part is, and what is around one that is missing', () => {
    deepEqual(
      [
        shown('list', 0),
        shown('list', 1, 'a'),
        shown('twice', 'k'),
        shown('list', 1, 'b', 'c'),
        shown('list', 'a'),
      ],
      ['1', '"a" "b"', '"k" 2', 'near { "a": "b" }', 'near "list" [1, { "a": "b" }]'],
    );
  });

  test('is not asked for where the text is nested too deep; brackets in texts and comments are none', () => {
    equal(tooDeepAt('['.repeat(100)), undefined);
    equal(tooDeepAt(`${'['.repeat(100)}{`), 100);
    const flat = ['"{\\"{"', '// {{', '/* [ \n [ */'].map(one => one.repeat(300)).join('\n');
    equal(tooDeepAt(flat), undefined);
    equal(tooDeepAt(`"${'{'.repeat(200)}`), undefined);
  });
});
