import { isHumanError, type Words } from '../domain/sentence.ts';
import { type Lack, lackOf } from '../domain/servers/failureSentence.ts';
import type { ProcessEnd } from './stdio/serverProcess.ts';

/** Why a conversation did not come about, or ended by itself. */
export type Failure =
  | { readonly kind: 'not-started'; readonly message: Words; readonly lack?: Lack }
  | {
      readonly kind: 'ended';
      readonly end: ProcessEnd;
      /** The process had closed its output and went on running, and was therefore ended. */
      readonly hadClosedOutput?: true;
      /** How many lines were no messages, where the process ended in the handshake. */
      readonly rubbishLines?: number;
    }
  | {
      readonly kind: 'silent';
      readonly seconds: number;
      readonly rubbishLines?: number;
      /** What the process wrote last on its standard error. */
      readonly stderr?: readonly string[];
    }
  | { readonly kind: 'protocol'; readonly message: Words }
  /** Nothing answers at the address of a server, or a gateway that does not reach it. */
  | { readonly kind: 'unreachable'; readonly message: Words }
  /** The server demands a sign-in, and has got none that it accepts. */
  | { readonly kind: 'unauthorized'; readonly message: Words }
  /** The server had answered and is gone now, or has ended its session. */
  | { readonly kind: 'lost'; readonly message: Words };

/** The failure that the end of a process is while it is still needed. */
export function toFailure(end: ProcessEnd): Failure {
  return end.error ? notStarted(end.error) : { kind: 'ended', end };
}

/** The failure of a start that came to no process, for this reason. */
export function notStarted(error: unknown, message = wordsOf(error)): Failure {
  const lack = lackOf(error);
  return { kind: 'not-started', message, ...(lack && { lack }) };
}

/** The error, what caused it, what caused that, and so on; what is no error has no cause. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) {
    chain.push(one);
  }
  return chain.length > 0 ? chain : [error];
}

/** What an error says to a person, in a sentence if that is one of ours. */
function wordsOf(error: unknown): Words {
  return isHumanError(error) ? error.sentence : messageOf(error);
}

/** The message of an error; any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
