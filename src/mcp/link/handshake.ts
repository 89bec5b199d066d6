import type { Client, ClientOptions, VersionNegotiationMode } from '@modelcontextprotocol/client';
import type { IDisposable } from '../../base/disposable.ts';
import { longestTimer } from '../../base/timeLimit.ts';
import { Watchdog } from '../../base/watchdog.ts';
import type { Era } from '../../domain/exposure.ts';
import { downloadProblem } from '../../domain/servers/lastWords.ts';
import type { ProtocolChoice } from '../../domain/servers/serverDefinition.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import type { ConnectionTimes } from '../process/times.ts';
import type { Traffic, Wire } from '../process/wire.ts';

/** What a handshake tries: the definition's choice, or the era that an earlier process showed. */
export type Negotiation = ProtocolChoice | Era;

const modes: Readonly<Record<Negotiation, VersionNegotiationMode>> = {
  auto: 'auto',
  // An era of an earlier process may be out of date. Only a chosen revision is binding.
  modern: 'auto',
  legacy: 'legacy',
  '2026-07-28': { pin: '2026-07-28' },
};

/** The first exchange over a wire, which agrees on the revision. */
export class Handshake {
  readonly options: Pick<ClientOptions, 'versionNegotiation'>;
  private readonly wire: Wire;
  private readonly negotiation: Negotiation;
  private readonly milliseconds: number;
  private readonly listening: IDisposable;
  private rubbishLines = 0;
  private hasGivenUpProbe = false;
  private hasAnsweredLate = false;

  constructor(
    wire: Wire,
    negotiation: Negotiation,
    times: Pick<ConnectionTimes, 'probe' | 'handshake'>,
  ) {
    // Only on stdio, silence may mean a legacy server. It matters only if the era is not known yet.
    const isTelling = wire.kind === 'process' && negotiation === 'auto';
    const timeoutMs = isTelling ? times.probe : longestTimer;
    this.options = { versionNegotiation: { mode: modes[negotiation], probe: { timeoutMs } } };
    this.wire = wire;
    this.negotiation = negotiation;
    this.milliseconds = times.handshake;
    this.listening = wire.onDidPass(traffic => this.note(traffic));
  }

  /** Shakes hands, once. Resolves to the failure, if any. Never rejects. */
  async run(client: Client): Promise<Failure | undefined> {
    const { wire, milliseconds } = this;
    const clock = new Watchdog(milliseconds);
    // While a person is asked, no time counts. Afterwards the time begins anew.
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
   * The era to try in another process after this failure. `undefined`: another process would not
   * help. Call it when the wire is closed, because the server's last output counts.
   */
  eraToTry(failure: Failure): Era | undefined {
    if (this.negotiation !== 'auto') {
      return undefined;
    }
    if (this.hasAnsweredLate) {
      // The server was not ready when we gave the probe up. It may have been downloading.
      return 'modern';
    }
    // Some servers exit if the first message is not `initialize`. A download fails for other reasons.
    return 'end' in failure && !downloadProblem(failure.end) ? 'legacy' : undefined;
  }

  private note(traffic: Traffic): void {
    if (traffic.kind === 'rubbish') {
      this.rubbishLines += 1;
      return;
    }
    const { message, request } = traffic;
    const isAnswer = request?.method === 'server/discover' && 'result' in message;
    // A modern server that is slow to start answers the probe after we gave the probe up.
    this.hasAnsweredLate ||= isAnswer && this.hasGivenUpProbe;
    this.hasGivenUpProbe ||= 'method' in message && message.method === 'initialize';
  }

  /** If no message explains the failure, adds the number of lines that were not messages. */
  private withRubbish(failure: Failure): Failure {
    const { rubbishLines } = this;
    return rubbishLines === 0 || 'message' in failure ? failure : { ...failure, rubbishLines };
  }
}
