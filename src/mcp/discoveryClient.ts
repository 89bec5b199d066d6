import {
  Client,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/client';
import { jsonRpcError } from './failure.ts';
import { defaultTimes } from './times.ts';

/** Of a list that came, and is not known all the same. */
const tooLong = { code: -32000, message: 'The list may be too long. Try again in a minute.' };

type PassOn = (message: JSONRPCMessage, line: Buffer) => void;

/** The window as a client of a relay: it asks a server for its handshake and lists, and leaves. */
export class DiscoveryClient implements Transport {
  // By both, the SDK takes a server that is silent for one of the earlier revisions.
  readonly pid = null;
  readonly stderr = null;
  readonly hello = { server: '', cwd: '' };
  readonly closed: Promise<void>;
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  /** It has asked for all before the server was gone. */
  isDone = false;
  /** Why what it asked for may not be known, by the method; without one, the error of the handshake. */
  readonly problems = new Map<string, JSONRPCErrorResponse['error'] | undefined>();
  private readonly client: Client;
  private isGone = false;
  private passOn: PassOn = () => {};
  private leave: () => void = () => {};

  /**
   * @param isModern whether it tries the later revisions first.
   * @param revision for `initialize`; of one that does not exist, the latest takes the place.
   */
  constructor(isModern: boolean, revision: unknown) {
    const { probe: timeoutMs } = defaultTimes;
    const mode = isModern ? 'auto' : 'legacy';
    const supported = SUPPORTED_PROTOCOL_VERSIONS;
    const first = supported.filter(one => one === revision);
    this.client = new Client(
      { name: 'MCP Roots', version: '1' },
      {
        supportedProtocolVersions: [...first, ...supported],
        versionNegotiation: { mode, probe: { timeoutMs } },
      },
    );
    this.closed = new Promise(resolve => (this.leave = resolve));
  }

  listen(passOn: PassOn): void {
    this.passOn = passOn;
    void this.discover().then(() => {
      this.isDone = !this.isGone;
      this.leave();
    });
  }

  write(line: string | Buffer): void {
    this.onmessage?.(JSON.parse(line.toString()));
  }

  bye(): void {
    this.isGone = true;
    this.leave();
    // What was asked is waited for no longer.
    this.onclose?.();
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.passOn(message, Buffer.from(JSON.stringify(message)));
  }

  async close(): Promise<void> {
    this.leave();
  }

  /** The relay notes what the server answers: here, only the end of it counts. */
  private async discover(): Promise<void> {
    const { client } = this;
    const options = { timeout: defaultTimes.handshake };
    try {
      await client.connect(this, options);
    } catch (error) {
      this.problems.set('', jsonRpcError(error));
      return;
    }
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const lists = {
      'tools/list': tools && client.listTools({}, options),
      'prompts/list': prompts && client.listPrompts({}, options),
      'resources/list': resources && client.listResources({}, options),
      'resources/templates/list': resources && client.listResourceTemplates({}, options),
    };
    const asked = Object.entries(lists).map(async ([method, list]) => {
      this.problems.set(method, await list?.then(() => tooLong, jsonRpcError));
    });
    await Promise.all(asked);
  }
}
