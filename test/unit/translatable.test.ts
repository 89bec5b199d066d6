import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..', '..');

const files = globSync('src/**/*.ts', { cwd: root });

test('each text to translate is a whole literal with placeholders, in one number', () => {
  assert.ok(files.length > 300, `only ${files.length} files were read`);
  const wrong = files.flatMap(file => {
    const code = readFileSync(join(root, file), 'utf8');
    // A translator sees the quoted text, not the program's result.
    const made = code.match(/\b(?:t|sentence|\w+Error)\(\s*`(?:[^`\\]|\\.)*`/g) ?? [];
    const inBothNumbers = code.match(/'[^'\n]*\w\(s\)[^'\n]*'/g) ?? [];
    const isForPersons = (text: string) => !/^\w+Error/.test(text) || text.startsWith('HumanError');
    return [...made.filter(isForPersons), ...inBothNumbers].map(text => `${file}: ${text}`);
  });
  assert.deepEqual(wrong, []);
});

test('no value in a text becomes a link or an icon by its neighbors', () => {
  const wrong = files.flatMap(file => {
    const code = readFileSync(join(root, file), 'utf8');
    const texts = code.match(/'(?:[^'\\\n]|\\.)*'/g) ?? [];
    return texts
      .filter(text => /\{\d+\}(?:\(|\{\d)|[\]$]\{\d+\}/.test(text) && text.includes(' '))
      .map(text => `${file}: ${text}`);
  });
  assert.deepEqual(wrong, []);
});
