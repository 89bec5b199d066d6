import type { GrantState, GrantStore } from '../consent/grantStore.ts';
import type { ServerChoices } from '../consent/serverChoices.ts';
import type { OfferedFolders } from '../folders/offeredFolders.ts';
import type { ClientAnswers } from '../gateway/clientAnswers.ts';
import type { LastCalls } from '../pages/lastCalls.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';

/** All that is kept about servers by their ids, besides their definitions and their logs. */
export interface ServerMemory {
  readonly state: GrantState;
  readonly grants: GrantStore;
  readonly clientAnswers: ClientAnswers;
  /** Yes or no on each server, of every kind. */
  readonly choices: readonly ServerChoices[];
  readonly offered: OfferedFolders;
  readonly lastCalls: LastCalls;
  readonly secrets: ServerSecrets;
}

/** A server of the user's that was given another name, or was removed. */
export interface ServerMove {
  /** The id that it had. */
  readonly from: string;
  /** Left out: it was removed. */
  readonly to?: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

const movesKey = 'serverMoves';
const seenKey = 'serverMovesSeen';
/** Whoever opens a workspace after so many is asked again. */
const mostMoves = 200;

/** The moves that what is kept in this workspace has not followed yet, the oldest first. */
export function pendingMoves({ workspace, global }: GrantState): readonly ServerMove[] {
  const seen = workspace.get(seenKey, 0);
  return global.get<readonly ServerMove[]>(movesKey, []).filter(({ at }) => at > seen);
}

/** Has what is kept in other workspaces follow, too, when they are opened. What is kept here has. */
export async function noteMove(
  { workspace, global }: GrantState,
  from: string,
  to: string | undefined,
): Promise<void> {
  const moves = global.get<readonly ServerMove[]>(movesKey, []);
  // Two moves have never the same time, whatever the clock says.
  const at = Math.max(Date.now(), (moves.at(-1)?.at ?? 0) + 1);
  const move = { from, at, ...(to !== undefined && { to }) };
  await global.update(movesKey, [...moves, move].slice(-mostMoves));
  await workspace.update(seenKey, at);
}

/** Notes that what is kept in this workspace has followed these moves. */
export async function markSeen(
  { workspace }: GrantState,
  moves: readonly ServerMove[],
): Promise<void> {
  await workspace.update(seenKey, moves.at(-1)?.at);
}
