import { printable } from '../printable.ts';
import { sentence } from '../sentence.ts';
import {
  type Failure,
  type FailureFacts,
  failureProblem,
  problem,
  readLog,
  type ServerProblem,
} from './serverFailure.ts';
import type { ServerStatus } from './serverStatus.ts';

export interface ProblemFacts extends FailureFacts {
  /** Whether the user can change its definition. */
  readonly isEditable: boolean;
  /** Why it does not run; `undefined`: it did not fail. */
  readonly failure: Failure | undefined;
  readonly status: ServerStatus;
  /** Whether it may see no folder, and an answer could change that. */
  readonly isWithoutFolder: boolean;
  /** The path that it asked for and that its sandbox keeps from it. */
  readonly missedPath: string | undefined;
  /** Whether it said that it could not start a browser in its sandbox. */
  readonly lacksBrowser: boolean;
}

/** The problem of a server; `undefined` where nothing needs a person. */
export function problemOf(facts: ProblemFacts): ServerProblem | undefined {
  const { failure, status } = facts;
  const lack = sandboxLack(facts);
  if (failure && 'end' in failure && lack) {
    return lack;
  }
  if (failure) {
    const found = givenUp(facts, failureProblem(failure, facts));
    const isEdit = found.remedy.kind === 'edit' || found.remedy.kind === 'pass-on';
    return isEdit && !facts.isEditable ? readLog(found.what) : found;
  }
  switch (status.kind) {
    case 'starved':
      return problem('no folder is left', 'Allow it a folder', 'review');
    case 'neglecting':
      return problem('its folders changed', 'Restart it to apply this', 'restart');
    default:
      return facts.isWithoutFolder
        ? problem('may see no folder', 'Allow it a folder', 'review')
        : lack;
  }
}

function sandboxLack({ missedPath, lacksBrowser }: ProblemFacts): ServerProblem | undefined {
  if (lacksBrowser) {
    return problem("can't start a browser", 'Read what a browser takes in a sandbox', 'sandbox');
  }
  return missedPath === undefined
    ? undefined
    : problem(sentence('wants {0}', printable(missedPath)), 'Let it read this', 'let-read');
}

/** The same problem, of a server that is not tried again: how often it was says more than the last try. */
function givenUp({ status, wasReached }: ProblemFacts, last: ServerProblem): ServerProblem {
  if (status.kind !== 'given-up') {
    return last;
  }
  const times = String(status.deaths);
  // A server that never came up did not die.
  const what = wasReached
    ? sentence('died {0} times', times)
    : sentence('did not start in {0} tries', times);
  return last.remedy.kind === 'show-log' ? { ...last, what } : last;
}
