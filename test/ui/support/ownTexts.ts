import { webview } from './webview.ts';
import type { Workbench } from './workbench.ts';

/**
 * All that is written now in what is of this extension in a window, and what a screen reader says
 * there: its views, and whatever question, list, message, menu and tab is open.
 */
export async function ownTexts({ page }: Workbench): Promise<readonly string[]> {
  const ofPage = await page.evaluate<string[]>(readTexts(ownParts));
  const tab = page.locator('.webview.ready').filter({ visible: true });
  const ofTab =
    (await tab.count()) > 0
      ? await webview(page)
          .locator('body')
          .evaluate<string[], unknown>(readTexts({ body: ['*'] }))
      : [];
  return [...ofPage, ...ofTab];
}

/** The parts of a window, and in each the elements that are written by extensions. */
const ownParts: Readonly<Record<string, readonly string[]>> = {
  '.part.sidebar .pane': [
    '.title',
    '.description',
    '.label-name',
    '.label-description',
    '[role=treeitem]',
    '.welcome-view-content p',
    '.monaco-button',
  ],
  '.part.sidebar .pane .pane-body, .part.sidebar .pane-header': [],
  '.monaco-dialog-box': ['.dialog-message-text', '.dialog-message-detail', '.monaco-button'],
  '.quick-input-widget': [
    '.quick-input-title',
    '.quick-input-message',
    'input.input',
    '.label-name',
    '.label-description',
    '.quick-input-list-separator',
  ],
  '.notification-list-item': ['.notification-list-item-message', '.monaco-button'],
  '.context-view .monaco-menu': ['.action-label'],
  '.statusbar-item[id*=mcp-roots]': ['a'],
  '.contentWidgets .codelens-decoration': ['a', 'span'],
};

/** Run in the page, whose types are not those of the tests. */
function readTexts(parts: Readonly<Record<string, readonly string[]>>): string {
  return `(() => {
  const isShown = element => element.checkVisibility() && element.getClientRects().length > 0;
  const texts = new Set();
  for (const [part, inside] of Object.entries(${JSON.stringify(parts)})) {
    for (const element of [...document.querySelectorAll(part)].filter(isShown)) {
      for (const one of inside.length > 0 ? element.querySelectorAll(inside.join()) : []) {
        if (!isShown(one)) continue;
        const own = inside[0] === '*'
          ? [...one.childNodes].filter(node => node.nodeType === 3).map(node => node.data)
          : [one.innerText];
        const attributes = ['aria-label', 'title', 'placeholder', 'aria-description'];
        for (const text of [...own, ...attributes.map(name => one.getAttribute(name))]) {
          if (text?.trim()) texts.add(text.trim());
        }
      }
    }
  }
  return [...texts];
})()`;
}
