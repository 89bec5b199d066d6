import type { Locator, Page } from 'playwright-core';
import { lookAt } from './lookAt.ts';

/** The modal dialog of a window. Everything here waits until one is open. */
export class Dialog {
  /** There while one is open. */
  readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator('.monaco-dialog-box');
  }

  /** Its text, and its buttons from left to right. */
  async read() {
    await this.box.waitFor();
    const textOf = async (part: string) => (await this.box.locator(part).allInnerTexts()).join('');
    return {
      message: await textOf('.dialog-message-text'),
      detail: await textOf('.dialog-message-detail'),
      buttons: await this.box.locator('.dialog-buttons').getByRole('button').allInnerTexts(),
    };
  }

  /**
   * Its parts that are not fully visible: outside of the window, cut off in their box, or below the
   * question. The detail must be visible only to the end of this text.
   */
  async hiddenParts(lastSeen: string): Promise<string[]> {
    await this.box.waitFor();
    return this.box.page().evaluate<string[]>(hiddenParts(lastSeen));
  }

  /** Reads it, clicks a button and waits until the dialog that had it is gone. */
  async click(button: string): Promise<void> {
    await lookAt(this.box);
    const clicked = await this.box.elementHandle();
    await this.box
      .locator('.dialog-buttons')
      .getByRole('button', { name: button, exact: true })
      .click();
    await clicked?.waitForElementState('hidden');
  }

  /** Whether one is open now. */
  async isOpen(): Promise<boolean> {
    return this.box.isVisible();
  }
}

/** Runs in the page, which has other types than the tests. */
const hiddenParts = (lastSeen: string) => `(() => {
  const [text, detail] = ['text', 'detail'].map(part =>
    document.querySelector('.monaco-dialog-box .dialog-message-' + part));
  const lastSeen = ${JSON.stringify(lastSeen)};
  const start = detail.textContent.indexOf(lastSeen);
  let left = start + lastSeen.length;
  // A link in the text is a separate node.
  const nodes = document.createTreeWalker(detail, NodeFilter.SHOW_TEXT);
  let node = nodes.nextNode();
  for (; node.length < left; node = nodes.nextNode()) {
    left -= node.length;
  }
  const seen = document.createRange();
  seen.setStart(detail, 0);
  seen.setEnd(node, left);
  const whole = [text, ...document.querySelectorAll('.monaco-dialog-box .monaco-button')];
  const question = text.getBoundingClientRect();
  return [...whole.map(element => [element, element]), [detail, seen]]
    .filter(([element, part]) => {
      const boxes = [new DOMRect(0, 0, innerWidth, innerHeight)];
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (getComputedStyle(box).overflow !== 'visible') {
          boxes.push(box.getBoundingClientRect());
        }
      }
      const { top, bottom, left, right } = part.getBoundingClientRect();
      // Above a text that scrolls, the editor cuts a few pixels off a question of two lines.
      const edge = part === text ? 6 : 1;
      return (part === seen && (start < 0 || top < question.bottom - 1)) || boxes.some(box =>
        top < box.top - edge || bottom > box.bottom + 1 ||
        left < box.left - 1 || right > box.right + 1);
    })
    .map(([element]) => element.className + ': ' + element.textContent);
})()`;
