/**
 * The editor's state of an extension in a profile: one value. Each window writes its copy whole,
 * and the other windows learn of it later. (VS Code, `ExtensionMemento`.)
 */
export class ProfileState {
  private readonly windows: WindowState[] = [];
  private readonly channels = new Map<string, (() => void)[]>();
  writes = 0;

  open(): WindowState {
    // It begins with its page's value, which equals the stored one.
    const window = new WindowState(this, `${this.windows.length}`, this.windows[0]?.page ?? '{}');
    this.windows.push(window);
    return window;
  }

  send(channel: string, message: () => void): void {
    this.channels.set(channel, [...(this.channels.get(channel) ?? []), message]);
  }

  /** Delivers the next message of a channel that has one; returns whether there was any. */
  deliver(pick = 0): boolean {
    const open = [...this.channels].filter(([, { length }]) => length > 0);
    const [, messages] = open[pick % Math.max(1, open.length)] ?? [];
    messages?.shift()?.();
    return messages !== undefined;
  }

  deliverAll(): void {
    while (this.deliver()) {}
  }

  /** A page sends each saved value to the other pages, in one order, and to its own host again. */
  keep(from: WindowState, text: string): void {
    this.writes += 1;
    for (const window of this.windows) {
      const accept = () => window.accept(text);
      if (window === from) {
        accept();
      } else {
        this.send(`pages tell ${window.name}`, accept);
      }
    }
  }
}

class WindowState {
  readonly name: string;
  page: string;
  isPageDead = false;
  private readonly profile: ProfileState;
  private value: Record<string, unknown>;
  private isScheduled = false;

  constructor(profile: ProfileState, name: string, page: string) {
    this.profile = profile;
    this.name = name;
    this.page = page;
    this.value = JSON.parse(page);
  }

  get(key: string): undefined {
    return this.value[key] as undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.value[key] = JSON.parse(JSON.stringify(value));
    if (!this.isScheduled) {
      this.isScheduled = true;
      this.profile.send(`host ${this.name}`, () => {
        this.isScheduled = false;
        const text = JSON.stringify(this.value);
        this.profile.send(`host ${this.name}`, () => this.set(text));
      });
    }
  }

  accept(text: string): void {
    if (!this.isPageDead && text !== this.page) {
      this.page = text;
      this.profile.send(`page ${this.name}`, () => {
        this.value = JSON.parse(text);
      });
    }
  }

  private set(text: string): void {
    if (!this.isPageDead && text !== this.page) {
      this.profile.keep(this, text);
    }
  }
}
