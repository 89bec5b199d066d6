import { eventually } from '../ui/support/eventually.ts';

/** A JSON-RPC message that passed between the extension, which is the client, and a server. */
export interface Message {
  readonly direction: 'to server' | 'from server';
  readonly body: {
    readonly method?: string;
    readonly result?: unknown;
    readonly error?: unknown;
  };
}

/** The conversation as the extension traces it in a server's output channel (`mcpRoots.trace`). */
export class Conversation {
  private readonly lines: () => readonly string[];
  private told = 0;

  /** @param lines reads the log of the server as it is now. */
  constructor(lines: () => readonly string[]) {
    this.lines = lines;
  }

  /** The messages that passed since the last time this was asked. */
  news(): Message[] {
    const all = this.all();
    const news = all.slice(this.told);
    this.told = all.length;
    return news;
  }

  /** Waits until a message passed that `isWanted`, of those that were not told as news yet. */
  async waitFor(what: string, isWanted: (message: Message) => boolean): Promise<Message> {
    return eventually(() => {
      const found = this.all().slice(this.told).find(isWanted);
      if (!found) {
        throw new Error(`The log does not show ${what}.`);
      }
      return found;
    });
  }

  private all(): Message[] {
    return this.lines().flatMap(line => {
      const [, arrow, json = ''] = /\] ([→←]) (\{.*\})$/.exec(line) ?? [];
      return arrow
        ? [{ direction: arrow === '→' ? 'to server' : 'from server', body: JSON.parse(json) }]
        : [];
    });
  }
}
