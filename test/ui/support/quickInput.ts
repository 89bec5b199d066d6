import type { Locator, Page } from 'playwright-core';
import { lookAt } from './lookAt.ts';

/** A line of a list to pick from. */
export interface QuickItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Undefined where only one can be picked. */
  readonly checked?: boolean;
}

/** How long something is waited for, in milliseconds. */
interface Patience {
  readonly timeout?: number;
}

/** The list to pick from, or the box to type into, that opens at the top of a window. */
export class QuickInput {
  private readonly page: Page;
  private readonly widget: Locator;
  private readonly input: Locator;

  constructor(page: Page) {
    this.page = page;
    this.widget = page.locator('.quick-input-widget');
    this.input = this.widget.locator('input.input');
  }

  /** The title of the open list. */
  titled(text: string): Locator {
    return this.page.locator('.quick-input-title').getByText(text);
  }

  /** Waits until it is open with `text` in its title, its placeholder or its prompt. */
  async waitFor(text: string): Promise<void> {
    await this.widget.filter({ visible: true }).waitFor();
    const title = this.page.locator('.quick-input-title, .quick-input-message').getByText(text);
    const placeholder = this.page.getByPlaceholder(text);
    await this.widget
      .filter({ has: title.or(placeholder) })
      .filter({ visible: true })
      .waitFor();
  }

  /** The items from top to bottom, once there is one. */
  async items(): Promise<QuickItem[]> {
    const rows = this.widget.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    const items = await rows.evaluateAll(elements =>
      elements.map(element => {
        const [row, meta] = element.querySelectorAll('.quick-input-list-row');
        return {
          index: Number(element.getAttribute('data-index')),
          label: row?.querySelector('.label-name')?.textContent ?? '',
          description: row?.querySelector('.label-description')?.textContent ?? '',
          detail: meta?.querySelector('.label-name')?.textContent ?? '',
          checked: element.getAttribute('aria-checked'),
        };
      }),
    );
    return items
      .sort((a, b) => a.index - b.index)
      .map(({ index: _, checked, ...item }) =>
        checked ? { ...item, checked: checked === 'true' } : item,
      );
  }

  /** Picks one item, which closes a list where only one can be picked. */
  async pick(label: string, options: Patience = {}): Promise<void> {
    // The tooltip of a row below covers the list while the pointer is on the row.
    await this.page.mouse.move(0, 0);
    await this.item(label).first().waitFor(options);
    await this.read(options);
    await this.item(label).locator('.label-name').first().click(options);
  }

  /** Checks or unchecks an item of a list where several can be picked: of some, that with the text. */
  async setChecked(label: string, checked: boolean, text = ''): Promise<void> {
    await this.item(label)
      .filter({ hasText: text })
      .locator('.monaco-checkbox')
      .setChecked(checked);
  }

  /** Types into it, replacing its text. */
  async type(text: string, options: Patience = {}): Promise<void> {
    await this.input.fill(text, options);
  }

  /** Confirms the picked or typed value. */
  async accept(): Promise<void> {
    await this.read();
    await this.input.press('Enter');
  }

  /** Closes it without an answer. */
  async dismiss(): Promise<void> {
    await this.input.press('Escape');
  }

  /** Reads a list with a title: every list that decides what a server may see has one. */
  private async read(options: Patience = {}): Promise<void> {
    await this.widget.filter({ visible: true }).waitFor(options);
    const title = this.page.locator('.quick-input-title').filter({ hasText: /./ });
    if (await title.isVisible()) {
      await lookAt(title);
    }
  }

  private item(label: string): Locator {
    return this.widget.locator('.quick-input-list .monaco-list-row').filter({
      has: this.page.locator('.label-name').first().getByText(label, { exact: true }),
    });
  }
}
