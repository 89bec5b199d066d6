import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { shown, withIcon } from '../../../src/domain/shown.ts';

/** Links of VS Code 1.105 to 1.139 in messages and input boxes (`parseLinkedText`). */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

/** Texts that it draws as icons (`renderLabelWithIcons`). */
const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;

test('defuses links, icons and invisible characters in text from outside', () => {
  const texts = [
    '[x](command:mcpRoots.revokeAll)',
    '[x](command:y?%5B%22a%22%5D "title") and [y](https://a.b/) and [z](FILE:///etc)',
    '[[x]](command:y)',
    '[x]]((command:y)',
    '[x]\u200b(command:y)',
    '[x]\r\n(command:y)',
    '[a\nb](command:y)',
    '$(trash)',
    '$$(trash)((trash)',
    '\\$(sync~spin)',
    '$\u200b(trash)',
    '$\u0000(trash)',
    '$[x](command:y)$(trash)](command:y)',
  ];
  for (const text of texts) {
    // A message that the editor shows is one line.
    for (const fit of [shown(text), shown(text).replace(/\r\n|\n|\r/g, ' '), shown(shown(text))]) {
      equal(fit.match(link), null, fit);
      equal(fit.match(icon), null, fit);
      equal(/[\0\u200b]/.test(fit), false, fit);
    }
  }
});

test('keeps the wording of a text, and changes it only once', () => {
  const plain = 'C:\\a (x86)\\[slug] $HOME ${roots} $5 (five)\n\tname[0]: f(x)';
  equal(shown(plain), plain);
  const defused = '[x] (command:y) costs $ (trash)';
  equal(shown('[x](command:y) costs $(trash)'), defused);
  equal(shown(defused), defused);
});

test('draws an icon of the extension, and none beside it', () => {
  equal(withIcon('edit', '$(trash) it'), '$(edit) $ (trash) it');
});
