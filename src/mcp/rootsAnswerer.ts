import {
  type CallToolRequest,
  type CallToolResult,
  type Client,
  type InputRequiredResult,
  isInputRequiredResult,
  type JSONRPCRequest,
  type RequestOptions,
  type Result,
} from '@modelcontextprotocol/client';
import { Debounce } from '../base/debounce.ts';
import type { IDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { HumanError } from '../domain/errors.ts';
import type { Era, Trigger } from '../domain/exposure.ts';
import { type Root, sameRoots } from '../domain/roots.ts';

/** What a server was handed, and why. */
export interface Answer {
  readonly era: Era;
  readonly trigger: Trigger;
  readonly roots: readonly Root[];
}

/** The roots capability of a client that serves roots. (Model Context Protocol, client/roots.) */
export const rootsCapability = { roots: { listChanged: true } } as const;

const noticeTimes = { quiet: 50, longest: 1000 };
const mostRounds = 10;

/**
 * Hands one server its roots: the only place on this side that knows how roots travel.
 *
 * Legacy servers ask with `roots/list`, are answered at once from memory, and are told of every
 * change by `notifications/roots/list_changed`. Modern ones ask inside a call, which is then
 * repeated with the answer; the notification does not exist there.
 */
export class RootsAnswerer implements IDisposable {
  private readonly client: Client;
  private readonly notice = new Debounce(() => this.notify(), noticeTimes);
  private readonly didAnswer = new Emitter<Answer>();
  private roots: readonly Root[] | undefined;
  private told: readonly Root[] | undefined;

  readonly onDidAnswer: Event<Answer> = this.didAnswer.event;

  /** @param roots `undefined` when the server is refused altogether: it then has nothing to ask for. */
  constructor(client: Client, roots: readonly Root[] | undefined) {
    this.client = client;
    this.roots = roots;
    this.told = roots;
  }

  /**
   * The answer to `roots/list` from a server that may ask for it, given in the moment it is asked:
   * through the request handlers of the SDK it would take almost twice the time. `undefined` for
   * every other request, which the SDK then answers, or refuses as the specification says.
   */
  answerAtOnce({ method }: JSONRPCRequest): Result | undefined {
    const isServed = this.roots && this.client.getProtocolEra() !== 'modern';
    return isServed && method === 'roots/list'
      ? { roots: this.answer({ kind: 'roots/list' }) }
      : undefined;
  }

  /** Sets what the next answer says. A server that was offered no roots is offered none by this. */
  setRoots(roots: readonly Root[]): void {
    if (this.roots && !sameRoots(this.roots, roots)) {
      this.roots = roots;
      this.notice.request();
    }
  }

  /**
   * Calls a tool, fulfilling what the server asks for on the way.
   *
   * @throws {HumanError} when it asks for something it was not offered, or again and again.
   */
  async callTool(
    call: CallToolRequest['params'],
    options: RequestOptions,
  ): Promise<CallToolResult> {
    let params = call;
    for (let round = 0; round <= mostRounds; round++) {
      // Not `client.callTool`: it holds the question against the schema that the tool's answer has.
      const request = { method: 'tools/call', params } as const;
      const result: CallToolResult | InputRequiredResult = await this.client.request(request, {
        ...options,
        allowInputRequired: true,
      });
      if (!isInputRequiredResult(result)) {
        return result;
      }
      params = { ...call, ...this.fulfil(result, call.name) };
    }
    throw new HumanError('The tool "{0}" asked for input again and again.', call.name);
  }

  dispose(): void {
    this.notice.dispose();
    this.didAnswer.dispose();
  }

  private fulfil({ inputRequests = {}, requestState }: InputRequiredResult, tool: string) {
    const answers = Object.entries(inputRequests).map(([key, { method }]) => {
      if (method !== 'roots/list' || !this.roots) {
        throw new HumanError(
          'The tool "{0}" asked for {1}, which it was not offered.',
          tool,
          method,
        );
      }
      return [key, { roots: this.answer({ kind: 'tools/call', tool }) }];
    });
    // The state is echoed exactly, and left out when none came. (2026-07-28, basic/patterns/mrtr)
    return {
      inputResponses: Object.fromEntries(answers),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }

  private answer(trigger: Trigger): Root[] {
    const roots = this.roots ?? [];
    this.told = roots;
    // Only a legacy server can ask before the handshake has told its era.
    this.didAnswer.fire({ era: this.client.getProtocolEra() ?? 'legacy', trigger, roots });
    return [...roots];
  }

  private notify(): void {
    // Equal lists are no change: a folder that came and went within the burst is nobody's news.
    if (!this.roots || !this.told || sameRoots(this.told, this.roots)) {
      return;
    }
    const era = this.client.getProtocolEra();
    if (!era) {
      // The handshake is not over. A server that asked before its end is told after it.
      this.notice.request();
      return;
    }
    this.told = this.roots;
    if (era === 'legacy') {
      // It fails only when the process is gone, and the connection reports that.
      this.client.sendRootsListChanged().catch(() => {});
    }
  }
}
