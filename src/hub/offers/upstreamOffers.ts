import { type After, afterReal } from '../../base/clock.ts';
import { messageOf } from '../../base/messageOf.ts';
import type { AskedServer } from '../../domain/gate/asked.ts';
import { withoutRefused } from '../../domain/gate/gate.ts';
import { printable } from '../../domain/printable.ts';
import { isHumanError } from '../../domain/sentence.ts';
import type { ForwardedRequest } from '../../mcp/link/forwarding.ts';
import { type ReadList, readList } from '../../mcp/link/lists.ts';
import type { RawResult } from '../../server/hubHost.ts';

/** A tool as its server listed it. Parts in a wrong form have been corrected. */
export type OfferedTool = Readonly<Record<string, unknown>> & { readonly name: string };

/** What is needed of an upstream to list its tools. */
interface OfferingServer {
  /** The server's capabilities. `undefined`: it does not run. Without `tools`, nothing is asked. */
  readonly capabilities: { readonly tools?: unknown } | undefined;
  readonly forward: (request: ForwardedRequest) => Promise<RawResult>;
  /** The server, as the gate sees it. */
  readonly atGate?: AskedServer;
}

/** The time limit for all pages of a server's list, in milliseconds. */
const longestListing = 10_000;

/** The tools of one server. Their list is read when first needed, and after each change. */
export class UpstreamOffers {
  private readonly server: OfferingServer;
  private readonly after: After;
  private reading: Promise<ReadList> | undefined;
  private read: ReadList | undefined;

  constructor(server: OfferingServer, after: After = afterReal) {
    this.server = server;
    this.after = after;
  }

  /**
   * The server's list as clients see it, with each name once. Empty: the server has no tools.
   * @throws the server's own error, or a {@link HumanError} when the list takes too long.
   */
  async tools(): Promise<readonly OfferedTool[]> {
    if (!this.server.capabilities?.tools) {
      return [];
    }
    return this.shownIn(await (this.reading ?? this.begin()));
  }

  /** The last list as clients see it. `undefined`: none was read since the tools last changed. */
  get shownTools(): readonly OfferedTool[] | undefined {
    return this.read && this.shownIn(this.read);
  }

  /** All tools of the last list, even if the gate hides them. `undefined`: as for `shownTools`. */
  get knownTools(): readonly OfferedTool[] | undefined {
    return this.read?.entries as readonly OfferedTool[] | undefined;
  }

  /** The faults of the last list of tools, in finished sentences. `undefined`: it has none. */
  get toolsRemark(): string | undefined {
    return this.read?.remark;
  }

  /** Forgets the list, because it may have changed. A read under way still answers its callers. */
  drop(): void {
    this.reading = undefined;
    this.read = undefined;
  }

  private shownIn({ entries }: ReadList): readonly OfferedTool[] {
    const { atGate: server } = this.server;
    const listed = withoutRefused('tools/list', { tools: entries }, server ? { server } : {});
    return listed['tools'] as readonly OfferedTool[];
  }

  private begin(): Promise<ReadList> {
    const { server, after } = this;
    const forward = (request: ForwardedRequest) => server.forward(request);
    const reading = readList('tools', forward, after, longestListing);
    this.reading = reading;
    reading.then(
      read => {
        this.read = this.reading === reading ? read : this.read;
      },
      () => {
        this.reading = this.reading === reading ? undefined : this.reading;
      },
    );
    return reading;
  }
}

/** Why a server's list can't be read, in finished printable sentences. */
export function listProblem(error: unknown): string {
  if (isHumanError(error)) {
    return error.message;
  }
  const reason = messageOf(error);
  return `The server did not list its tools, prompts or resources: ${printable(reason.slice(0, 500))}`;
}
