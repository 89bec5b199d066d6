import {
  Client,
  type ClientCapabilities,
  type Implementation,
  type JSONRPCMessage,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { longestTimer, PausableTimer } from '../base/pausableTimer.ts';
import type { LogLevel } from '../domain/logLevels.ts';
import type { Root } from '../domain/roots.ts';
import type { ProtocolChoice } from '../domain/servers/serverDefinition.ts';
import { type ClientRelay, offeredMethods } from './clientRelay.ts';
import { DirectRequests } from './directRequests.ts';
import type { Failure } from './failure.ts';
import { InputRounds } from './inputRounds.ts';
import type { KnownSecrets } from './knownSecrets.ts';
import { RelayedRequests } from './relayedRequests.ts';
import { RequestedNews } from './requestedNews.ts';
import { type LookAgain, RootsAnswerer, rootsCapability } from './rootsAnswerer.ts';
import { ServerMessages } from './serverMessages.ts';
import { ServerRequests } from './serverRequests.ts';
import type { ConnectionTimes } from './times.ts';
import type { Wire } from './wire.ts';

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

/** One conversation with a server, over a wire that is its own. It opens once. */
export class Session {
  readonly client: Client;
  readonly wire: Wire;
  readonly answerer: RootsAnswerer;
  readonly messages: ServerMessages;
  readonly news: RequestedNews;
  readonly requests: ServerRequests;
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
    this.relayed = new RelayedRequests(client, relay);
    const direct = new DirectRequests({ wire, client, clientInfo, capabilities });
    const rounds = new InputRounds(client, this.answerer, offeredMethods(relay));
    this.requests = new ServerRequests({ client, direct, rounds, news: this.news });
    wire.takeRequest = (request, reply) =>
      this.answerer.takeRequest(request, reply) || this.relayed.takeRequest(request, reply);
    wire.takeMessage = message => direct.take(message) || this.relayed.takeCancellation(message);
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
    const asked = this.wire.onDidAskPerson?.(isAsking => clock.pause(isAsking));
    const failure = await Promise.race([this.connect(), clock.rings.then(silence)]);
    asked?.dispose();
    clock.dispose();
    if (!failure) {
      // After a failure, what it still says until it has ended counts.
      passing.dispose();
    }
    return failure && this.withoutSecrets(withRubbish(failure, rubbishLines));
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
