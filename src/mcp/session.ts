import { Client, type Implementation } from '@modelcontextprotocol/client';
import { within } from '../base/within.ts';
import type { Root } from '../domain/roots.ts';
import { RootsAnswerer, rootsCapability } from './rootsAnswerer.ts';
import { type ProcessEnd, type ProcessStart, ServerProcess } from './serverProcess.ts';
import { StdioTransport } from './stdioTransport.ts';
import type { ConnectionTimes } from './times.ts';

/** Why a conversation did not come about, or ended by itself. */
export type Failure =
  | { readonly kind: 'not-started'; readonly message: string }
  | { readonly kind: 'ended'; readonly end: ProcessEnd }
  | { readonly kind: 'silent'; readonly seconds: number }
  | { readonly kind: 'protocol'; readonly message: string };

/** What a session needs to begin. */
export interface SessionStart {
  readonly clientInfo: Implementation;
  readonly process: ProcessStart;
  /** `undefined`: the server is offered no roots at all. */
  readonly roots: readonly Root[] | undefined;
  /** Known from an earlier session: no probe is sent. */
  readonly era: 'legacy' | undefined;
  readonly times: ConnectionTimes;
}

/** One process of a server and the conversation with it. It starts with the object and opens once. */
export class Session {
  readonly client: Client;
  readonly process: ServerProcess;
  readonly transport: StdioTransport;
  readonly answerer: RootsAnswerer;
  private readonly start: SessionStart;

  constructor(start: SessionStart) {
    const { clientInfo, roots, times } = start;
    this.start = start;
    this.process = new ServerProcess(start.process);
    this.transport = new StdioTransport(this.process, times.stop);
    this.client = new Client(clientInfo, {
      capabilities: roots ? rootsCapability : {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: times.probe } },
      // The answerer does it instead: the SDK does not tell which tool asked.
      inputRequired: { autoFulfill: false },
    });
    this.answerer = new RootsAnswerer(this.client, roots, times.answersPerSecond);
    this.transport.takeRequest = (request, reply) => this.answerer.takeRequest(request, reply);
  }

  /**
   * Shakes hands in the newest revision that both speak, and answers what stood against it.
   * Never rejects; after a failure the process may still be there.
   */
  open(): Promise<Failure | undefined> {
    const { handshake } = this.start.times;
    const silence: Failure = { kind: 'silent', seconds: handshake / 1000 };
    return within(this.connect(), handshake, silence);
  }

  /** Ends the process and all that it started. Settles when nothing is left. */
  async close(): Promise<void> {
    this.answerer.dispose();
    await this.process.stop(this.start.times.stop);
  }

  private async connect(): Promise<Failure | undefined> {
    const { era, times } = this.start;
    const prior = era && { kind: era };
    try {
      await this.client.connect(this.transport, {
        timeout: times.handshake,
        ...(prior && { prior }),
      });
      return undefined;
    } catch (error) {
      // A handshake that fails makes the SDK end the process: its end then is not what went wrong.
      return this.process.hasEndedByItself
        ? toFailure(await this.process.ended)
        : { kind: 'protocol', message: messageOf(error) };
    }
  }
}

/** What the end of a process means to somebody who still needed it. */
export function toFailure(end: ProcessEnd): Failure {
  return end.error ? { kind: 'not-started', message: end.error.message } : { kind: 'ended', end };
}

/** What an error says of itself. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
