import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from './eventually.ts';
import type { Workbench } from './workbench.ts';

/** The text editor of a window, with what stands above its lines and what is marked in them. */
export class FileEditor {
  private readonly workbench: Workbench;
  private readonly editor: Locator;

  constructor(workbench: Workbench) {
    this.workbench = workbench;
    this.editor = workbench.page.locator('.editor-instance .monaco-editor').first();
  }

  /** Opens a file of the window by its name, as the list of files has it. */
  async open(name: string): Promise<void> {
    const { page, quickInput } = this.workbench;
    await page.keyboard.press('Control+P');
    await quickInput.type(name);
    await quickInput.pick(name.split('/').at(-1) ?? name);
    await this.shows(name.split('/').at(-1) ?? name);
  }

  /** Waits until the tab of this file is to the fore. */
  async shows(name: string): Promise<void> {
    await this.workbench.page.locator('.tab.active').getByText(name, { exact: true }).waitFor();
  }

  /** The lines above those of the text from top to bottom, when they are these. */
  async showsLenses(...expected: readonly RegExp[]): Promise<void> {
    await eventually(async () => {
      const lenses = await this.lenses();
      assert.equal(lenses.length, expected.length, lenses.join('\n'));
      for (const [index, lens] of lenses.entries()) {
        assert.match(lens, expected[index]!);
      }
    });
  }

  /**
   * Clicks a part of the line that says so above one of the text until something is seen: the editor
   * loses a click on a line that it draws anew.
   */
  async clickLensUntil(seen: Locator, line: string, title: string): Promise<void> {
    const lens = this.editor.locator('.codelens-decoration', { hasText: line });
    await eventually(async () => {
      if (!(await seen.isVisible())) {
        await lens.getByText(title, { exact: true }).first().click({ timeout: 5_000 });
        await seen.waitFor({ timeout: 5_000 });
      }
    });
  }

  /** Puts the caret at a line and column, both from 1. */
  async goTo(line: number, column: number): Promise<void> {
    const { page, quickInput } = this.workbench;
    await this.editor.locator('.view-lines').click();
    await page.keyboard.press('Control+G');
    await quickInput.type(`:${line}:${column}`);
    await quickInput.accept();
    await this.workbench.page.getByText(`Ln ${line}, Col ${column}`).waitFor();
  }

  /** What is offered to be written at the caret. */
  async completions(): Promise<readonly string[]> {
    const { page } = this.workbench;
    const rows = page.locator('.suggest-widget.visible .monaco-list-row .label-name');
    return eventually(async () => {
      await page.keyboard.press('Control+Space');
      await rows.first().waitFor({ timeout: 3_000 });
      return rows.allInnerTexts();
    });
  }

  private async lenses(): Promise<readonly string[]> {
    const found = await this.editor.locator('.codelens-decoration').evaluateAll(elements =>
      elements.map(element => ({
        top: element.getBoundingClientRect().top,
        text: (element as { innerText?: string }).innerText ?? '',
      })),
    );
    return found
      .filter(({ text }) => text.trim() !== '')
      .sort((a, b) => a.top - b.top)
      .map(({ text }) => text.replaceAll(/\s+/g, ' '));
  }
}
