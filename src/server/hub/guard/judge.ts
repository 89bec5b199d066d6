import { type ArgumentPaths, argumentPaths } from '../../../domain/guard/argumentPaths.ts';
import type { FoundPath } from '../../../domain/guard/foundPath.ts';
import type { Rules } from '../../../domain/guard/guardRules.ts';
import type { PathScope } from '../../../domain/paths/pathScope.ts';
import { printable } from '../../../domain/printable.ts';
import { locatePath } from '../../paths/locate.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import { isBiggerThan } from './argumentSize.ts';
import { runWithin } from './boundedRun.ts';
import { DiskBudget } from './diskBudget.ts';
import type { Judgement, JudgeParts, Judging } from './judgement.ts';
import { LinkNames } from './linkNames.ts';
import { judgeMaybe, judgeName, judgeWritten } from './maybeJudge.ts';
import { judgePath } from './pathJudge.ts';
import { type Judged, leavingFromFolders } from './startFolders.ts';

/** Whether a call may be handed on to a child. */
export type Verdict =
  | {
      readonly kind: 'allowed' | 'unchecked';
      /** Where the paths really lead that were judged; at most 20 of them. */
      readonly paths: readonly string[];
    }
  | {
      readonly kind: 'denied';
      /** As it was given; empty when it is the arguments as a whole that can't be checked. */
      readonly path: string;
      readonly canonical: string | undefined;
      /** Why, in finished sentences. */
      readonly reason: string;
      /** The whole answer for the client. It does not tell whether something outside exists. */
      readonly message: string;
    };

/**
 * Judges the arguments of a call: every path in them has to be in the roots, for everything that a
 * child might take it for. `bases` are the folders that relative paths may start in. Synchronous,
 * so that the call can be sent in the turn it is judged in.
 */
export function judge(
  args: unknown,
  rules: Rules,
  scope: PathScope<RootFolder>,
  bases: readonly string[],
): Verdict {
  return judgeBy({ rules, scope, bases, locate: locatePath }, args);
}

/** The same with another way to find where paths lead. */
export function judgeBy(parts: JudgeParts, args: unknown): Verdict {
  if (parts.rules.isOff) {
    return { kind: 'unchecked', paths: [] };
  }
  const deadline = performance.now() + longestTime;
  const search = searched(args, parts);
  if (!search.ok) {
    return uncheckable(search.reason);
  }
  const budget = new DiskBudget(deadline);
  const links = new LinkNames({ budget, platform: parts.scope.platform });
  const locate = budget.limited(parts.locate);
  return judgeFound({ ...parts, locate, budget, links }, search.paths);
}

function judgeFound(judging: Judging, paths: readonly FoundPath[]): Verdict {
  const judged: Judged[] = [];
  for (const found of paths) {
    const judgement = judgeOne(judging, found);
    if (judging.budget.isSpent) {
      return uncheckable(tooMuch);
    }
    if (!judgement.ok) {
      return denied(found.text, judgement, judging.scope);
    }
    judged.push({ found, real: judgement.real });
  }
  const leaving = leavingFromFolders(judging, judged);
  if (judging.budget.isSpent) {
    return uncheckable(tooMuch);
  }
  return leaving
    ? denied(leaving.text, leaving.judgement, judging.scope)
    : { kind: 'allowed', paths: realsOf(judged) };
}

function realsOf(judged: readonly Judged[]): readonly string[] {
  const reals = new Set(judged.map(({ real }) => real).filter(real => real !== undefined));
  return [...reals].slice(0, mostPaths);
}

const mostPaths = 20;

/** In milliseconds, for all that is done about one call. */
const longestTime = 100;
const longestSearch = 75;
/** Arguments of which nothing can take long. */
const smallSize = 40_000;

/** Nothing in big arguments, and nothing that patterns are tried on, may keep the others waiting. */
function searched(args: unknown, { rules, scope }: JudgeParts): ArgumentPaths {
  const search = () => argumentPaths(args, rules, scope.platform);
  if (rules.pathPatterns.length === 0 && !isBiggerThan(args, smallSize)) {
    return search();
  }
  return runWithin(longestSearch, search) ?? { ok: false, reason: 'That would take too long.' };
}

function judgeOne(judging: Judging, { kind, text }: FoundPath): Judgement {
  switch (kind) {
    case 'path':
      return judgePath(judging, text);
    case 'maybe':
    case 'folder':
      return judgeMaybe(judging, text, false);
    case 'word':
      return judgeMaybe(judging, text, true);
    case 'name':
      return judgeName(judging, text);
    case 'url':
      return judgeWritten(judging, text);
  }
}

const tooMuch = 'They hold more paths, or deeper ones, than can be looked at.';

function uncheckable(reason: string): Verdict {
  const message = `Access denied: The arguments cannot be checked. ${reason}`;
  return { kind: 'denied', path: '', canonical: undefined, reason, message };
}

function denied(
  path: string,
  { canonical, reason }: Extract<Judgement, { readonly ok: false }>,
  scope: PathScope<RootFolder>,
): Verdict {
  const roots = scope.roots.map(root => printable(root.announced)).join(', ');
  const shown = printable(path.slice(0, 200));
  const message = [
    `Access denied: Path '${shown}' is outside the allowed roots boundaries.`,
    `Current roots: [${roots}]`,
    reason,
  ];
  return {
    kind: 'denied',
    path,
    canonical,
    reason: reason || 'It is outside the roots.',
    message: message.join(' ').trim(),
  };
}
