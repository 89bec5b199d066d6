import type { ProcessEnd } from './stdio/serverProcess.ts';

/** Why a conversation did not come about, or ended by itself. */
export type Failure =
  | { readonly kind: 'not-started'; readonly message: string }
  | {
      readonly kind: 'ended';
      readonly end: ProcessEnd;
      /** It had closed its output and went on running, and was therefore ended. */
      readonly hadClosedOutput?: true;
      /** How many lines it printed that were no messages, where it ended in the handshake. */
      readonly rubbishLines?: number;
    }
  | { readonly kind: 'silent'; readonly seconds: number; readonly rubbishLines?: number }
  | { readonly kind: 'protocol'; readonly message: string }
  /** Nothing answers at the address of a server, or a gateway that does not reach it. */
  | { readonly kind: 'unreachable'; readonly message: string }
  /** The server wants somebody to sign in, and nobody has, or not to its liking. */
  | { readonly kind: 'unauthorized'; readonly message: string }
  /** A server that was reached is not there any more, or has ended its session. */
  | { readonly kind: 'lost'; readonly message: string };

/** What the end of a process means to somebody who still needed it. */
export function toFailure(end: ProcessEnd): Failure {
  return end.error ? { kind: 'not-started', message: end.error.message } : { kind: 'ended', end };
}

/** The error, what caused it, what caused that, and so on; what is no error has no cause. */
export function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) {
    chain.push(one);
  }
  return chain.length > 0 ? chain : [error];
}

/** What an error says of itself. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
