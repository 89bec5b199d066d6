import { type After, afterReal, startDeadline } from '../../base/clock.ts';
import { longestMessage } from '../../base/lineReader.ts';
import { messageOf } from '../../base/messageOf.ts';
import { isJsonObject } from '../../domain/json.ts';
import { printable } from '../../domain/printable.ts';
import { HumanError, isHumanError } from '../../domain/sentence.ts';
import type { ForwardedRequest } from '../../mcp/forwarding.ts';
import type { RawResult } from '../hubHost.ts';

/** A tool of a list, as its server sent it: nothing is taken out of it, and nothing added. */
export type OfferedTool = Readonly<Record<string, unknown>> & { readonly name: string };

const method = 'tools/list';

/** The parts of an upstream that list its tools. */
interface OfferingServer {
  /** Without the one for tools, it is not asked. `undefined`: the server does not run. */
  readonly capabilities: { readonly tools?: unknown } | undefined;
  readonly forward: (request: ForwardedRequest) => Promise<RawResult>;
}

/** In milliseconds: how long a server may take for all pages of its list. */
const longestListing = 10_000;
/** Some servers have a next page for ever. */
const mostPages = 100;

interface ReadOffers {
  readonly tools: readonly OfferedTool[];
  /** The faults of the list, in finished sentences; `undefined`: none. */
  readonly remark: string | undefined;
}

/** A list that is read, or was. */
interface KeptList {
  readonly reading: Promise<ReadOffers>;
  /** `undefined` until it is there. */
  read?: ReadOffers;
}

/** The tools of one server. Their list is read when first needed, and after each change. */
export class UpstreamOffers {
  private readonly server: OfferingServer;
  private readonly after: After;
  private list: KeptList | undefined;

  constructor(server: OfferingServer, after: After = afterReal) {
    this.server = server;
    this.after = after;
  }

  /**
   * The server's list, no name twice; empty when it did not declare the capability.
   * @throws its own error, or a {@link HumanError} when it takes too long.
   */
  async tools(): Promise<readonly OfferedTool[]> {
    if (!this.server.capabilities?.tools) {
      return [];
    }
    return (await (this.list ?? this.begin()).reading).tools;
  }

  /** The last list of its tools; `undefined` before, and when that may have changed. */
  get knownTools(): readonly OfferedTool[] | undefined {
    return this.list?.read?.tools;
  }

  /** The faults of that list, in finished sentences; `undefined`: none. */
  get toolsRemark(): string | undefined {
    return this.list?.read?.remark;
  }

  /** The list may have changed: one that is being read goes to who waits for it, and is not kept. */
  drop(): void {
    this.list = undefined;
  }

  private begin(): KeptList {
    const kept: KeptList = { reading: this.readInTime() };
    this.list = kept;
    kept.reading.then(
      read => {
        kept.read = read;
      },
      () => {
        this.list = this.list === kept ? undefined : this.list;
      },
    );
    return kept;
  }

  private async readInTime(): Promise<ReadOffers> {
    const end = new AbortController();
    const tooLate = startDeadline(this.after, longestListing);
    const late = tooLate.over.then(() => {
      end.abort();
      const seconds = String(longestListing / 1000);
      throw new HumanError('It did not answer {0} within {1} seconds.', method, seconds);
    });
    try {
      return await Promise.race([readOffers(this.server, end.signal), late]);
    } finally {
      tooLate.dispose();
    }
  }
}

/** Reads the list of a server page by page. */
async function readOffers(
  server: Pick<OfferingServer, 'forward'>,
  signal: AbortSignal,
): Promise<ReadOffers> {
  const tools = new Map<string, OfferedTool>();
  let [entries, pages, bytes] = [0, 0, 0];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const { tools: listed, nextCursor } = await server.forward({ method, params, signal });
    for (const entry of Array.isArray(listed) ? listed : []) {
      const name = isJsonObject(entry) ? entry['name'] : undefined;
      entries += 1;
      if (typeof name === 'string' && name !== '' && !tools.has(name)) {
        tools.set(name, entry);
        bytes += JSON.stringify(entry).length;
      }
    }
    cursor = typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
    pages += 1;
  } while (cursor !== undefined && pages < mostPages && bytes < longestMessage && !signal.aborted);
  const leftOut = entries - tools.size;
  const what = leftOut === 1 ? '1 entry' : `${leftOut} entries`;
  const sentences = [
    ...(leftOut > 0 ? [`${what} of ${method} left out: without a name of its own.`] : []),
    ...(cursor === undefined
      ? []
      : [`The answer to ${method} is too long: not all of it is used.`]),
  ];
  return { tools: [...tools.values()], remark: sentences.join(' ') || undefined };
}

/** Why a server's list can't be read, in finished sentences that are printable. */
export function listProblem(error: unknown): string {
  if (isHumanError(error)) {
    return error.message;
  }
  const reason = messageOf(error);
  return `It did not say what it offers: ${printable(reason.slice(0, 500))}`;
}
