import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { isSameText, withValueAt } from '../../../../src/extension/adding/settingsText.ts';

const key = 'mcpRoots.servers';
const text = `{
  // Of mine.
  "editor.fontSize": 14, // Large.
  "mcpRoots.servers": {
    // The first.
    "one": { "command": "x", /* why */ "args": ["a"] },
    // The second.
    "two": {
      "command": "y",
      "env": {
        "A": "1", // A.
      }
    }, // Its end.
  },
}
`;
const servers = { one: { command: 'x', args: ['a'] }, two: { command: 'y', env: { A: '1' } } };

function changed(after: unknown): string {
  const next = withValueAt(text, [key], servers, after);
  assert.ok(next !== undefined);
  return next;
}

describe('the text of settings', () => {
  it('changes one value, and keeps the text around it', () => {
    const { one, two } = servers;
    assert.equal(changed(servers), text);
    assert.equal(
      changed({ one: { ...one, command: 'z' }, two }),
      text.replace('"command": "x"', '"command": "z"'),
    );
    assert.equal(
      changed({ one, two: { ...two, env: { A: '1', B: '2' } } }),
      text.replace('"A": "1", // A.', '"A": "1",\n        "B": "2", // A.'),
    );
    assert.equal(
      changed({ one: { ...one, args: ['a', 'b'] }, two }).replace(/\s+/g, ''),
      text.replace('["a"]', '["a","b"]').replace(/\s+/g, ''),
    );
  });

  it('keeps comments and form of a list when one item changes', () => {
    const list =
      '{\n  "a": ["x", /* The name. */ "y"], // All.\n  "b": [\n    // One.\n    1\n  ]\n}\n';
    const before = { a: ['x', 'y'], b: [1] };
    assert.equal(
      withValueAt(list, [], before, { a: ['x', 'z'], b: [2] }),
      list.replace('"y"', '"z"').replace('1', '2'),
    );
  });

  it('replaces a key in its place', () => {
    const { one, two } = servers;
    assert.equal(changed({ first: one, two }), text.replace('"one":', '"first":'));
    assert.equal(changed({ one, 'a "b"': two }), text.replace('"two":', '"a \\"b\\"":'));
  });

  it('adds new keys at the end, and removes old keys', () => {
    const { one, two } = servers;
    const added = changed({ one, two, three: { command: 'z' } });
    assert.match(added, /"three": \{\n {6}"command": "z"\n {4}\}/);
    assert.match(
      added,
      /\/\/ Of mine\.[\s\S]*\/\/ Large\.[\s\S]*\/\/ The first\.[\s\S]*\/\* why \*\//,
    );
    assert.equal(changed({ two }), text.replace(/ {4}"one".*\n/, ''));
    assert.equal(changed({ one }), text.replace(/ {4}"two"[\s\S]*(?= \/\/ Its end)/, '    '));
    const [tight, end] = ['{"a": {"b": 1, "c": 2}}', '{\n  "a": 1,\n  "b": 2 // B.\n}\n'];
    assert.equal(withValueAt(tight, ['a'], { b: 1, c: 2 }, { b: 1 }), '{"a": {"b": 1 }}');
    assert.equal(withValueAt(end, [], { a: 1, b: 2 }, { a: 1 }), '{\n  "a": 1\n   // B.\n}\n');
    assert.deepEqual(parse(changed(undefined)), { 'editor.fontSize': 14 });
  });

  it('stays the same when it differs from what is expected, or cannot be read', () => {
    for (const other of [text.replace('"x"', '"w"'), '', '{', '['.repeat(10_000), '{ "a": 1 }']) {
      assert.equal(withValueAt(other, [key], servers, {}), undefined);
    }
  });

  it('keeps line breaks and indentation', () => {
    const own = '{\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}\r\n';
    assert.equal(
      withValueAt(own, ['a'], { b: 1 }, { b: 1, c: 2 }),
      '{\r\n\t"a": {\r\n\t\t"b": 1,\r\n\t\t"c": 2\r\n\t}\r\n}\r\n',
    );
  });

  it('reads back as any new value', () => {
    const value = fc.letrec<{ value: unknown }>(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(1, 'x', true, null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c', '"'), tie('value')),
      ),
    })).value;
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(object, object, (before, after) => {
        const written = JSON.stringify({ x: 1, y: before }, undefined, 2);
        const next = withValueAt(written, ['y'], before, after) ?? '';
        assert.deepEqual(JSON.parse(JSON.stringify(parse(next))), {
          x: 1,
          y: JSON.parse(JSON.stringify(after)),
        });
        assert.ok(isSameText(next, JSON.stringify({ y: after, x: 1 })));
      }),
    );
  });
});
