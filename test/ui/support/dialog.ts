import type { Locator, Page } from 'playwright-core';

/** What a modal dialog says, and its buttons from left to right. */
export interface DialogText {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

/** The modal dialog of a window. Everything here waits until one is open. */
export class Dialog {
  private readonly box: Locator;

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
