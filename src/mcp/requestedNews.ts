import { type Client, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import type { LogLevel } from '../domain/logLevels.ts';

/** What a server has lists of. */
export type Listed = 'tools' | 'resources' | 'prompts';

const listed = ['tools', 'resources', 'prompts'] as const;

/** What a server tells of itself because it was asked to: its log, and changes of its lists. */
export class RequestedNews {
  private readonly client: Client;
  private readonly didChangeList = new Emitter<Listed>();
  /** Aborted when nobody listens any more: a server that never answers is not waited for then. */
  private readonly end = new AbortController();
  private level: LogLevel;

  /** The server says that it has others of these now. It may say it as fast as it likes. */
  readonly onDidChangeList: Event<Listed> = this.didChangeList.event;

  /** @param level the least level at which messages are wanted. */
  constructor(client: Client, level: LogLevel) {
    this.client = client;
    this.level = level;
    for (const what of listed) {
      const notice = `notifications/${what}/list_changed` as const;
      client.setNotificationHandler(notice, () => this.didChangeList.fire(what));
    }
  }

  /** What a request carries besides. */
  get callExtras(): { readonly _meta?: Readonly<Record<string, unknown>> } {
    return this.isModern ? { _meta: { [LOG_LEVEL_META_KEY]: this.level } } : {};
  }

  /** Asks for what the server offers to tell. To be called once, when the handshake is over. */
  request(): void {
    this.requestLevel();
    const capabilities = this.client.getServerCapabilities();
    const told = listed.filter(what => capabilities?.[what]?.listChanged);
    if (this.isModern && told.length > 0) {
      const filter = Object.fromEntries(told.map(what => [`${what}ListChanged`, true]));
      // Without it a list is only as old as the last look at it, so a refusal is no failure.
      this.client.listen(filter, { signal: this.end.signal }).catch(() => {});
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
    this.end.abort();
    this.didChangeList.dispose();
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
