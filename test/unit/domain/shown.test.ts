import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { shown, withIcon } from '../../../src/domain/shown.ts';

/** What VS Code 1.105 to 1.139 makes a link of in messages and input boxes (`parseLinkedText`). */
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

/** What they draw an icon for (`renderLabelWithIcons`). */
const icon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;

test('no text from outside is a link, an icon, or holds what can not be seen', () => {
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

test('a text says what it said, and once is enough', () => {
  const plain = 'C:\\a (x86)\\[slug] $HOME ${roots} $5 (five)\n\tname[0]: f(x)';
  equal(shown(plain), plain);
  const defused = '[x] (command:y) costs $ (trash)';
  equal(shown('[x](command:y) costs $(trash)'), defused);
  equal(shown(defused), defused);
});

test('an icon of ours is drawn, and none beside it', () => {
  equal(withIcon('edit', '$(trash) it'), '$(edit) $ (trash) it');
});
