import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page, WebSocket } from 'playwright-core';
import { patience } from '../../support/patience.ts';
import type { CodeServer } from '../../vscode/codeServer.ts';
import { workbenchUrl } from '../../vscode/workbenchUrl.ts';
import { Dialog } from './dialog.ts';
import { eventually } from './eventually.ts';
import { Notifications } from './notifications.ts';
import { QuickInput } from './quickInput.ts';
import { TreeView } from './treeView.ts';

/** Where pictures of the window go. */
const artifacts = join(import.meta.dirname, '..', '..', '..', 'artifacts');

/** How a window looks from outside. */
export interface WindowOptions {
  /** Absolute path of a `.code-workspace` file. */
  readonly workspace: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** Pixels of a picture for each pixel of the window. */
  readonly scale?: number;
}

/** An editor window, seen and used as a person would: everything waits until it can be done. */
export class Workbench {
  readonly page: Page;
  readonly dialog: Dialog;
  readonly notifications: Notifications;
  readonly quickInput: QuickInput;
  /** The open page's connections to its server: its own, and the extension host's. */
  private readonly connections = new Set<WebSocket>();

  private constructor(page: Page) {
    this.page = page;
    page.on('websocket', socket => {
      this.connections.add(socket);
      socket.on('close', () => this.connections.delete(socket));
    });
    page.on('framenavigated', frame => {
      if (frame === page.mainFrame()) {
        this.connections.clear(); // Connections of the earlier page end with it, without an event.
      }
    });
    this.dialog = new Dialog(page);
    this.notifications = new Notifications(page);
    this.quickInput = new QuickInput(page);
  }

  /** Opens a window of the editor that `server` serves. It shares no state with other windows. */
  static async open(
    browser: Browser,
    server: CodeServer,
    { workspace, size = { width: 1280, height: 800 }, scale = 1 }: WindowOptions,
  ): Promise<Workbench> {
    const context = await browser.newContext({
      viewport: size,
      deviceScaleFactor: scale,
      // Tabs with pages of extensions get their files through one.
      serviceWorkers: 'allow',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(patience);
    const workbench = new Workbench(await context.newPage());
    // The browser's own question whether to leave the page.
    workbench.page.on('dialog', dialog => dialog.accept());
    await workbench.page.goto(workbenchUrl(server, { workspace }));
    await workbench.waitUntilReady();
    await workbench.waitForFolders();
    return workbench;
  }

  /** Opens another window of the same editor, which shares the state that all its windows share. */
  async openBeside(server: CodeServer, workspace: string): Promise<Workbench> {
    const other = new Workbench(await this.page.context().newPage());
    await other.page.goto(workbenchUrl(server, { workspace }));
    await other.waitUntilReady();
    await other.waitForFolders();
    return other;
  }

  /**
   * The editor now and then opens a workspace file that it has not seen before without the folders
   * in it, and has them when the window is loaded again.
   */
  private async waitForFolders(): Promise<void> {
    const folder = this.page.locator('.explorer-folders-view [role=treeitem]').first();
    const areThere = await folder.waitFor({ timeout: 20_000 }).then(
      () => true,
      () => false,
    );
    if (!areThere) {
      await this.reload();
      await folder.waitFor();
    }
  }

  /** Reloads the window, like a restart of the editor: extensions start again. */
  async reload(): Promise<void> {
    await this.leave();
    await this.page.reload();
    await this.waitUntilReady();
  }

  /**
   * Kills the extension host, and waits for the next one, which the editor starts. If its server
   * reports the end after more than two seconds, a person must reload the window.
   */
  async killHost(pid: number): Promise<void> {
    const withoutHost = this.page.getByText('There is no data provider registered').first();
    process.kill(pid, 'SIGKILL');
    await withoutHost.waitFor();
    try {
      await withoutHost.waitFor({ state: 'hidden', timeout: 30_000 });
    } catch {
      await this.reload();
    }
  }

  /** Closes the window like a person: extensions get a notice and deactivate. */
  async close(): Promise<void> {
    await this.leave();
    await this.page.context().close();
  }

  /**
   * Runs a command by its whole title, such as `View: Toggle Output`, from the command palette. The
   * palette closes when a row gets an earlier requested focus: then this opens it again.
   */
  async runCommand(title: string): Promise<void> {
    const soon = { timeout: 10_000 };
    await eventually(async () => {
      await this.page.keyboard.press('F1');
      // A changed text makes the editor search again: it may have come before the commands did.
      await this.quickInput.type('>', soon);
      await this.quickInput.type(`>${title}`, soon);
      await this.quickInput.pick(title, soon);
    });
  }

  /** Starts a server by its row, with all folders that it is asked about, for that long. */
  async start(server: string, scope: string): Promise<void> {
    await this.view('Servers').clickActionUntil(this.dialog.box, 'Start Server', server);
    await this.dialog.click('Allow');
    await this.quickInput.pick(scope);
  }

  /** Makes the side bar wider by dragging its edge. */
  async widenSideBar(pixels: number): Promise<void> {
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await this.page.locator('.part.sidebar').boundingBox()) ?? {};
    const [edge, middle] = [x + width, y + height / 2];
    await this.page.mouse.move(edge, middle);
    await this.page.mouse.down();
    await this.page.mouse.move(edge + pixels, middle, { steps: 5 });
    await this.page.mouse.up();
  }

  /** Makes the side bar that wide, as far as the editor allows it. */
  async setSideBarWidth(pixels: number): Promise<void> {
    await eventually(async () => {
      const { width = 0 } = (await this.page.locator('.part.sidebar').boundingBox()) ?? {};
      if (Math.abs(width - pixels) > 1) {
        await this.widenSideBar(pixels - width);
        throw new Error(`The side bar was ${width} pixels wide.`);
      }
    });
    // The edge is marked as long as the pointer is on it.
    await this.page.mouse.move(0, 0);
  }

  /** Opens the view container of that title from the activity bar, unless it is open. */
  async openContainer(title: string): Promise<void> {
    const shown = this.page.locator('.part.sidebar .composite.title').getByText(title);
    // A window that is still restoring its layout may put another one over it.
    await eventually(async () => {
      if (!(await shown.isVisible())) {
        await this.tab(title).click({ timeout: 5_000 });
        await shown.waitFor({ timeout: 5_000 });
      }
    });
  }

  /**
   * Drags a folder, which the Explorer shows, over the tab of another view container, which opens
   * it, and drops it on a place there.
   */
  async dragFromExplorer(
    name: string,
    container: string,
    place: () => Promise<Locator>,
  ): Promise<void> {
    await this.openContainer('Explorer');
    const row = this.page.locator('.explorer-folders-view').getByRole('treeitem', { name });
    await row.hover();
    await this.page.mouse.down();
    const title = this.page.locator('.part.sidebar .composite.title').getByText(container);
    const tab = this.tab(container);
    // A tab notices a drag when the pointer moves, and opens when it stays.
    await eventually(async () => {
      await moveOver(this.page, tab);
      await title.waitFor({ timeout: 3_000 });
    });
    // Rows appear and move while the view opens; the row that would take the drop is marked.
    await eventually(async () => {
      const target = await place();
      await moveOver(this.page, target);
      await target.and(this.page.locator('.drop-target')).waitFor({ timeout: 1_000 });
    });
    await this.page.mouse.up();
  }

  /** The number on the icon of a view container; undefined without one. */
  async badge(title: string): Promise<number | undefined> {
    const text = await this.tab(title).locator('.badge-content').textContent();
    return text ? Number(text) : undefined;
  }

  /** The view of that name in the open view container. */
  view(name: string): TreeView {
    const title = this.page.locator('.pane-header .title').getByText(name, { exact: true });
    return new TreeView(this.page.locator('.part.sidebar .pane').filter({ has: title }));
  }

  /** Clicks the status bar item that says `text`. */
  async clickStatusBar(text: string): Promise<void> {
    await this.page.locator('.statusbar-item', { hasText: text }).click();
  }

  /** Takes a picture of the window, or of a part of it, as `artifacts/<name>.png`. */
  async screenshot(name: string, part: Locator = this.page.locator('body')): Promise<void> {
    mkdirSync(artifacts, { recursive: true });
    const path = join(artifacts, `${name}.png`);
    // A row that happens to be under the pointer must not show its tooltip.
    const style = '.workbench-hover { visibility: hidden; }';
    await part.screenshot({ path, style, animations: 'disabled' });
  }

  /** The visible texts of the window, part by part, for a failing test. */
  async words(): Promise<string> {
    const parts = [
      '.monaco-dialog-box',
      '.quick-input-widget',
      '.notification-toast',
      '.part.sidebar',
      '.tab',
      '.part.statusbar',
    ];
    const texts = await Promise.all(
      parts.map(async part => {
        const seen = this.page.locator(part).filter({ visible: true });
        return (await seen.allInnerTexts()).map(text => `${part}: ${text.replaceAll(/\s+/g, ' ')}`);
      }),
    );
    return texts.flat().join('\n');
  }

  private tab(title: string): Locator {
    // The editor adds what the badge says after the title, and a keybinding.
    const label = `[aria-label="${title}"], [aria-label^="${title} "]`;
    const icon = this.page.locator(`.action-label:is(${label})`);
    return this.page.locator('.part.activitybar').getByRole('tab').filter({ has: icon });
  }

  /**
   * Lets the editor do what it does when its page is left, while the page is still there. It tells
   * the extension host to end only after the server has taken its leave of the window, and a page
   * that is really left is often gone by then: the extension host, with all that extensions have
   * started, then waits three hours for the window to come back.
   */
  private async leave(): Promise<void> {
    if (this.page.isClosed()) {
      return;
    }
    await this.page.evaluate("dispatchEvent(new Event('pagehide'))");
    await eventually(() => {
      if (this.connections.size > 0) {
        throw new Error(`The editor that is left keeps ${this.connections.size} connections.`);
      }
    });
  }

  private async waitUntilReady(): Promise<void> {
    await this.page.locator('.part.activitybar [role=tab]').first().waitFor();
    // Shown once the connection to the server stands.
    await this.page.locator('[id="status.host"]').waitFor();
  }
}

/** Moves the pointer to the middle of a place, and a little on it. */
async function moveOver({ mouse }: Page, place: Locator): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {};
  const [left, top] = [x + width / 2, y + height / 2];
  await mouse.move(left - 3, top, { steps: 5 });
  await mouse.move(left, top, { steps: 3 });
}
