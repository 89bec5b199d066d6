import type { RestartPlan } from './restarts.ts';

export interface ServerFacts {
  readonly state: { readonly kind: 'stopped' | 'starting' | 'running' | 'stopping' | 'failed' };
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
  if (facts.state.kind === 'running') {
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

/**
 * The word for a server: what waits for a person's answer before what became of the server.
 *
 * @param isAsking whether a folder, a client or its start waits for the user's answer.
 */
export function serverWord(facts: ServerFacts, isAsking: boolean): ServerWord {
  if (isAsking) {
    return 'needs-answer';
  }
  const { kind } = serverStatus(facts);
  if (facts.state.kind === 'failed') {
    return kind === 'waiting' ? 'starts-again' : 'failed';
  }
  return kind === 'neglecting' ? 'restart-needed' : facts.state.kind;
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
