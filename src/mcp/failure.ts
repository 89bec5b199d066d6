import type { ProcessEnd } from './stdio/serverProcess.ts';

/** Why a conversation did not come about, or ended by itself. */
export type Failure =
  | { readonly kind: 'not-started'; readonly message: string }
  | {
      readonly kind: 'ended';
      readonly end: ProcessEnd;
      /** The process had closed its output and went on running, and was therefore ended. */
      readonly hadClosedOutput?: true;
      /** How many lines were no messages, where the process ended in the handshake. */
      readonly rubbishLines?: number;
    }
  | { readonly kind: 'silent'; readonly seconds: number; readonly rubbishLines?: number }
  | { readonly kind: 'protocol'; readonly message: string }
  /** Nothing answers at the address of a server, or a gateway that does not reach it. */
  | { readonly kind: 'unreachable'; readonly message: string }
  /** The server demands a sign-in, and has got none that it accepts. */
  | { readonly kind: 'unauthorized'; readonly message: string }
  /** The server had answered and is gone now, or has ended its session. */
  | { readonly kind: 'lost'; readonly message: string };

/** The failure that the end of a process is while it is still needed. */
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

/** The message of an error; any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
