import {
  type CallToolResult,
  Client,
  type ClientCapabilities,
  type Implementation,
  type InputRequiredResult,
  type JSONRPCMessage,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import type { Event } from '../base/emitter.ts';
import { PausableTimer } from '../base/pausableTimer.ts';
import { longestTimer } from '../base/timeLimit.ts';
import type { LogLevel } from '../domain/logLevels.ts';
import type { Root } from '../domain/roots.ts';
import type { ProtocolChoice } from '../domain/servers/serverDefinition.ts';
import { DirectRequests } from './directRequests.ts';
import type { Failure } from './failure.ts';
import {
  type Forwarded,
  type ForwardedRequest,
  withoutAnswers,
  withoutHop,
  withoutMark,
} from './forwarding.ts';
import { InputRounds, notOffered } from './inputRounds.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { type ClientRelay, offeredMethods, RelayedRequests } from './relayedRequests.ts';
import { type Listed, RequestedNews } from './requestedNews.ts';
import { type Answer, type LookAgain, RootsAnswerer, rootsCapability } from './rootsAnswerer.ts';
import { type ServerLogEntry, ServerMessages } from './serverMessages.ts';
import type { ConnectionTimes } from './times.ts';
import type { Traffic, Wire } from './wire.ts';

/** What a session needs to begin. */
export interface SessionStart {
  readonly clientInfo: Implementation;
  readonly wire: Wire;
  /** `undefined`: the server is offered no roots at all. */
  readonly roots: readonly Root[] | undefined;
  /** Comes before each answer with roots; `undefined`: what is set is always true. */
  readonly look: LookAgain | undefined;
  readonly protocol: ProtocolChoice;
  /** How long silence on the probe may last until the server counts as legacy, in milliseconds. */
  readonly probe: number;
  /** The whole handshake, the probe included. */
  readonly handshake: number;
  /** Who answers what the server asks for besides; `undefined`: it is offered nothing else. */
  readonly relay: ClientRelay | undefined;
  /** The least level of the log messages that are wanted. */
  readonly level: LogLevel;
  /** What no failure may repeat. */
  readonly secrets: KnownSecrets;
  readonly times: ConnectionTimes;
}

/** A process of a server. */
export interface StartedProcess {
  /** Its id, and that of the process group that it leads where there are groups. */
  readonly pid: number;
  /** Settles when nothing of it is left. Never rejects. */
  readonly ended: Promise<unknown>;
}

/** What can be heard of a session, from before its handshake until nothing is left of it. */
export interface SessionEvents {
  /** `undefined`: it takes none, or none could be started. */
  readonly process: StartedProcess | undefined;
  /** Every message in both directions, and every line from the server that was none. */
  readonly onDidPass: Event<Traffic>;
  /** Each line of the standard error of a process; left out where there is none. */
  readonly onDidWriteStderr: Event<string> | undefined;
  /** The server was handed roots. */
  readonly onDidServeRoots: Event<Answer>;
  /** Whether the server goes on with roots that were changed since it asked; see `RootsAnswerer`. */
  readonly onDidNeglect: Event<boolean>;
  /** What the server says about its work. */
  readonly onDidLog: Event<ServerLogEntry>;
  /** The server says that it has others of these now. It may say it as fast as it likes. */
  readonly onDidChangeList: Event<Listed>;
}

/** How to call a tool. It may take as long as it takes; the signal ends it. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

/** One conversation with a server, over a wire that is its own. It opens once. */
export class Session {
  readonly client: Client;
  readonly wire: Wire;
  readonly events: SessionEvents;
  readonly answerer: RootsAnswerer;
  readonly messages: ServerMessages;
  readonly news: RequestedNews;
  private readonly direct: DirectRequests;
  private readonly rounds: InputRounds;
  private readonly relayed: RelayedRequests;
  private readonly start: SessionStart;
  private probeId: unknown;
  private isProbeGivenUp = false;
  private answeredLate = false;

  constructor(start: SessionStart) {
    const { clientInfo, wire, roots, protocol, probe, relay, times } = start;
    const capabilities = capabilitiesOf(start);
    this.start = start;
    this.wire = wire;
    this.client = new Client(clientInfo, {
      capabilities,
      versionNegotiation: { mode: modeOf(protocol), probe: { timeoutMs: probe } },
      // The answerer does it instead: the SDK does not tell which tool asked.
      inputRequired: { autoFulfill: false },
    });
    const { client } = this;
    this.answerer = new RootsAnswerer(client, roots, times, start.look);
    this.messages = new ServerMessages(wire, start.secrets);
    this.news = new RequestedNews(client, start.level);
    this.events = {
      process:
        wire.kind === 'process' && wire.pid ? { pid: wire.pid, ended: wire.ended } : undefined,
      onDidPass: wire.onDidPass,
      onDidWriteStderr: wire.onDidWriteStderr,
      onDidServeRoots: this.answerer.onDidAnswer,
      onDidNeglect: this.answerer.onDidNeglect,
      onDidLog: this.messages.onDidLog,
      onDidChangeList: this.news.onDidChangeList,
    };
    this.relayed = new RelayedRequests(client, relay);
    this.direct = new DirectRequests(wire, client, clientInfo, capabilities);
    this.rounds = new InputRounds(client, this.answerer, offeredMethods(relay));
    wire.takeRequest = (request, reply) =>
      this.answerer.takeRequest(request, reply) || this.relayed.takeRequest(request, reply);
    wire.takeMessage = message =>
      this.direct.take(message) || this.relayed.takeCancellation(message);
  }

  /** Whether it answered the probe, as a modern server does, but only after that was given up. */
  get hasAnsweredLate(): boolean {
    return this.answeredLate;
  }

  /**
   * Shakes hands in the newest revision that both speak, and answers what stood against it.
   * Never rejects; after a failure there may still be something to close.
   */
  async open(): Promise<Failure | undefined> {
    const { handshake } = this.start;
    let rubbishLines = 0;
    const passing = this.wire.onDidPass(traffic => {
      rubbishLines += Number(traffic.kind === 'rubbish');
      if (traffic.kind === 'message') {
        this.followProbe(traffic.message);
      }
    });
    const silence = (): Failure => ({ kind: 'silent', seconds: handshake / 1000 });
    const clock = new PausableTimer(handshake);
    const asked = this.wire.onDidAskPerson?.(isAsking =>
      isAsking ? clock.pause() : clock.resume(),
    );
    const failure = await Promise.race([this.connect(), clock.rings.then(silence)]);
    asked?.dispose();
    clock.dispose();
    if (!failure) {
      // After a failure, what it still says until it has ended counts.
      passing.dispose();
    }
    return failure && this.withoutSecrets(withRubbish(failure, rubbishLines));
  }

  /**
   * Calls a tool; its result is of the form that the protocol demands.
   *
   * @throws {HumanError} when the server asks for something it was not offered, or again and again.
   */
  async callTool({ name, arguments: args, signal }: ToolCall): Promise<CallToolResult> {
    const { client, rounds, news } = this;
    // Some tools take their time, and the person who waits can cancel.
    const options = { timeout: longestTimer, ...(signal && { signal }), allowInputRequired: true };
    const call = { name, arguments: { ...args }, ...news.callExtras };
    const request = { method: 'tools/call', params: call } as const;
    const outcome = await rounds.run<CallToolResult | InputRequiredResult>({
      ...request,
      // Not `client.callTool`: it checks even a question against the output schema of the tool.
      send: params => client.request({ ...request, params: { ...call, ...params } }, options),
    });
    if (outcome.kind === 'questions') {
      const [question] = Object.values(outcome.requests);
      throw notOffered(request, question?.method ?? '');
    }
    return outcome.result as CallToolResult;
  }

  /**
   * Sends a request on behalf of another client, in the same turn.
   *
   * @throws {ProtocolError} the server's own error.
   * @throws {HumanError} when the server asks for something it was not offered, or again and again,
   *   or the answers for it are not valid.
   */
  async forward({ params, answers, ...request }: ForwardedRequest): Promise<Forwarded> {
    const { client, direct, rounds, news } = this;
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

  /** Settles when the conversation is over, with what that means to somebody who needed it. */
  async ended(): Promise<Failure> {
    return this.withoutSecrets(await this.wire.ended);
  }

  /** Ends the server, or what it keeps for us. Settles when nothing is left. */
  async close(): Promise<void> {
    this.dispose();
    await this.wire.close();
  }

  /** Nothing is answered or told of any more. */
  dispose(): void {
    this.answerer.dispose();
    this.relayed.dispose();
    this.messages.dispose();
    this.news.dispose();
  }

  private async connect(): Promise<Failure | undefined> {
    try {
      await this.client.connect(this.wire, { timeout: longestTimer });
      return undefined;
    } catch (error) {
      return this.wire.explain(error);
    }
  }

  private followProbe(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      this.answeredLate ||=
        this.isProbeGivenUp && message.id === this.probeId && 'result' in message;
    } else if (message.method === 'server/discover') {
      this.probeId = 'id' in message ? message.id : undefined;
    } else if (message.method === 'initialize') {
      this.isProbeGivenUp = true;
    }
  }

  private withoutSecrets(failure: Failure): Failure {
    return 'message' in failure
      ? { ...failure, message: this.start.secrets.redacted(failure.message) }
      : failure;
  }
}

/** The failure with how many lines were no messages, where that may be what went wrong. */
function withRubbish(failure: Failure, rubbishLines: number): Failure {
  const isFitting = failure.kind === 'silent' || failure.kind === 'ended';
  return isFitting && rubbishLines > 0 ? { ...failure, rubbishLines } : failure;
}

/** What the server may ask for. One that asks for more is told that there is no such method. */
function capabilitiesOf({ roots, relay }: SessionStart): ClientCapabilities {
  const { elicitation, sampling } = (relay?.capabilities ?? {}) as ClientCapabilities;
  return {
    ...(roots && rootsCapability),
    ...(elicitation && { elicitation }),
    ...(sampling && { sampling }),
  };
}

/** Who chose a revision gets it or a failure; nobody is tried in another one. */
function modeOf(protocol: ProtocolChoice): VersionNegotiationMode {
  return protocol === 'auto' || protocol === 'legacy' ? protocol : { pin: protocol };
}
