import type { FrameLocator, Locator } from 'playwright-core';
import { webview } from './webview.ts';
import type { Workbench } from './workbench.ts';

/** The tab of a tool in a window, once it is in sight. */
export class ToolTab {
  private readonly workbench: Workbench;
  /** The document of the page. */
  readonly page: FrameLocator;

  private constructor(workbench: Workbench, page: FrameLocator) {
    this.workbench = workbench;
    this.page = page;
  }

  /** @param title of the tool: its name, if it has no other. */
  static async of(workbench: Workbench, title: string): Promise<ToolTab> {
    const page = webview(workbench.page);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    return new ToolTab(workbench, page);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /**
   * The part of the page with the result of the last call, as soon as it appears. A part not drawn
   * yet has a `textContent`, but no `innerText`.
   */
  async outcome(): Promise<Locator> {
    const outcome = this.page.locator('.outcome');
    await outcome.waitFor();
    return outcome;
  }

  async close(): Promise<void> {
    await this.workbench.runCommand('View: Close All Editors');
    await this.workbench.page.locator('.webview').waitFor({ state: 'detached' });
  }
}
