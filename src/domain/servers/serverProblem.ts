import { printable } from '../printable.ts';
import type { SandboxLack } from '../sandbox/lacks.ts';
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
  /** Whether the user can change the server's definition. */
  readonly isEditable: boolean;
  /** Why the server does not run; `undefined` when it did not fail. */
  readonly failure: Failure | undefined;
  readonly status: ServerStatus;
  /** Whether the server has no allowed folder, and an answer of the user could change this. */
  readonly isWithoutFolder: boolean;
  /** A path that the server tried to open, and that the sandbox hides. */
  readonly missedPath: string | undefined;
  /** What the sandbox denies besides paths, judged by the server's own messages. */
  readonly sandboxLack: SandboxLack | undefined;
}

/** The problem of a server; `undefined` when no person needs to do anything. */
export function problemOf(facts: ProblemFacts): ServerProblem | undefined {
  const { failure, status } = facts;
  const lack = lackOf(facts);
  if (failure && 'end' in failure && lack) {
    return lack;
  }
  if (failure) {
    const found = givenUp(facts, failureProblem(failure, facts));
    const isEdit = found.remedy.kind === 'edit' || found.remedy.kind === 'pass-on';
    return isEdit && !facts.isEditable ? readLog(found.what) : found;
  }
  if (status.kind === 'neglecting') {
    return problem('folders have changed', 'Restart the server to apply the change', 'restart');
  }
  return status.kind === 'starved' || facts.isWithoutFolder
    ? problem('may see no folder', 'Allow the server a folder', 'review')
    : lack;
}

function lackOf({ missedPath, sandboxLack }: ProblemFacts): ServerProblem | undefined {
  if (sandboxLack) {
    return problem(...lacks[sandboxLack], 'sandbox');
  }
  return missedPath === undefined
    ? undefined
    : problem(
        sentence('asked for {0}', printable(missedPath)),
        'Let the server read the path',
        'let-read',
      );
}

const lacks: Readonly<Record<SandboxLack, readonly [what: string, todo: string]>> = {
  sockets: ["can't use unix sockets", 'Read what a sandbox needs for unix sockets'],
  browser: ["can't start a browser", 'Read what a browser needs in a sandbox'],
};

/** The problem of a server that is not restarted any more. It tells how often the server failed. */
function givenUp({ status, wasReached }: ProblemFacts, last: ServerProblem): ServerProblem {
  if (status.kind !== 'given-up' || last.remedy.kind !== 'show-log') {
    return last;
  }
  // A server that never came up did not die.
  const what = wasReached ? tries.died : tries.failed;
  return { ...last, what: sentence(what, String(status.deaths)) };
}

const tries = { died: 'died {0} times', failed: 'did not start in {0} tries' };
