import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Asking } from '../../../../src/domain/gate/gate.ts';
import { judge, judgeUse, withoutRefused } from '../../../../src/domain/gate/gate.ts';
import { foldedName, isLeftIn } from '../../../../src/domain/gate/toolsChosen.ts';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { said } from '../../../support/texts.ts';

const asking = (tools: readonly (readonly string[])[], ...hidden: string[]): Asking => ({
  server: { definition: { label: 'files', tools } },
  client: {
    name: 'codex',
    isAllowed: true,
    isWithdrawn: false,
    hiddenTools: new Set(hidden.map(foldedName)),
  },
});

function outcome(params: object, asked: Asking): string {
  const verdict = judge({ method: 'tools/call', params: { ...params }, ...asked });
  return verdict.kind === 'refused' ? said(inEnglish(verdict.why)) : verdict.kind;
}

test('refuses a tool that the definition or the user leaves out, with the reason', () => {
  const asked = asking([['get_*', 'delete']], 'delete');
  deepEqual(
    ['get_it', 'set_it', 'delete'].map(name => outcome({ name }, asked)),
    ['passes', 'toolsChosen.leftOut(files, set_it)', 'toolsChosen.turnedOff(delete, files)'],
  );
  equal(judgeUse(asked).kind, 'passes');
});

/** Names that a model, a person or a server may take for "delete_file". */
const likes = [
  ...[
    'Delete_File',
    'DELETE_FILE',
    'ｄｅｌｅｔｅ＿ｆｉｌｅ',
    'delete\u200b_file',
    '\ufeffdelete_file',
  ],
  ...[
    'delete_file\u00ad',
    'dele\u2060te_file',
    'delete_file\ufe0f',
    'delete_file\0',
    'delete_file\n',
  ],
  ...[
    ' delete_file',
    'delete_file\u00a0',
    '\u202edelete_file',
    'delete_ﬁle',
    '\u{e0064}delete_file',
  ],
];

test('knows a hidden tool by every like name', () => {
  const ways = [
    asking([], 'delete_file'),
    asking([['!delete_*']]),
    asking([], 'DELETE\u200b_file'),
  ];
  for (const asked of ways) {
    for (const name of ['delete_file', ...likes]) {
      ok(outcome({ name }, asked).startsWith('toolsChosen.'), JSON.stringify(name));
    }
    equal(outcome({ name: 'deletefile' }, asked), 'passes');
  }
  equal(foldedName('e\u0301'), foldedName('é'));
  equal(foldedName('e\u200b\u0301'), foldedName('é'));
});

test('hides all tools whose names are alike, and leaves the same list if none is hidden', () => {
  const names = ['delete_file', 'delete_file', ...likes, 'read'];
  const result = { tools: names.map(name => ({ name })), nextCursor: '2' };
  deepEqual(withoutRefused('tools/list', result, asking([], 'delete_file')), {
    tools: [{ name: 'read' }],
    nextCursor: '2',
  });
  equal(withoutRefused('tools/list', result, asking([['*'], ['!x']], 'y')), result);
});

test('judges every name in a request, because servers read keys in any letter case', () => {
  const asked = asking([], 'delete');
  for (const params of [{ name: 'get', Name: 'delete' }, { NAME: 'delete' }]) {
    equal(outcome(params, asked), 'toolsChosen.turnedOff(delete, files)');
  }
  for (const name of [['delete'], { toString: 1 }, null, 5]) {
    equal(outcome({ name }, asked), 'toolsChosen.toolsChosen.why()', JSON.stringify(name));
    equal(outcome({ name }, asking([])), 'passes');
  }
});

test('judges only calls of tools', () => {
  const asked = asking([['!*']], 'delete');
  const prompt = { method: 'prompts/get', params: { name: 'delete' }, ...asked };
  equal(judge(prompt).kind, 'passes');
});

test('keeps a tool that matches a positive pattern and no negative one', () => {
  const kept = (name: string, ...demands: string[][]) => isLeftIn(foldedName(name), demands);
  const cases: readonly (readonly [isLeftIn: boolean, name: string, ...demands: string[][]])[] = [
    [true, 'any'],
    [true, 'any', ['*']],
    [true, 'get_a', ['get_*']],
    [true, 'get_', ['GET_*']],
    [false, 'forget_a', ['get_*']],
    [true, 'a', ['!b']],
    [false, 'b', ['!b', 'b']],
    [false, 'b', ['b', '!b']],
    [false, 'a_secret_b', ['!*secret*']],
    [true, 'aXbYc', ['a*b*c']],
    [false, 'aXcYb', ['a*b*c']],
    [false, 'ab', ['ab*b']],
    [true, 'abb', ['ab*b']],
    [false, 'a', ['*'], ['!a']],
    [false, 'a', ['b'], ['a']],
    [true, 'a.c', ['a.c']],
    [false, 'abc', ['a.c']],
    [false, 'a', ['!*']],
  ];
  deepEqual(
    cases.filter(([expected, ...one]) => kept(...one) !== expected),
    [],
  );
  ok(!kept('a'.repeat(100_000), [`${'a*'.repeat(1000)}b`]));
});
