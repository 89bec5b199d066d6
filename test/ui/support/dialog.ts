import type { Locator, Page } from 'playwright-core';

/** What a modal dialog says, and its buttons from left to right. */
export interface DialogText {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** The modal dialog of a window. Everything here waits until one is open. */
export class Dialog {
  /** There while one is open. */
  readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator('.monaco-dialog-box');
  }

  async read(): Promise<DialogText> {
    await this.box.waitFor();
    const textOf = async (part: string) => (await this.box.locator(part).allInnerTexts()).join('');
    return {
      message: await textOf('.dialog-message-text'),
      detail: await textOf('.dialog-message-detail'),
      buttons: await this.box.locator('.dialog-buttons').getByRole('button').allInnerTexts(),
    };
  }

  /** The parts of it that are not seen whole: outside of the window, or cut off in their box. */
  async hiddenParts(): Promise<string[]> {
    await this.box.waitFor();
    return this.box.page().evaluate<string[]>(hiddenParts);
  }

  /** Clicks a button and waits until the dialog that had it is gone. */
  async click(button: string): Promise<void> {
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

/** Run in the page, whose types are not those of the tests. */
const hiddenParts = `(() => {
  const parts = ['text', 'detail'].map(part => '.monaco-dialog-box .dialog-message-' + part);
  const all = document.querySelectorAll([...parts, '.monaco-dialog-box .monaco-button'].join());
  return [...all]
    .filter(element => {
      const boxes = [new DOMRect(0, 0, innerWidth, innerHeight)];
      for (let box = element.parentElement; box; box = box.parentElement) {
        if (getComputedStyle(box).overflow !== 'visible') {
          boxes.push(box.getBoundingClientRect());
        }
      }
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return boxes.some(box =>
        top < box.top - 1 || bottom > box.bottom + 1 || left < box.left - 1 || right > box.right + 1);
    })
    .map(element => element.className + ': ' + element.textContent);
})()`;
