import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { inEnglish } from '../../src/domain/sentence.ts';
import { failureSentence, type ToldEnd } from '../../src/domain/servers/failureSentence.ts';
import { lastWords } from '../../src/domain/servers/lastWords.ts';

/** What a server written like this writes to its standard error, as much of it as is kept. */
function stderrOf(program: string): readonly string[] {
  const { stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  return stderr.split('\n').slice(0, -1).slice(-20);
}

describe('the last words of a program of Node', () => {
  const ends: Readonly<Record<string, string>> = {
    "throw new Error('no key')": 'Error: no key',
    "throw 'a text'": 'a text',
    "require('no-such-module')": "Error: Cannot find module 'no-such-module'",
    'const a = ;': "SyntaxError: Unexpected token ';'",
    "Promise.reject(new Error('later'))": 'Error: later',
    "throw Object.assign(new TypeError('bad\\nsecond line'), { code: 'E', list: [1, 2] })":
      'TypeError: bad',
    "throw new Error('outer', { cause: new Error('inner') })": 'Error: outer',
    "throw new AggregateError([new Error('one'), new Error('other')], 'many')": 'Error: other',
    "console.error(new Error('first')); console.error('giving up'); process.exit(2)": 'giving up',
    "console.error('Error: first try'); console.error('no luck'); process.exit(2)": 'no luck',
  };
  for (const [program, words] of Object.entries(ends)) {
    test(`are not its version: ${program}`, () => {
      const stderr = stderrOf(program);
      assert.ok(lastWords(stderr)?.includes(words), `${lastWords(stderr)}\n${stderr.join('\n')}`);
    });
  }
});

test('the last words of other programs are their last line', () => {
  const python = ['Traceback (most recent call last):', '  File "x", line 1', "KeyError: 'k'"];
  const java = ['Exception in thread "main" java.lang.Error: none', '\tat A.main(A.java:3)'];
  const npm = [
    'npm error 404 Not Found',
    'npm error A complete log of this run can be found in: x',
  ];
  const usage = ['usage: server [options]', '  --fast  quicker', ''];
  assert.deepEqual([python, java, npm, usage, ['', ' '], []].map(lastWords), [
    "KeyError: 'k'",
    'Exception in thread "main" java.lang.Error: none',
    'npm error 404 Not Found',
    '--fast  quicker',
    undefined,
    undefined,
  ]);
});

test('a server that never answers is told of with what it printed instead', () => {
  const said = [0, 1, 2].map(rubbishLines =>
    inEnglish(failureSentence({ kind: 'silent', seconds: 30, rubbishLines })),
  );
  assert.deepEqual(said, [
    'did not answer within 30 seconds',
    'did not answer within 30 seconds, and printed a line that is no message of MCP',
    'did not answer within 30 seconds, and printed 2 lines that are no messages of MCP',
  ]);
});

test('a server that ended without a word is told of with what it printed instead', () => {
  const said = (end: ToldEnd) =>
    [0, 1, 2].map(rubbishLines => inEnglish(failureSentence({ kind: 'ended', end, rubbishLines })));
  assert.deepEqual(said({ code: 0, signal: null, stderr: [] }), [
    'ended with exit code 0',
    'ended with exit code 0, and printed a line that is no message of MCP',
    'ended with exit code 0, and printed 2 lines that are no messages of MCP',
  ]);
  const killed = said({ code: null, signal: 'SIGTERM', stderr: ['\n'] }).at(-1);
  assert.equal(killed, 'ended by SIGTERM, and printed 2 lines that are no messages of MCP');
  const words = said({ code: 1, signal: null, stderr: ['no such option'] });
  assert.deepEqual(new Set(words), new Set(['ended with exit code 1: no such option']));
});

test('a server that closed its output is told of as that, and not by how it was ended', () => {
  const said = (rubbishLines: number, ...stderr: string[]) => {
    const end = { code: null, signal: 'SIGTERM', stderr };
    return inEnglish(failureSentence({ kind: 'ended', end, hadClosedOutput: true, rubbishLines }));
  };
  assert.deepEqual(
    [said(0), said(2), said(2, 'no more space')],
    [
      'closed its output and went on running',
      'closed its output and went on running, and printed 2 lines that are no messages of MCP',
      'closed its output and went on running: no more space',
    ],
  );
});
