import { SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { printable } from '../../domain/printable.ts';
import { type Failure, messageOf } from '../failure.ts';
import { SignInError } from '../oauth/signInError.ts';
import { OutageError } from './outageError.ts';

/** A server can say a lot where a person needs a line. */
const longestWords = 300;

/** What an error of a conversation over HTTP means. */
export function httpFailure(error: unknown): Failure {
  const chain = causes(error);
  const outage = chain.find(one => one instanceof OutageError);
  if (outage) {
    return { kind: 'unreachable', message: outage.message };
  }
  const isRefused = isSignInNeeded(error) || chain.some(one => hasStatus(one, 403));
  return { kind: isRefused ? 'unauthorized' : 'protocol', message: words(chain) };
}

/** Whether the server wants to know who asks, or somebody else to ask. */
export function isSignInNeeded(error: unknown): boolean {
  return causes(error).some(
    one => one instanceof SignInError || one instanceof UnauthorizedError || hasStatus(one, 401),
  );
}

/** Whether it was thrown by what reads messages: it is text of the server, and no message. */
export function isNoMessage({ name }: Error): boolean {
  return ['SyntaxError', 'ZodError', '$ZodError'].includes(name);
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof SdkHttpError && error.data.status === status;
}

function words(chain: readonly unknown[]): string {
  const refusal = chain.find(one => one instanceof SdkHttpError);
  const text = refusal
    ? `HTTP ${refusal.data.status} ${refusal.data.text ?? refusal.data.statusText ?? ''}`
    : messageOf(chain[0]);
  return printable(text.replace(/\s+/g, ' ').trim()).slice(0, longestWords);
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause) {
    chain.push(one);
  }
  return chain.length > 0 ? chain : [error];
}
