import { argumentPaths } from '../../../domain/guard/argumentPaths.ts';
import type { FoundPath } from '../../../domain/guard/foundPath.ts';
import type { Rules } from '../../../domain/guard/guardRules.ts';
import type { PathScope } from '../../../domain/paths/pathScope.ts';
import { printable } from '../../../domain/printable.ts';
import { locatePath } from '../../paths/locate.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import { DiskBudget } from './diskBudget.ts';
import type { Judgement, JudgeParts } from './judgement.ts';
import { judgeMaybe, judgeWritten } from './maybeJudge.ts';
import { judgePath } from './pathJudge.ts';

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
  const search = argumentPaths(args, parts.rules, parts.scope.platform);
  if (!search.ok) {
    return uncheckable(search.reason);
  }
  const budget = new DiskBudget();
  const limited = { ...parts, locate: budget.limited(parts.locate) };
  const reals = new Set<string>();
  for (const found of search.paths) {
    const judgement = judgeOne(limited, found);
    if (budget.isSpent) {
      return uncheckable('They hold more paths, or deeper ones, than can be looked at.');
    }
    if (!judgement.ok) {
      return denied(found.text, judgement, parts.scope);
    }
    if (judgement.real !== undefined && reals.size < mostPaths) {
      reals.add(judgement.real);
    }
  }
  return { kind: 'allowed', paths: [...reals] };
}

const mostPaths = 20;

function judgeOne(parts: JudgeParts, { kind, text }: FoundPath): Judgement {
  switch (kind) {
    case 'path':
      return judgePath(parts, text);
    case 'maybe':
      return judgeMaybe(parts, text);
    case 'url':
      return judgeWritten(parts, text);
  }
}

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
