import type { TestContext } from 'node:test';
import { rootOf, serverMain } from './bundledServer.ts';
import { writeConfig } from './hub.ts';
import { LineProcess, type WireMessage } from './lineProcess.ts';
import { RawClient } from './relayPeers.ts';
import type { Era } from './wire.ts';

/** The options of the hub and its client. */
export interface HubWireOptions {
  readonly era: Era;
  readonly config: object;
  /** The folders that the client serves as its roots. */
  readonly roots: readonly string[];
  readonly args?: readonly string[];
  /** The client's capabilities besides roots. It answers no questions. */
  readonly offers?: object;
}

/** A client of a hub in a separate process. It sees each raw message, and answers for roots. */
export class HubWire extends RawClient {
  readonly configFile: string;
  readonly hub: LineProcess;

  private constructor(t: TestContext, config: object, args: readonly string[]) {
    super(line => void this.hub.process.stdin.write(`${line}\n`));
    this.configFile = writeConfig(t, config);
    const all = [serverMain, '--config', this.configFile, ...args];
    const start = { command: process.execPath, args: all };
    this.hub = new LineProcess(t, start, line => this.take(line));
    this.hub.endsInPeace(t);
  }

  /** Starts the hub and shakes hands, if that is done in this era. */
  static async start(
    t: TestContext,
    { era, config, roots, args = [], offers = {} }: HubWireOptions,
  ): Promise<HubWire> {
    const client = new HubWire(t, config, args);
    client.era = era;
    client.capabilities = { roots: { listChanged: true }, ...offers };
    client.answers = { 'roots/list': { roots: roots.map(folder => rootOf(folder)) } };
    if (era === 'legacy') {
      await client.initialize();
    }
    return client;
  }

  /** Settles when so many notices of a method have come; answers with all of them. */
  async noticesOf(method: string, count = 1): Promise<readonly WireMessage[]> {
    const found = () => this.received.filter(message => message.method === method);
    return this.hub.found(`${count} × ${method}`, () =>
      found().length < count ? undefined : found(),
    );
  }
}
