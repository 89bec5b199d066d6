import { type IDisposable, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { ClientRelay } from '../../mcp/relayedRequests.ts';

/** A person's answer to a question of a server. (2025-11-25, client/elicitation.) */
export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/**
 * Asks a person what a server asks by these parameters; the signal takes the question back.
 *
 * @param onAskNow the person asks for the question, which need not be announced any more.
 * @throws an error with a code for the server when they are none of a question.
 */
export type AskPerson = (
  serverLabel: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  onAskNow: Event<void>,
) => Promise<ElicitationAnswer>;

type AskingServer = Pick<ServerDefinition, 'id' | 'label'>;

/** A question that a person has not answered yet. */
export interface OpenElicitation {
  readonly server: AskingServer;
  readonly params: Readonly<Record<string, unknown>>;
  /** Has the person answer it at once, past all other questions. */
  readonly askNow: () => void;
}

/** So many questions of a server may be open. Of a flood the rest is cancelled: no person said no. */
const mostOpen = 11;

/** Has the person before this window asked what its servers ask. */
export class Elicitations {
  private readonly ask: AskPerson;
  /** Other places that ask the person, by the servers whose questions belong there. */
  private readonly places = new Set<{ readonly serverId: string; readonly ask: AskPerson }>();
  private readonly asked = new Set<OpenElicitation>();
  private readonly didChange = new Emitter<undefined>();
  private readonly didComplete = new Emitter<string>();

  /** There are others {@link openOf} any server. */
  readonly onDidChange: Event<undefined> = this.didChange.event;

  /** A server said that what it sent the person to a page for is done; see {@link completionKey}. */
  readonly onDidComplete: Event<string> = this.didComplete.event;

  constructor(ask: AskPerson) {
    this.ask = ask;
  }

  relayOf(server: AskingServer): ClientRelay {
    return {
      capabilities: { elicitation: { form: {}, url: {} } },
      answer: ({ params }, signal) => this.answer(server, params, signal),
      complete: id => this.didComplete.fire(completionKey(server, id)),
    };
  }

  /** The questions of a server that wait for an answer, in the order in which they came. */
  openOf({ id }: Pick<AskingServer, 'id'>): readonly OpenElicitation[] {
    return [...this.asked].filter(({ server }) => server.id === id);
  }

  /**
   * Has what a server asks from now on asked in another place, until the answer is disposed of: where
   * the person waits for that server. Of several places it is the last.
   */
  askIn(serverId: string, ask: AskPerson): IDisposable {
    const place = { serverId, ask };
    this.places.add(place);
    return toDisposable(() => this.places.delete(place));
  }

  /** Asks; cancelled when too many of this server are open. */
  async answer(
    server: AskingServer,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    if (this.openOf(server).length >= mostOpen) {
      return { action: 'cancel' };
    }
    const askedNow = new Emitter<void>();
    const open = { server, params, askNow: () => askedNow.fire() };
    this.asked.add(open);
    this.didChange.fire(undefined);
    try {
      const place = [...this.places].findLast(({ serverId }) => serverId === server.id);
      return await (place?.ask ?? this.ask)(server.label, params, signal, askedNow.event);
    } finally {
      this.asked.delete(open);
      this.didChange.fire(undefined);
    }
  }
}

/** The id of a page's question, which is unique among those of its server. */
export function completionKey({ id }: Pick<AskingServer, 'id'>, elicitationId: string): string {
  return JSON.stringify([id, elicitationId]);
}
