import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../../../src/domain/sentence.ts';
import { readEnvFile } from '../../../../src/domain/settings/envFile.ts';
import { said } from '../../../support/texts.ts';

function read(...lines: string[]) {
  const { variables, problems } = readEnvFile(lines.join('\n'));
  return problems.length > 0 ? problems.map(problem => said(inEnglish(problem))) : variables;
}

test('reads variables line by line, without comments, spaces and the word export', () => {
  assert.deepEqual(
    read(
      ...['# comment', '', '  A=1', 'export B = two words  ', 'C=a=b==', 'D=', 'E=x # comment'],
      ...['F=x#y', 'G= # comment', '\tH.i-j=$A ${B}', 'A=3'],
    ),
    { A: '3', B: 'two words', C: 'a=b==', D: '', E: 'x', F: 'x#y', G: '', 'H.i-j': '$A ${B}' },
  );
});

test('reads a value between quotes over several lines', () => {
  assert.deepEqual(
    read(
      'A=" x # y " # comment',
      'B=\'a\\n"b"\'',
      'C="a\\nb\\t\\"c\\" \\\\n \\x"',
      'D=`it\'s "both"`',
      ...['E="-----BEGIN-----', 'F=1', '-----END-----"', 'G=""', 'H="a\\\\"'],
    ),
    {
      A: ' x # y ',
      B: 'a\\n"b"',
      C: 'a\nb\t"c" \\n \\x',
      D: 'it\'s "both"',
      E: '-----BEGIN-----\nF=1\n-----END-----',
      G: '',
      H: 'a\\',
    },
  );
});

test('reads files of every system and editor alike', () => {
  const expected = { A: '1', B: 'two\nlines', C: '3' };
  for (const end of ['\n', '\r\n', '\r']) {
    const text = `\ufeff${['A=1', 'B="two', 'lines"', 'C=3', ''].join(end)}`;
    assert.deepEqual(readEnvFile(text), { variables: expected, problems: [] });
  }
  assert.deepEqual(readEnvFile(''), { variables: {}, problems: [] });
});

test('reports a mistake with its line number and never with its text', () => {
  assert.deepEqual(
    read('A=1', 'hunter2', '2B=hunter2', 'C="a" hunter2', 'D=2', "E='hunter2", 'F=3', '=hunter2'),
    [
      'envFile.mistakes.unread(2)',
      'envFile.mistakes.unread(3)',
      'envFile.mistakes.more(4)',
      'envFile.mistakes.open(6)',
      'envFile.mistakes.unread(8)',
    ],
  );
});

test('reads valid lines beside mistakes', () => {
  assert.deepEqual(readEnvFile("A=1\nwrong\nE='open\nB=2\n").variables, { A: '1', B: '2' });
});

test('treats an inherited name of objects like others', () => {
  const { variables } = readEnvFile('__proto__=1\nconstructor=2');
  assert.deepEqual(Object.entries(variables), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});
