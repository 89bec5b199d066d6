import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually.ts';
import { lookAt } from './lookAt.ts';

/** The notifications a window shows. */
export class Notifications {
  private readonly page: Page;
  private readonly toasts: Locator;
  private readonly center: Locator;

  constructor(page: Page) {
    this.page = page;
    this.toasts = page.locator('.notification-toast .notification-list-item');
    this.center = page.locator('.notifications-center.visible');
  }

  /** The messages shown now, the newest first. */
  async read() {
    const toasts = await this.toasts.all();
    return Promise.all(
      toasts.map(async toast => ({
        message: await messageOf(toast),
        buttons: await toast.locator('.monaco-button').allInnerTexts(),
      })),
    );
  }

  /** Waits for a notification that says `text`, and returns all it says. */
  async waitFor(text: string): Promise<string> {
    return eventually(async () => messageOf(await this.saying(text)));
  }

  /** Reads the notification that says `text`, and clicks a button of it. */
  async click(text: string, button: string): Promise<void> {
    await eventually(async () => {
      const notification = await this.saying(text);
      await lookAt(notification);
      const named = notification.getByRole('button', { name: button, exact: true });
      await named.click({ timeout: 5_000 });
    });
  }

  /**
   * The notification, as soon as it appears. After ten seconds it moves to the notification center,
   * read or not.
   */
  private async saying(text: string): Promise<Locator> {
    const listed = this.center.locator('.notification-list-item');
    const wanted = this.toasts.or(listed).filter({ hasText: text }).first();
    const isThere = await wanted.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (!isThere && !(await this.center.isVisible())) {
      await this.page.locator('[id="status.notifications"]').click();
    }
    return wanted;
  }
}

/** @throws when it is gone meanwhile. */
async function messageOf(toast: Locator): Promise<string> {
  const message = toast.locator('.notification-list-item-message');
  return (await message.textContent({ timeout: 5_000 })) ?? '';
}
