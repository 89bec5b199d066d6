import type { Era } from '../exposure.ts';
import type { RestartPlan } from './restarts.ts';

export interface ServerFacts {
  readonly isRunning: boolean;
  readonly plan: RestartPlan;
  /** It was told that its roots changed and has not asked for them since. */
  readonly isNeglecting: boolean;
  /** It stands still because no folder was left that it may see. */
  readonly isStoppedForLackOfRoots: boolean;
}

/**
 * The first thing a person should know of a server. `plain`: no more than its state. `neglecting`: a
 * restart brings it what it may see now.
 */
export type ServerStatus =
  | { readonly kind: 'starved' | 'neglecting' | 'plain' }
  | Exclude<RestartPlan, { readonly kind: 'none' }>;

/** The status of a server: of all that is true of it, what matters most. */
export function serverStatus(facts: ServerFacts): ServerStatus {
  if (facts.isStoppedForLackOfRoots) {
    return { kind: 'starved' };
  }
  if (facts.isRunning) {
    return { kind: facts.isNeglecting ? 'neglecting' : 'plain' };
  }
  return facts.plan.kind === 'none' ? { kind: 'plain' } : facts.plan;
}

/** The word for a server: what a person is told of it at a glance. */
export type ServerWord =
  | 'stopped'
  | 'starting'
  | 'running'
  | 'stopping'
  | 'failed'
  /** It died, and is to start again by itself. */
  | 'starts-again'
  | 'needs-answer'
  | 'restart-needed';

export interface WordFacts {
  readonly state: 'stopped' | 'starting' | 'running' | 'stopping' | 'failed';
  readonly status: ServerStatus['kind'];
  /** A folder, a client or its start waits for the user's answer. */
  readonly isAsking: boolean;
}

/** The word for a server: what waits for a person's answer before what became of the server. */
export function serverWord({ state, status, isAsking }: WordFacts): ServerWord {
  if (isAsking) {
    return 'needs-answer';
  }
  if (state === 'failed') {
    return status === 'waiting' ? 'starts-again' : 'failed';
  }
  return status === 'neglecting' ? 'restart-needed' : state;
}

/** The look of a server with that word, wherever it is shown. */
interface ServerWordRow {
  /** In a row: short enough beside a short name in a narrow sidebar. */
  readonly text: string;
  /** The longer text, where there is room; left out: the short one. */
  readonly meaning?: string;
  /** An icon and a color of the editor, by their names. */
  readonly icon: string;
  readonly color?: string;
  /** The place in a list: first what a person has to see to, and last what stands still. */
  readonly rank: number;
}

const [yellow, green, red] = [
  'charts.yellow',
  'charts.green',
  'problemsErrorIcon.foreground',
] as const;

/** The words for a server, with all that they look like. */
export const serverWords: Readonly<Record<ServerWord, ServerWordRow>> = {
  'needs-answer': {
    text: 'waiting',
    meaning: 'needs an answer',
    icon: 'question',
    color: yellow,
    rank: 0,
  },
  failed: { text: 'failed', icon: 'error', color: red, rank: 1 },
  'restart-needed': {
    text: 'restart',
    meaning: 'restart needed',
    icon: 'server-process',
    color: yellow,
    rank: 2,
  },
  // Its time, where it is known, is told instead.
  'starts-again': { text: 'starting…', icon: 'watch', color: yellow, rank: 3 },
  starting: { text: 'starting…', icon: 'loading~spin', rank: 3 },
  running: { text: 'running', icon: 'server-process', color: green, rank: 3 },
  stopping: { text: 'stopping…', icon: 'loading~spin', rank: 3 },
  stopped: { text: 'stopped', icon: 'server-process', rank: 4 },
};

/** The words for a client below a server, with all that they look like. Of its process, they are a server's. */
export const clientWords = {
  asks: { ...serverWords['needs-answer'], text: 'asks' },
  denied: { text: 'not allowed', icon: 'circle-slash' },
  away: { text: 'allowed', icon: 'debug-disconnect' },
  starting: serverWords.starting,
  running: { ...serverWords.running, icon: 'plug' },
  neglecting: { ...serverWords['restart-needed'], icon: 'plug' },
  ended: serverWords.stopping,
} satisfies Readonly<Record<string, Omit<ServerWordRow, 'rank'>>>;

export interface ClientWordFacts {
  /** The user's answer about it. */
  readonly isAllowed: boolean | undefined;
  /** Left out: it is not there, and only the answer has a row. */
  readonly session?:
    | {
        readonly state: 'starting' | 'running' | 'ended';
        readonly isWaiting: boolean;
        readonly isNeglecting: boolean;
      }
    | undefined;
}

/** The word for a client: the user's answer, or that it waits for one, before what its process does. */
export function clientWord({ isAllowed, session }: ClientWordFacts): keyof typeof clientWords {
  if (isAllowed === false) {
    return 'denied';
  }
  if (!session) {
    return 'away';
  }
  if (isAllowed === undefined && session.isWaiting) {
    return 'asks';
  }
  return session.state === 'running' && session.isNeglecting ? 'neglecting' : session.state;
}

export function needsAttention(word: ServerWord): boolean {
  return serverWords[word].rank < serverWords.running.rank;
}

/** The servers with those first that need attention; otherwise in the order in which they were. */
export function attentionFirst<T>(servers: readonly T[], wordOf: (server: T) => ServerWord): T[] {
  const ranked = servers.map(server => ({ server, rank: serverWords[wordOf(server)].rank }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ server }) => server);
}

export type ServerFilter = 'all' | 'attention' | 'running';

export function isShownBy(filter: ServerFilter, word: ServerWord): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'attention':
      return needsAttention(word);
    case 'running':
      return word !== 'stopped' && word !== 'failed';
  }
}

export interface AskingFacts {
  readonly era: Era;
  /** It is told its roots when it asks, and not only given them at its start. */
  readonly isTold: boolean;
  /** It may see no folder at all, and so is offered nothing that it could ask for. */
  readonly isRefused: boolean;
  /** The number of its requests. */
  readonly times: number;
  /** It had time enough to ask and did not. */
  readonly isSilent: boolean;
}

/** The way of a running server with its roots. */
export type Asking =
  | { readonly kind: 'asked'; readonly times: number }
  /**
   * `given`: it gets them at its start only. `refused`: there is nothing to ask for. `silent`: it
   * could have asked and did not. `not-yet`: it has just started, or can ask only when it is called.
   */
  | { readonly kind: 'given' | 'refused' | 'silent' | 'not-yet' };

export function askingOf({ era, isTold, isRefused, times, isSilent }: AskingFacts): Asking {
  if (!isTold) {
    return { kind: 'given' };
  }
  if (times > 0) {
    return { kind: 'asked', times };
  }
  if (isRefused) {
    return { kind: 'refused' };
  }
  return { kind: isSilent && era === 'legacy' ? 'silent' : 'not-yet' };
}
