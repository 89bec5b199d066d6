import type {
  Client,
  ClientOptions,
  JSONRPCMessage,
  RequestId,
  VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import type { IDisposable } from '../base/disposable.ts';
import { longestTimer } from '../base/timeLimit.ts';
import { Watchdog } from '../base/watchdog.ts';
import type { Era } from '../domain/exposure.ts';
import { downloadProblem } from '../domain/servers/lastWords.ts';
import type { ProtocolChoice } from '../domain/servers/serverDefinition.ts';
import type { Failure } from '../domain/servers/serverFailure.ts';
import type { Direction } from '../domain/traceLine.ts';
import type { ConnectionTimes } from './times.ts';
import type { Traffic, Wire } from './wire.ts';

/** The revision of a handshake: one that somebody chose, or the era that an earlier process found out. */
export type Negotiation = ProtocolChoice | Era;

const modes: Readonly<Record<Negotiation, VersionNegotiationMode>> = {
  auto: 'auto',
  // The era is only what it was the last time; who chose a revision gets it or a failure.
  modern: 'auto',
  legacy: 'legacy',
  '2026-07-28': { pin: '2026-07-28' },
};

/** The first exchange over a wire, in which the revision is agreed on. */
export class Handshake {
  readonly options: Pick<ClientOptions, 'versionNegotiation'>;
  private readonly wire: Wire;
  private readonly negotiation: Negotiation;
  private readonly milliseconds: number;
  private readonly listening: IDisposable;
  private rubbishLines = 0;
  private probe: RequestId | undefined;
  private givenUpProbe: RequestId | undefined;
  private hasAnsweredLate = false;

  constructor(
    wire: Wire,
    negotiation: Negotiation,
    times: Pick<ConnectionTimes, 'probe' | 'handshake'>,
  ) {
    // Silence says nothing of the era over HTTP, where the era is chosen, and where it is known.
    const isTelling = wire.kind === 'process' && negotiation === 'auto';
    const timeoutMs = isTelling ? times.probe : longestTimer;
    this.options = { versionNegotiation: { mode: modes[negotiation], probe: { timeoutMs } } };
    this.wire = wire;
    this.negotiation = negotiation;
    this.milliseconds = times.handshake;
    this.listening = wire.onDidPass(traffic => this.note(traffic));
  }

  /** Shakes hands, once, and answers what stood against it. Never rejects. */
  async run(client: Client): Promise<Failure | undefined> {
    const { wire, milliseconds } = this;
    const clock = new Watchdog(milliseconds);
    // The time in which a person is asked does not count: afterwards it begins anew.
    const asking = wire.onDidAskPerson?.(isAsking => (isAsking ? clock.settle() : clock.expect()));
    clock.expect();
    const failure = await Promise.race([
      client.connect(wire, { timeout: longestTimer }).then(
        () => undefined,
        error => wire.explain(error),
      ),
      new Promise<Failure>(resolve => {
        clock.onDidChange(() => {
          const { lastLines = [] } = wire;
          const stderr = lastLines.length > 0 && { stderr: lastLines };
          resolve({ kind: 'silent', seconds: milliseconds / 1000, ...stderr });
        });
      }),
    ]);
    asking?.dispose();
    clock.dispose();
    if (!failure) {
      this.listening.dispose();
    }
    return failure && this.withRubbish(failure);
  }

  /**
   * The era to try in another process after this failure; `undefined`: none. To be asked when the wire is
   * closed: the last words of the server count.
   */
  eraToTry(failure: Failure): Era | undefined {
    if (this.negotiation !== 'auto') {
      return undefined;
    }
    if (this.hasAnsweredLate) {
      // It was not there yet when the probe was given up: it may have been downloaded first.
      return 'modern';
    }
    // Some servers exit when the first message is not `initialize`. A download fails for other reasons.
    return 'end' in failure && !downloadProblem(failure.end) ? 'legacy' : undefined;
  }

  private note(traffic: Traffic): void {
    if (traffic.kind === 'rubbish') {
      this.rubbishLines += 1;
    } else if (traffic.kind === 'message') {
      this.followProbe(traffic.direction, traffic.message);
    }
  }

  /** A modern server that is slow to start answers the probe after that was given up. */
  private followProbe(direction: Direction, message: JSONRPCMessage): void {
    if (direction === 'from-server') {
      this.hasAnsweredLate ||= 'result' in message && message.id === this.givenUpProbe;
    } else if ('id' in message && 'method' in message) {
      if (message.method === 'server/discover') {
        this.probe = message.id;
      } else if (message.method === 'initialize') {
        this.givenUpProbe = this.probe;
      }
    }
  }

  /** The failure with how many lines were no messages, where nothing else says what went wrong. */
  private withRubbish(failure: Failure): Failure {
    const { rubbishLines } = this;
    return rubbishLines === 0 || 'message' in failure ? failure : { ...failure, rubbishLines };
  }
}
