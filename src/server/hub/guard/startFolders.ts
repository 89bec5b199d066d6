import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FoundPath } from '../../../domain/guard/foundPath.ts';
import { startsAsPath } from '../../../domain/guard/pathStart.ts';
import type { Judgement, Judging } from './judgement.ts';
import { leavesFrom, nameLeavesFrom } from './maybeJudge.ts';

/** What was judged, and where it leads as far as it is a path. */
export interface Judged {
  readonly found: FoundPath;
  readonly real: string | undefined;
}

/** A text that leads out when it starts in a folder that the arguments name. */
export interface LeavingText {
  readonly text: string;
  readonly judgement: Extract<Judgement, { readonly ok: false }>;
}

/**
 * Looks from every folder that the arguments name themselves, for a program may take the others
 * from there: `cwd` beside `path`, or `cd` in a command. What leads out by a link there is refused,
 * and what is ruled out; nobody has to mean it, so it may climb.
 */
export function leavingFromFolders(
  judging: Judging,
  judged: readonly Judged[],
): LeavingText | undefined {
  const texts = judged.map(({ found }) => found).filter(found => isRelative(judging, found));
  if (texts.length === 0 || judged.length === 1) {
    return undefined;
  }
  for (const folder of foldersIn(judging, judged)) {
    for (const { kind, text } of texts) {
      const path =
        kind === 'name'
          ? nameLeavesFrom(judging, folder, text)
          : leavesFrom(judging, { base: folder, text, opensLast: kind !== 'maybe' });
      if (path !== undefined || judging.budget.isSpent) {
        return { text, judgement: { ok: false, canonical: path, reason: '' } };
      }
    }
  }
  return undefined;
}

function isRelative({ scope }: Judging, { kind, text }: FoundPath): boolean {
  return kind !== 'url' && (kind !== 'path' || !startsAsPath(text, scope.platform));
}

function foldersIn(judging: Judging, judged: readonly Judged[]): ReadonlySet<string> {
  const { bases, scope, budget } = judging;
  const found = new Set<string>();
  const add = (path: string) => {
    if (!bases.includes(path) && !found.has(path) && scope.find(path) && isFolder(judging, path)) {
      found.add(path);
      // Each of so many would have to be held against all the others.
      budget.spend(found.size > mostFolders ? Number.POSITIVE_INFINITY : 0);
    }
  };
  for (const { found: one, real } of judged) {
    if (one.kind === 'path' && real !== undefined) {
      add(real);
    } else if (one.kind === 'folder') {
      for (const base of [...bases, ...found]) {
        add(resolve(base, one.text));
      }
    }
  }
  return found;
}

const mostFolders = 200;

function isFolder({ budget }: Judging, path: string): boolean {
  try {
    return budget.spend(1) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // Nothing can start where nothing can be looked at.
    return false;
  }
}
