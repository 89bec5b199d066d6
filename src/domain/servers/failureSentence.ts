import { printable } from '../printable.ts';
import { type Sentence, sentence } from '../sentence.ts';
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
  | { readonly kind: 'ended'; readonly end: ToldEnd };

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
      return silentSentence(String(failure.seconds), failure.rubbishLines ?? 0);
    case 'protocol':
      return sentence('does not speak MCP as expected: {0}', failure.message);
    case 'unreachable':
      return sentence("can't be reached: {0}", failure.message);
    case 'lost':
      return sentence('lost the connection: {0}', failure.message);
    case 'unauthorized':
      return sentence('did not let us in: {0}', failure.message);
    case 'ended':
      return endSentence(failure.end);
  }
}

function silentSentence(seconds: string, rubbishLines: number): Sentence {
  switch (rubbishLines) {
    case 0:
      return sentence('did not answer within {0} seconds', seconds);
    case 1:
      return sentence(
        'did not answer within {0} seconds, and printed a line that is no message of MCP',
        seconds,
      );
    default:
      return sentence(
        'did not answer within {0} seconds, and printed {1} lines that are no messages of MCP',
        seconds,
        String(rubbishLines),
      );
  }
}

function endSentence({ code, signal, stderr }: ToldEnd): Sentence {
  const line = lastWords(stderr);
  const words = line === undefined ? [] : [printable(line)];
  const [bySignal, byCode] =
    words.length > 0
      ? ['ended by {0}: {1}', 'ended with exit code {0}: {1}']
      : ['ended by {0}', 'ended with exit code {0}'];
  return signal
    ? sentence(bySignal, signal, ...words)
    : sentence(byCode, String(code ?? '?'), ...words);
}
