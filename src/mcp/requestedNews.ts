import { type Client, LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { Emitter, type Event } from '../base/emitter.ts';
import type { LogLevel } from '../domain/logLevels.ts';

/** The kinds of things that a server lists. */
export type Listed = 'tools' | 'resources' | 'prompts';

const listed = ['tools', 'resources', 'prompts'] as const;

/** Asks one server for its log and for notices of changed lists, and passes on the latter. */
export class RequestedNews {
  private readonly client: Client;
  private readonly didChangeList = new Emitter<Listed>();
  /** Aborted when nobody listens any more: a server that never answers is not waited for then. */
  private readonly end = new AbortController();
  private level: LogLevel;

  /** The server announces that a list has changed. It may do so at any rate. */
  readonly onDidChangeList: Event<Listed> = this.didChangeList.event;

  /** @param level the least level of the wanted messages. */
  constructor(client: Client, level: LogLevel) {
    this.client = client;
    this.level = level;
    for (const what of listed) {
      const notice = `notifications/${what}/list_changed` as const;
      client.setNotificationHandler(notice, () => this.didChangeList.fire(what));
    }
  }

  /** Metadata for each request: a modern server is asked for its log with every call. */
  get callExtras(): { readonly _meta?: Readonly<Record<string, unknown>> } {
    return this.isModern ? { _meta: { [LOG_LEVEL_META_KEY]: this.level } } : {};
  }

  /**
   * Asks for the log and for the notices that the server offers. To be called once, after the
   * handshake.
   */
  request(): void {
    this.requestLevel();
    const capabilities = this.client.getServerCapabilities();
    const told = listed.filter(what => capabilities?.[what]?.listChanged);
    if (this.isModern && told.length > 0) {
      const filter = Object.fromEntries(told.map(what => [`${what}ListChanged`, true]));
      // Without notices a list is read again when it is needed, so a refusal is no failure.
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

  /** Ends the requests for notices; none is passed on any more. */
  dispose(): void {
    this.end.abort();
    this.didChangeList.dispose();
  }

  /** A server of the later revisions is told with each call instead. */
  private requestLevel(): void {
    const { client } = this;
    if (client.getProtocolEra() === 'legacy' && client.getServerCapabilities()?.logging) {
      // A server that refuses logs at its own level, and all of that is written.
      client.setLoggingLevel(this.level).catch(() => {});
    }
  }

  private get isModern(): boolean {
    return this.client.getProtocolEra() === 'modern';
  }
}
