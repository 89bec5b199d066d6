import { type IDisposable, toDisposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { ClientRelay } from '../../mcp/link/relayedRequests.ts';

/** A person's answer to a question of a server. (2025-11-25, client/elicitation.) */
export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/**
 * Asks a person the question in a server's parameters. The signal withdraws the question.
 *
 * @param onAskNow fires when the person opens the question. Then no message announces the question.
 * @throws an error with a code for the server when the parameters contain no valid question.
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
  /** Opens the question, before all other questions. */
  readonly askNow: () => void;
}

/** The most open questions of a server. Further ones get `cancel`, because nobody declined them. */
const mostOpen = 11;

/** The questions of servers to the person at this window. */
export class Elicitations {
  private readonly ask: AskPerson;
  /** Pages that show the questions of one server themselves, in place of `ask`. */
  private readonly places = new Set<{ readonly serverId: string; readonly ask: AskPerson }>();
  private readonly asked = new Set<OpenElicitation>();
  private readonly didChange = new Emitter<undefined>();
  private readonly didComplete = new Emitter<string>();

  /** Fires when the {@link openOf open questions} of any server have changed. */
  readonly onDidChange: Event<undefined> = this.didChange.event;

  /** Fires with a {@link completionKey} when the person has finished on the question's web page. */
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

  /** The questions of a server that wait for an answer, in the order of arrival. */
  openOf({ id }: Pick<AskingServer, 'id'>): readonly OpenElicitation[] {
    return [...this.asked].filter(({ server }) => server.id === id);
  }

  /**
   * Passes later questions of a server to `ask` until the result is disposed: in a page, a person
   * waits for this server already. Of several pages, the last page gets the questions.
   */
  askIn(serverId: string, ask: AskPerson): IDisposable {
    const place = { serverId, ask };
    this.places.add(place);
    return toDisposable(() => this.places.delete(place));
  }

  /** Asks the person. Answers `cancel` when this server has too many open questions. */
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

/** The id of a question that leads to a web page, made unique among all servers. */
export function completionKey({ id }: Pick<AskingServer, 'id'>, elicitationId: string): string {
  return JSON.stringify([id, elicitationId]);
}
