import type { Rules } from '../../../domain/guard/guardRules.ts';
import type { PathScope } from '../../../domain/paths/pathScope.ts';
import type { locatePath } from '../../paths/locate.ts';
import type { RootFolder } from '../../roots/rootFolders.ts';
import type { DiskBudget } from './diskBudget.ts';
import type { LinkNames } from './linkNames.ts';

/** What paths are judged by. */
export interface JudgeParts {
  readonly rules: Rules;
  readonly scope: PathScope<RootFolder>;
  /** The folders that relative paths may start in; a path has to be inside from every one. */
  readonly bases: readonly string[];
  /** Finds where a path leads. */
  readonly locate: typeof locatePath;
}

/** The same for the paths of one call, which share what may be looked at. */
export interface Judging extends JudgeParts {
  readonly budget: DiskBudget;
  readonly links: LinkNames;
}

/** Whether a path may be handed on. */
export type Judgement =
  | {
      readonly ok: true;
      /** Where it leads; `undefined` when nothing says that it is a path. */
      readonly real: string | undefined;
    }
  | {
      readonly ok: false;
      /** As far as it can be said. */
      readonly canonical: string | undefined;
      /** Finished sentences; empty when there is no more to say than that it is outside. */
      readonly reason: string;
    };

/** For what is inside as it is written, and need not be so for a program that reads it its own way. */
export const rewritable =
  'It could be expanded or decoded to something outside: write the plain path.';

/** Whether a path that is inside as it is written leads out of the roots on the disk. */
export function leadsOut({ scope, locate }: Judging, path: string, input: string): boolean {
  const located = locate(scope, path, input);
  return !located.ok && located.kind === 'outside';
}
