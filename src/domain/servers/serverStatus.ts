import type { RestartPlan } from './restarts.ts';

export interface ServerFacts {
  readonly state: { readonly kind: 'stopped' | 'starting' | 'running' | 'stopping' | 'failed' };
  readonly plan: RestartPlan;
  /** The server got the notice that its roots changed, and has not asked for them since. */
  readonly isNeglecting: boolean;
  /** The server was stopped because it may see no folder any more. */
  readonly isStoppedForLackOfRoots: boolean;
  /** The server was stopped because nobody used it. Its next use starts it. */
  readonly isIdle: boolean;
}

/**
 * The fact about a server that is most important for a person. `plain`: only its state matters.
 * `neglecting`: a restart would give the server its current roots.
 */
export type ServerStatus =
  | { readonly kind: 'starved' | 'neglecting' | 'plain' }
  | Exclude<RestartPlan, { readonly kind: 'none' }>;

/** The status of a server: of all facts, the most important. */
export function serverStatus(facts: ServerFacts): ServerStatus {
  if (facts.isStoppedForLackOfRoots) {
    return { kind: 'starved' };
  }
  if (facts.state.kind === 'running') {
    return { kind: facts.isNeglecting ? 'neglecting' : 'plain' };
  }
  return facts.plan.kind === 'none' ? { kind: 'plain' } : facts.plan;
}

/** The word for a server's state. A row shows it. */
export type ServerWord =
  | 'stopped'
  | 'starting'
  | 'running'
  | 'stopping'
  | 'failed'
  | 'idle'
  /** The server died, and will restart automatically. */
  | 'starts-again'
  | 'needs-answer'
  | 'restart-needed';

/**
 * The word for a server. If a question waits for the user, the server's own state comes second.
 *
 * @param isAsking whether the server's start, a folder or a client waits for the user's answer.
 */
export function serverWord(facts: ServerFacts, isAsking: boolean): ServerWord {
  if (isAsking) {
    return 'needs-answer';
  }
  const { kind } = serverStatus(facts);
  if (facts.state.kind === 'failed') {
    return kind === 'waiting' ? 'starts-again' : 'failed';
  }
  if (facts.isIdle && facts.state.kind === 'stopped') {
    return 'idle';
  }
  return kind === 'neglecting' ? 'restart-needed' : facts.state.kind;
}

/** How a server with this word looks, in every view. */
interface ServerWordRow {
  /** The short text for a row: a narrow sidebar also has to show the server's name. */
  readonly text: string;
  /** The longer text for places with room; left out: `text` stands there, too. */
  readonly meaning?: string;
  /** The names of an icon and a color of the editor. */
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
  // A row shows the time of the restart instead, if the time is known.
  'starts-again': { text: 'starting…', icon: 'watch', color: yellow },
  starting: { text: 'starting…', icon: 'loading~spin' },
  running: { text: 'running', icon: 'server-process', color: green },
  stopping: { text: 'stopping…', icon: 'loading~spin' },
  stopped: { text: 'stopped', icon: 'server-process' },
  idle: { text: 'idle', meaning: 'idle until its next use', icon: 'server-process' },
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
      return word !== 'stopped' && word !== 'idle' && word !== 'failed';
  }
}
