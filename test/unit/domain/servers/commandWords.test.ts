import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandWords } from '../../../../src/domain/servers/commandWords.ts';

const plain = { operators: [], isOpen: false };

describe('a command line, split', () => {
  it('has the words that a shell sees, without their quotes', () => {
    const words = ['a b', "it's", '--x=y z', '', 'c d'];
    const line = '"a b" it\\\'s --x="y z" \'\' c\\ d';
    assert.deepEqual(commandWords(line, false), { words, ...plain });
    const ofWindows = { words: ['C:\\a b\\c.exe', '\\d', 'say "hi"'], ...plain };
    assert.deepEqual(commandWords('"C:\\a b\\c.exe" \\d "say \\"hi\\""', true), ofWindows);
  });

  it('goes on in the next line after a backslash', () => {
    const words = ['docker', 'run', '-v', '/etc:/etc'];
    assert.deepEqual(commandWords('docker run \\\n  -v /et\\\nc:/etc', false), { words, ...plain });
  });

  it('knows the operators of a shell, which end words outside quotes', () => {
    assert.deepEqual(commandWords('cat<a|sed "s|x|y|">/b 2>&1;ls', false), {
      words: ['cat', 'a', 'sed', 's|x|y|', '/b', '2', '1', 'ls'],
      operators: ['<', '|', '>', '>&', ';'],
      isOpen: false,
    });
  });

  it('keeps a variable of MCP Roots whole, and every other dollar', () => {
    const words = ['${rootsJoined:| }/a', '$HOME/b', '$(c', 'd)', '${open', 'e'];
    assert.deepEqual(commandWords(words.join(' '), false), { words, ...plain });
  });

  it('is read to its end with an open quote', () => {
    const words = ['dont', 'read', '/a'];
    assert.deepEqual(commandWords("don't read /a", false), { ...plain, words, isOpen: true });
    assert.deepEqual(commandWords('a "b c', true), { ...plain, words: ['a', 'b c'], isOpen: true });
    assert.deepEqual(commandWords('a\\', false), { ...plain, words: ['a'], isOpen: true });
  });
});
