import { type Client, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import type { LogLevel } from '../domain/logLevels.ts';

const toolsChanged = 'notifications/tools/list_changed';

/** What a server tells of itself because it was asked to: its log, and changes of its tools. */
export class RequestedNews {
  private readonly client: Client;
  private readonly didChangeTools = new Emitter<void>();
  private level: LogLevel;

  /** The server says that it has other tools now. A server may say it as fast as it likes. */
  readonly onDidChangeTools: Event<void> = this.didChangeTools.event;

  /** @param level the least level at which messages are wanted. */
  constructor(client: Client, level: LogLevel) {
    this.client = client;
    this.level = level;
    client.setNotificationHandler(toolsChanged, () => this.didChangeTools.fire());
  }

  /** What a call of a tool carries besides. */
  get callExtras(): { readonly _meta?: Readonly<Record<string, unknown>> } {
    return this.isModern ? { _meta: { [LOG_LEVEL_META_KEY]: this.level } } : {};
  }

  /** Asks for what the server offers to tell. To be called once, when the handshake is over. */
  request(): void {
    this.requestLevel();
    if (this.isModern && this.client.getServerCapabilities()?.tools?.listChanged) {
      // Without it the rows are only as old as the last look at them, so a refusal is no failure.
      this.client.listen({ toolsListChanged: true }).catch(() => {});
    }
  }

  /** Changes which messages are wanted. */
  setLevel(level: LogLevel): void {
    if (level !== this.level) {
      this.level = level;
      this.requestLevel();
    }
  }

  /** Nothing is told of any more. */
  dispose(): void {
    this.didChangeTools.dispose();
  }

  /** A server of the later revisions is told with each call instead. */
  private requestLevel(): void {
    const { client } = this;
    if (client.getProtocolEra() === 'legacy' && client.getServerCapabilities()?.logging) {
      // One that refuses goes on to say what it likes, and all of it is written.
      client.setLoggingLevel(this.level).catch(() => {});
    }
  }

  private get isModern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }
}
