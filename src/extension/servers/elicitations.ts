import { Emitter, type Event } from '../../base/emitter.ts';
import { Limiter } from '../../base/limiter.ts';
import type { ServerDefinition } from '../../domain/servers/serverDefinition.ts';
import type { ClientRelay } from '../../mcp/relayedRequests.ts';

/** What a person did with a question of a server. (2025-11-25, client/elicitation.) */
export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/**
 * Asks a person what a server asks by these parameters; the signal takes the question back.
 *
 * @throws an error with a code for the server when they are none of a question.
 */
export type AskPerson = (
  serverLabel: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<ElicitationAnswer>;

/** Whose question it is. */
type Asking = Pick<ServerDefinition, 'id' | 'label'>;

/** One question at a time, of whichever server. A flood of them is declined. */
const limits = { running: 1, waiting: 10 };

/** Has the person before this window asked what its servers ask. */
export class Elicitations {
  private readonly ask: AskPerson;
  private readonly queue = new Limiter(limits);
  private readonly didComplete = new Emitter<string>();

  /** A server said that what it sent the person to a page for is done; see {@link completionKey}. */
  readonly onDidComplete: Event<string> = this.didComplete.event;

  constructor(ask: AskPerson) {
    this.ask = ask;
  }

  /** @param whileAsked is told of each question that a person has not answered yet. */
  relayOf(
    server: Asking,
    whileAsked: (answer: Promise<ElicitationAnswer>) => Promise<ElicitationAnswer>,
  ): ClientRelay {
    return {
      capabilities: { elicitation: { form: {}, url: {} } },
      answer: ({ params }, signal) => whileAsked(this.answer(server, params, signal)),
      complete: id => this.didComplete.fire(completionKey(server, id)),
    };
  }

  /** Asks when it is its turn; declined when too many wait for theirs. */
  async answer(
    { label }: Asking,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer> {
    const answer = await this.queue.run(() => this.ask(label, params, signal), signal);
    return answer === 'busy' ? { action: 'decline' } : answer;
  }
}

/** The id of a page's question, which is unique among those of its server. */
export function completionKey({ id }: Pick<Asking, 'id'>, elicitationId: string): string {
  return JSON.stringify([id, elicitationId]);
}
