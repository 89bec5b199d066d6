import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { said, templates, textsOf } from '../support/texts.ts';

const golden = join(import.meta.dirname, '..', 'texts.golden');

test('texts.golden has every text for people and models, as `npm run texts` writes it', t => {
  const lines = templates().map(({ key, text }) => `${key}: ${text.replaceAll('\n', '\n  ')}\n`);
  t.assert.fileSnapshot(lines.join(''), golden, { serializers: [text => text] });
});

test('names a text by its file and by its function or property', () => {
  const code = [
    "import { a } from './file.ts';",
    'const words = {',
    "  gone: 'it is ' + 'gone', // 'not this one'",
    "  'not-found': sentence('was not found'),",
    '};',
    'function tell(name: string) {',
    "  const pattern = /don't look here/;",
    "  return name ? `The server ${quoted(name, 'in two words')} has ${words.gone}.` : 'one';",
    '}',
  ];
  assert.deepEqual(textsOf('file', code.join('\n')), [
    { key: 'file.words.gone', text: 'it is gone' },
    { key: 'file.words.not-found', text: 'was not found' },
    { key: 'file.tell', text: 'The server {0} has {1}.' },
    { key: 'file.tell.2', text: 'in two words' },
  ]);
});

test('says a sentence by the keys of its texts and its values', () => {
  const [server] = templates().filter(({ text }) => text === 'Start Server');
  assert.ok(server);
  assert.equal(said('Start Server'), `${server.key}()`);
  assert.equal(said('Nobody wrote this.\nStart Server'), `"Nobody wrote this." ${server.key}()`);
});
