import type { Locator } from 'playwright-core';
import { clickPart } from './clickPart.ts';
import { eventually } from './eventually.ts';

/** A row of a tree as a person sees it, and as a screen reader says it. */
export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** 1 for a row at the top. */
  readonly level: number;
  /** Undefined for a row without a checkbox. */
  readonly checked?: boolean;
  readonly ariaLabel: string;
}

/** The word that a row says first beside its label. */
export interface FirstWord {
  readonly label: string;
  readonly text: string;
  /** Whether no letter of it is cut off for lack of room. */
  readonly isWhole: boolean;
  /** Whether it is marked: then its buttons take the room of its words. */
  readonly isMarked: boolean;
  /** Whether the row is on the screen. */
  readonly isInView: boolean;
}

/** A tree view in the side bar: its rows, and what a hand can do to them. */
export class TreeView {
  private readonly pane: Locator;
  private readonly items: Locator;

  constructor(pane: Locator) {
    this.pane = pane;
    this.items = pane.getByRole('treeitem');
  }

  /** The rows from top to bottom, as they are now. Rows scrolled out of view are not among them. */
  async rows(): Promise<TreeRow[]> {
    const rows = await this.items.evaluateAll(elements =>
      elements.map(element => ({
        index: Number(element.getAttribute('data-index')),
        label: element.querySelector('.label-name')?.textContent ?? '',
        description: element.querySelector('.label-description')?.textContent ?? '',
        level: Number(element.getAttribute('aria-level')),
        checked: element.querySelector('[role=checkbox]')?.getAttribute('aria-checked'),
        ariaLabel: element.getAttribute('aria-label') ?? '',
      })),
    );
    return rows
      .sort((a, b) => a.index - b.index)
      .map(({ index: _, checked, ...row }) =>
        checked ? { ...row, checked: checked === 'true' } : row,
      );
  }

  /** How the rows of a level begin to tell of themselves, from top to bottom. */
  async firstWords(level: number): Promise<FirstWord[]> {
    const list = this.pane.locator('.monaco-list').first();
    return list.evaluate(firstWords, level);
  }

  /** The title of the view, without its name. */
  async description(): Promise<string> {
    return (await this.pane.locator('.pane-header .description').textContent()) ?? '';
  }

  /** The text above the rows; empty without one. */
  async message(): Promise<string> {
    return (
      await this.pane.locator('.tree-explorer-viewlet-tree-view > .message').innerText()
    ).trim();
  }

  /** The text and buttons in place of the rows, when the view is empty. */
  async welcome(): Promise<string> {
    const content = this.pane.locator('.welcome-view-content');
    await content.waitFor();
    return (await content.allInnerTexts()).join('\n');
  }

  /** Clicks a button in the welcome text. */
  async clickWelcome(button: string): Promise<void> {
    await this.pane.locator('.welcome-view').getByRole('button', { name: button }).click();
  }

  /** Clicks a row. */
  async click(label: string): Promise<void> {
    await clickPart(() => this.row(label), '.label-name');
  }

  /** Clicks a row with the key that adds it to the selection. */
  async addToSelection(label: string): Promise<void> {
    await clickPart(() => this.row(label), '.label-name', { modifiers: ['ControlOrMeta'] });
  }

  /** Clicks a row with the other button and picks from the menu that opens. */
  async chooseFromMenu(item: string, label: string): Promise<void> {
    const row = await this.row(label);
    const menu = this.pane.page().locator('.context-view .monaco-menu');
    const choice = menu.getByRole('menuitem', { name: item, exact: true });
    await eventually(async () => {
      if (!(await choice.isVisible())) {
        await row.locator('.label-name').click({ button: 'right', timeout: 5_000 });
        await choice.waitFor({ timeout: 5_000 });
      }
    });
    // A menu does not take a click in its first moment, which may be the end of the one before.
    await eventually(async () => {
      if (await choice.isVisible()) {
        await choice.click({ timeout: 2_000 });
        await choice.waitFor({ state: 'hidden', timeout: 2_000 });
      }
    });
  }

  /** Clicks the checkbox of a row. Where several have the label, `under` names the row above that it belongs to. */
  async toggle(label: string, under?: string): Promise<void> {
    await clickPart(() => this.row(label, under), '[role=checkbox]');
  }

  /** Points at a row and clicks the action that appears on it. */
  async clickAction(action: string, label: string, seen?: Locator): Promise<void> {
    await clickPart(() => this.row(label), named(action), { seen });
  }

  /**
   * The same, and waits for the effect. If the editor draws the row anew at that moment, the
   * command gets no row and asks for one in a list: then this leaves the list and clicks again. It
   * also clicks again if the button was drawn anew between press and release, without an effect. A
   * late effect of the first click, on a busy machine, needs no second one.
   */
  async clickActionUntil(seen: Locator, action: string, label: string): Promise<void> {
    const list = this.pane.page().locator('.quick-input-widget').filter({ visible: true });
    await eventually(async () => {
      await this.clickAction(action, label, seen);
      await seen.or(list).first().waitFor({ timeout: 15_000 });
      if (!(await seen.isVisible())) {
        await this.pane.page().keyboard.press('Escape');
        await list.waitFor({ state: 'hidden' });
        throw new Error(`"${action}" asked for a row.`);
      }
    });
  }

  /** Points at a row until its tooltip is there, and returns what that says. */
  async tooltip(label: string): Promise<string> {
    const row = await this.row(label);
    const { mouse } = this.pane.page();
    const contents = this.pane
      .page()
      .locator('.workbench-hover .hover-contents')
      .filter({ hasNotText: 'Loading...' });
    return eventually(async () => {
      await mouse.move(0, 0);
      await contents.waitFor({ state: 'hidden', timeout: 2_000 });
      await row.locator('.label-name').hover({ timeout: 5_000 });
      await contents.waitFor({ timeout: 3_000 });
      return (await contents.allInnerTexts()).join('\n');
    });
  }

  /** Points at the view's title and clicks the action that appears there. */
  async clickTitleAction(action: string): Promise<void> {
    await clickPart(async () => this.pane.locator('.pane-header'), named(action));
  }

  /** A row, for a hand that does something else to it. */
  async row(label: string, under?: string): Promise<Locator> {
    const labelled = this.items.filter({
      has: this.pane.page().locator('.label-name').getByText(label, { exact: true }),
    });
    if (under === undefined) {
      return labelled;
    }
    await labelled.first().waitFor();
    const rows = await this.rows();
    const parent = rows.findIndex(row => row.label === under);
    const index = rows.findIndex((row, at) => at > parent && row.label === label);
    if (parent < 0 || index < 0) {
      throw new Error(
        `No row "${label}" under "${under}" in ${JSON.stringify(rows, undefined, 2)}`,
      );
    }
    return labelled.and(this.pane.locator(`[data-index="${index}"]`));
  }
}

/** An action on a row or in a title, which is there only while the pointer is. */
function named(action: string): string {
  return `[role=button][aria-label=${JSON.stringify(action)}]`;
}

/** The needed parts of the page's types, which the tests do not have. */
interface Part {
  readonly textContent: string | null;
  readonly firstChild: unknown;
  readonly ownerDocument: {
    createRange(): {
      setStart(node: unknown, offset: number): void;
      setEnd(node: unknown, offset: number): void;
      getBoundingClientRect(): Box;
    };
  };
  getAttribute(name: string): string | null;
  getBoundingClientRect(): Box;
  querySelector(selector: string): Part | null;
  querySelectorAll(selector: string): Iterable<Part>;
}

interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly right: number;
}

/** Run in the page. */
function firstWords(element: unknown, level: number): FirstWord[] {
  const list = element as Part;
  const { top, bottom } = list.getBoundingClientRect();
  const rows = [...list.querySelectorAll(`[role=treeitem][aria-level="${level}"]`)];
  const index = (row: Part) => Number(row.getAttribute('data-index'));
  return rows
    .sort((a, b) => index(a) - index(b))
    .map(row => {
      const description = row.querySelector('.label-description');
      const text = (description?.textContent ?? '').split(' · ')[0] ?? '';
      const room = row.querySelector('.monaco-icon-label-container')?.getBoundingClientRect();
      const range = list.ownerDocument.createRange();
      if (description?.firstChild) {
        range.setStart(description.firstChild, 0);
        range.setEnd(description.firstChild, text.length);
      }
      const box = row.getBoundingClientRect();
      return {
        label: row.querySelector('.label-name')?.textContent ?? '',
        text,
        isWhole: range.getBoundingClientRect().right <= (room?.right ?? 0),
        isMarked: /\b(?:focused|selected)\b/.test(row.getAttribute('class') ?? ''),
        isInView: box.top >= top - 1 && box.bottom <= bottom + 1,
      };
    });
}
