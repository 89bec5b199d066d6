import type { RestartPlan } from './restarts.ts';

export interface ServerFacts {
  readonly state: { readonly kind: 'stopped' | 'starting' | 'running' | 'stopping' | 'failed' };
  readonly plan: RestartPlan;
  /** It ignored the notice that its roots changed: it has not asked for them since. */
  readonly isNeglecting: boolean;
  /** It stopped because no folder is left that it may see. */
  readonly isStoppedForLackOfRoots: boolean;
}

/**
 * The most important fact about a server for a person. `plain`: only its state. `neglecting`: a
 * restart gives it the current roots.
 */
export type ServerStatus =
  | { readonly kind: 'starved' | 'neglecting' | 'plain' }
  | Exclude<RestartPlan, { readonly kind: 'none' }>;

/** The status of a server: the most important of all that is true. */
export function serverStatus(facts: ServerFacts): ServerStatus {
  if (facts.isStoppedForLackOfRoots) {
    return { kind: 'starved' };
  }
  if (facts.state.kind === 'running') {
    return { kind: facts.isNeglecting ? 'neglecting' : 'plain' };
  }
  return facts.plan.kind === 'none' ? { kind: 'plain' } : facts.plan;
}

/** The word for a server, to be read at a glance. */
export type ServerWord =
  | 'stopped'
  | 'starting'
  | 'running'
  | 'stopping'
  | 'failed'
  /** It died, and restarts automatically. */
  | 'starts-again'
  | 'needs-answer'
  | 'restart-needed';

/**
 * The word for a server. A pending answer comes before the server's own state.
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

/** How a server with this word looks, in every view. */
interface ServerWordRow {
  /** For a row: short enough for a narrow sidebar, beside a short name. */
  readonly text: string;
  /** The longer text, for places with room; left out: the short one. */
  readonly meaning?: string;
  /** An icon and a color of the editor, by their names. */
  readonly icon: string;
  readonly color?: string;
  readonly needsAttention?: true;
}

const [yellow, green, red] = [
  'charts.yellow',
  'charts.green',
  'problemsErrorIcon.foreground',
] as const;

/** The words for a server, and how each looks. */
export const serverWords: Readonly<Record<ServerWord, ServerWordRow>> = {
  'needs-answer': {
    text: 'waiting',
    meaning: 'needs an answer',
    icon: 'question',
    color: yellow,
    needsAttention: true,
  },
  failed: { text: 'failed', icon: 'error', color: red, needsAttention: true },
  'restart-needed': {
    text: 'restart',
    meaning: 'restart needed',
    icon: 'server-process',
    color: yellow,
    needsAttention: true,
  },
  // The time of its restart is shown instead, if it is known.
  'starts-again': { text: 'starting…', icon: 'watch', color: yellow },
  starting: { text: 'starting…', icon: 'loading~spin' },
  running: { text: 'running', icon: 'server-process', color: green },
  stopping: { text: 'stopping…', icon: 'loading~spin' },
  stopped: { text: 'stopped', icon: 'server-process' },
};

function needsAttention(word: ServerWord): boolean {
  return serverWords[word].needsAttention ?? false;
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
