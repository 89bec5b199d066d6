import type { CallToolResult, Client, InputRequiredResult } from '@modelcontextprotocol/client';
import { longestTimer } from '../base/pausableTimer.ts';
import type { DirectRequests } from './directRequests.ts';
import type { Forwarded, ForwardedRequest } from './forwarding.ts';
import { withoutAnswers, withoutHop, withoutMark } from './hopParams.ts';
import { type InputRounds, notOffered } from './inputRounds.ts';
import type { RequestedNews } from './requestedNews.ts';

/** How to call a tool. It may take as long as it takes; the signal ends it. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** What requests need of the session they are made in. */
export interface RequestParts {
  readonly client: Client;
  readonly direct: DirectRequests;
  readonly rounds: InputRounds;
  readonly news: RequestedNews;
}

/** The requests to one server that may lead to questions of its own. */
export class ServerRequests {
  private readonly parts: RequestParts;

  constructor(parts: RequestParts) {
    this.parts = parts;
  }

  /**
   * Calls a tool; its result is of the form that the protocol demands.
   *
   * @throws {HumanError} when the server asks for something it was not offered, or again and again.
   */
  async callTool({ name, arguments: args, signal }: ToolCall): Promise<CallToolResult> {
    const { client, rounds, news } = this.parts;
    // Some tools take their time, and who waits can cancel.
    const options = { timeout: longestTimer, ...(signal && { signal }), allowInputRequired: true };
    const call = { name, arguments: { ...args }, ...news.callExtras };
    const request = { method: 'tools/call', params: call } as const;
    const outcome = await rounds.run<CallToolResult | InputRequiredResult>({
      ...request,
      // Not `client.callTool`: it holds the question against the schema that the tool's answer has.
      send: params => client.request({ ...request, params: { ...call, ...params } }, options),
    });
    if (outcome.kind === 'questions') {
      const [question] = Object.values(outcome.requests);
      throw notOffered(request, question?.method ?? '');
    }
    return outcome.result as CallToolResult;
  }

  /**
   * Sends a request of somebody else, in the same turn.
   *
   * @throws {ProtocolError} the server's own error.
   * @throws {HumanError} when the server asks for something it was not offered, or again and again,
   *   or the answers that it is to be sent are none.
   */
  async forward({ params, answers, ...request }: ForwardedRequest): Promise<Forwarded> {
    const { client, direct, rounds, news } = this.parts;
    const own = withoutAnswers(withoutHop(params));
    const _meta = { ...news.callExtras._meta, ...Object(own['_meta']) };
    const outcome = await rounds.run({
      ...request,
      params: Object.keys(_meta).length > 0 ? { ...own, _meta } : own,
      answers,
      send: sent => direct.send({ ...request, params: sent }),
    });
    return outcome.kind === 'result'
      ? { kind: 'result', result: withoutMark(outcome.result, client.getProtocolEra()) }
      : outcome;
  }
}
