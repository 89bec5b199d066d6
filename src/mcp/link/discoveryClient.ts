import {
  Client,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/client';
import { jsonRpcError } from '../process/failure.ts';
import { defaultTimes } from '../process/times.ts';

/** The problem with a list that arrived but that the relay could not note. */
const tooLong = {
  code: -32000,
  message: 'The list could not be stored, perhaps because it is too long. Try again in a minute.',
};

type PassOn = (message: JSONRPCMessage, line: Buffer) => void;

/** The window as a client of a relay. It asks a server for its handshake and lists, and leaves. */
export class DiscoveryClient implements Transport {
  // If `pid` and `stderr` exist, the SDK takes a silent server for one of an earlier revision.
  readonly pid = null;
  readonly stderr = null;
  readonly hello = { server: '', cwd: '' };
  readonly closed: Promise<void>;
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  /** Whether this client asked for everything before the server was gone. */
  isDone = false;
  /** Why an answer may be missing, by the method of its request. The empty method means the handshake. */
  readonly problems = new Map<string, JSONRPCErrorResponse['error'] | undefined>();
  private readonly client: Client;
  private isGone = false;
  private passOn: PassOn = () => {};
  private leave: () => void = () => {};

  /**
   * @param isModern whether to try the modern revisions first.
   * @param revision the revision for `initialize`. If it is unknown to the SDK, the latest is used.
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
    // Stops the wait for answers.
    this.onclose?.();
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.passOn(message, Buffer.from(JSON.stringify(message)));
  }

  async close(): Promise<void> {
    this.leave();
  }

  /** Requests everything and waits for the answers. The relay notes the contents of the answers. */
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
