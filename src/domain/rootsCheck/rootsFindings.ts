import type { Era } from '../exposure.ts';

/** Whether a folder was within a server's reach; `untold`: nothing that happened tells. */
export type Reach = 'served' | 'refused' | 'untold';

/** What made a server ask for its roots the first time. */
export type FirstAsked =
  | { readonly kind: 'start' }
  | { readonly kind: 'change' }
  | { readonly kind: 'call'; readonly tool: string }
  | { readonly kind: 'never' };

/** What one tool showed of folders: their files, or their names. */
export interface ToolFindings {
  readonly tool: string;
  /** Of a folder that the server was not told of, and that is there for it. */
  readonly outside: Reach;
  /** Of a folder that it was told of after its start. */
  readonly added: Reach;
  /** Of a folder that was replaced by another one. */
  readonly withdrawn: Reach;
  /** Of the folders served before, after it was told of no folder at all. */
  readonly emptied: Reach;
}

/** What one server did with roots when it was watched. It says nothing of the next time. */
export interface RootsFindings {
  readonly era: Era;
  /** The negotiated revision. */
  readonly protocolVersion: string;
  readonly firstAsked: FirstAsked;
  /** Whether it asked once more after each change; `undefined`: that could not be seen. */
  readonly asksAgain: boolean | undefined;
  /** The tools that were called, once each. */
  readonly called: readonly string[];
  /** Of a tool that reads by path; `undefined`: none could be seen to. */
  readonly reading: ToolFindings | undefined;
  /** Of a tool that names the folders of the server; `undefined`: none could be seen to. */
  readonly naming: ToolFindings | undefined;
  /** Whether it also runs when it is offered no roots; `undefined`: not tried. */
  readonly startsWithoutRoots: boolean | undefined;
  /** Why there is no more of it: the server ended by itself, or the time was over. */
  readonly cutShort: 'ended' | 'time' | undefined;
  /** What its sandbox did; `undefined`: it was in none. */
  readonly sandbox: SandboxFindings | undefined;
}

/** What the sandbox of a server did when that was watched. */
export interface SandboxFindings {
  /** Of a folder that the sandbox does not show. */
  readonly beyond: Reach;
  /** The paths that the server named in its errors, and that only its sandbox keeps from it. */
  readonly missed: readonly string[];
}

/** What is known when a server has just started: nothing but how it speaks. */
export function noFindings(era: Era, protocolVersion: string): RootsFindings {
  return {
    era,
    protocolVersion,
    firstAsked: { kind: 'never' },
    asksAgain: undefined,
    called: [],
    reading: undefined,
    naming: undefined,
    startsWithoutRoots: undefined,
    cutShort: undefined,
    sandbox: undefined,
  };
}

/**
 * What a tool said of folders after one of these moments: what it read, else what it named. What a
 * server reads counts for more than what it says of itself.
 */
export function reachAfter(
  { reading, naming }: RootsFindings,
  moment: 'withdrawn' | 'emptied',
): Reach {
  const read = reading?.[moment] ?? 'untold';
  return read === 'untold' ? (naming?.[moment] ?? 'untold') : read;
}

/** One reach for several folders: the worst of them. */
export function widestReach(reaches: readonly Reach[]): Reach {
  if (reaches.includes('served')) {
    return 'served';
  }
  return reaches.length === 0 || reaches.includes('untold') ? 'untold' : 'refused';
}
