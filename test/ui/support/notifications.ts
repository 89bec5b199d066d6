import type { Locator, Page } from 'playwright-core';

/** A notification in the lower right corner. */
export interface NotificationText {
  readonly message: string;
  readonly buttons: readonly string[];
}

/** The notifications a window shows. */
export class Notifications {
  private readonly toasts: Locator;

  constructor(page: Page) {
    this.toasts = page.locator('.notification-toast .notification-list-item');
  }

  /** What is shown now, newest first. */
  async read(): Promise<NotificationText[]> {
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
    return messageOf(this.saying(text));
  }

  /** Clicks a button of the notification that says `text`. */
  async click(text: string, button: string): Promise<void> {
    await this.saying(text).getByRole('button', { name: button, exact: true }).click();
  }

  private saying(text: string): Locator {
    return this.toasts.filter({ hasText: text }).first();
  }
}

async function messageOf(toast: Locator): Promise<string> {
  return (await toast.locator('.notification-list-item-message').textContent()) ?? '';
}
