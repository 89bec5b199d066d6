import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
import { type DownloadProblem, downloadProblem } from './downloadProblem.ts';
import { lastWords } from './lastWords.ts';
import type { FailureKind } from './restarts.ts';

/** What is told of a failure: its kind, and what goes with that kind. */
export type ToldFailure =
  | { readonly kind: Exclude<FailureKind, 'silent' | 'ended'>; readonly message: string }
  | {
      readonly kind: 'silent';
      readonly seconds: number;
      /** How many lines it printed meanwhile that were no messages. */
      readonly rubbishLines?: number;
    }
  | {
      readonly kind: 'ended';
      readonly end: ToldEnd;
      /** It was ended because it had closed its output and went on running. */
      readonly hadClosedOutput?: true;
      readonly rubbishLines?: number;
    };

/** How a process ended, and the last lines of its standard error. */
export interface ToldEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: readonly string[];
}

/** Why a server does not run, to be read after its name, with the last thing it said about it. */
export function failureSentence(failure: ToldFailure): Sentence {
  switch (failure.kind) {
    case 'not-started':
      return sentence('could not be started: {0}', failure.message);
    case 'silent':
      return withRubbish('did not answer within {0} seconds', String(failure.seconds), failure);
    case 'protocol':
      return sentence('does not speak MCP as expected: {0}', failure.message);
    case 'unreachable':
      return sentence("can't be reached: {0}", failure.message);
    case 'lost':
      return sentence('lost the connection: {0}', failure.message);
    case 'unauthorized':
      return sentence('did not let us in: {0}', failure.message);
    case 'ended':
      return endSentence(failure);
  }
}

type EndedFailure = Extract<ToldFailure, { readonly kind: 'ended' }>;

/** What it printed where messages belong says something only when its standard error does not. */
function endSentence(failure: EndedFailure): Sentence {
  const problem = downloadProblem(failure.end);
  if (problem) {
    return problemSentence(problem);
  }
  const [template, how] = wayToEnd(failure);
  const line = lastWords(failure.end.stderr);
  return line === undefined
    ? withRubbish(template, how, failure)
    : sentence(`${template}: {1}`, how, printable(line));
}

function wayToEnd({ end, hadClosedOutput }: EndedFailure): readonly [string, string] {
  if (hadClosedOutput) {
    return ['closed its output and went on running', ''];
  }
  const { code, signal } = end;
  return signal ? ['ended by {0}', signal] : ['ended with exit code {0}', String(code ?? '?')];
}

/** What to do says more than how the process ended. */
function problemSentence(problem: DownloadProblem): Sentence {
  const host = problem.host === undefined ? [] : [printable(problem.host)];
  const hole = `{${host.length}}`;
  if (problem.kind === 'unreachable') {
    const what = host.length > 0 ? 'could not download from {0}' : 'could not download';
    return sentence(`${what}: set HTTPS_PROXY if this machine needs a proxy`, ...host);
  }
  const what =
    host.length > 0 ? 'does not trust the certificate of {0}' : 'does not trust a certificate';
  return problem.variable === undefined
    ? sentence(`${what}, which has expired`, ...host)
    : sentence(
        `${what}: set ${hole} to the file with your company's certificates`,
        ...host,
        problem.variable,
      );
}

function withRubbish(
  template: string,
  value: string,
  { rubbishLines = 0 }: { readonly rubbishLines?: number },
): Sentence {
  switch (rubbishLines) {
    case 0:
      return sentence(template, value);
    case 1:
      return sentence(`${template}, and printed a line that is no message of MCP`, value);
    default:
      return sentence(
        `${template}, and printed {1} lines that are no messages of MCP`,
        value,
        String(rubbishLines),
      );
  }
}
