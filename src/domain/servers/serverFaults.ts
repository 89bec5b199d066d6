/** A call that has no answer yet. */
export interface OpenCall {
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Faults of one process that a well-behaved one does not have. All of them were borne. */
export interface ServerFaults {
  /** The calls that it has not answered for long, the oldest first. */
  readonly overdueCalls: readonly OpenCall[];
  /** It asked for its roots so fast that many requests were answered together. */
  readonly floodsRequests: boolean;
  /** It sent notifications other than log messages faster than anybody needs them. */
  readonly floodsNotifications: boolean;
  /** How many of its log messages came too fast to be written one by one. */
  readonly messagesLeftOut: number;
  /** How many lines it printed that are no MCP messages. They were skipped. */
  readonly rubbishLines: number;
  /** How long the longest of them was. */
  readonly longestRubbish: number;
  /** How many answers it gave that nobody had asked for. They were skipped. */
  readonly strayAnswers: number;
}

/** How a process had to be ended that did not end as it should. */
export interface ServerEnding {
  /** The force that its end took. `undefined`: it ended with its input. */
  readonly force: 'terminate' | 'kill' | undefined;
  /** How many processes it had started and left running, which were ended with it. */
  readonly leftBehind: number;
}

/** One thing to be told of a server that is not as it should be. */
export type Fault =
  | { readonly kind: 'overdue-call'; readonly call: OpenCall }
  | { readonly kind: 'terminated' | 'killed' | 'request-flood' | 'notification-flood' }
  | {
      readonly kind: 'left-behind' | 'message-flood' | 'rubbish' | 'strays';
      readonly count: number;
    }
  | { readonly kind: 'long-line'; readonly megabytes: number };

/** The faults of a process that has none, as of one that was just started. */
export const noFaults: ServerFaults = {
  overdueCalls: [],
  floodsRequests: false,
  floodsNotifications: false,
  messagesLeftOut: 0,
  rubbishLines: 0,
  longestRubbish: 0,
  strayAnswers: 0,
};

const megabyte = 1024 * 1024;

/**
 * The faults to tell, the most important first: how the process ended; of a running one, the calls
 * that somebody waits for, the floods, which cost the most, and then what was merely skipped.
 */
export function faultsInOrder(
  faults: ServerFaults,
  ending: ServerEnding | undefined,
): readonly Fault[] {
  const { overdueCalls, messagesLeftOut, rubbishLines, strayAnswers } = faults;
  const megabytes = Math.round(faults.longestRubbish / megabyte);
  return [
    ...(ending ? endingFaults(ending) : []),
    ...overdueCalls.map(call => ({ kind: 'overdue-call', call }) as const),
    ...(faults.floodsRequests ? [{ kind: 'request-flood' } as const] : []),
    ...(faults.floodsNotifications ? [{ kind: 'notification-flood' } as const] : []),
    ...counted('message-flood', messagesLeftOut),
    ...(megabytes > 0 ? [{ kind: 'long-line', megabytes } as const] : []),
    ...counted('rubbish', rubbishLines),
    ...counted('strays', strayAnswers),
  ];
}

function endingFaults({ force, leftBehind }: ServerEnding): readonly Fault[] {
  const kinds = { terminate: 'terminated', kill: 'killed' } as const;
  return [...(force ? [{ kind: kinds[force] }] : []), ...counted('left-behind', leftBehind)];
}

function counted(
  kind: 'left-behind' | 'message-flood' | 'rubbish' | 'strays',
  count: number,
): readonly Fault[] {
  return count > 0 ? [{ kind, count }] : [];
}
