import { STATUS_CODES } from 'node:http';
import {
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { printable } from '../../domain/printable.ts';
import { causesOf, type Failure, messageOf } from '../failure.ts';
import type { KnownSecrets } from '../knownSecrets.ts';
import { SignInError } from '../oauth/signInError.ts';
import { OutageError } from './outageError.ts';
import { insteadOfMcp, isStrange, longestWords } from './refusalText.ts';

/** By these a gateway says that the server behind it is not there, or has no time, now. */
const absences: readonly number[] = [429, 502, 503, 504];

/** A server has refused the handshake over Streamable HTTP, and does not speak the older HTTP with SSE. */
export class RefusedTwice extends Error {
  constructor(first: unknown) {
    super(messageOf(first), { cause: first });
  }
}

/** What an error of a conversation over HTTP means. What is known to be secret it does not repeat. */
export function httpFailure(error: unknown, secrets: KnownSecrets): Failure {
  const chain = causesOf(error);
  const outage = chain.find(one => one instanceof OutageError);
  if (outage) {
    return { kind: 'unreachable', message: outage.message };
  }
  if (chain.some(one => absences.some(status => hasStatus(one, status)))) {
    return { kind: 'unreachable', message: words(chain, secrets) };
  }
  const isRefused = isSignInNeeded(error) || chain.some(one => hasStatus(one, 403));
  return { kind: isRefused ? 'unauthorized' : 'protocol', message: words(chain, secrets) };
}

/** Whether the server wants to know who asks, or somebody else to ask. */
export function isSignInNeeded(error: unknown): boolean {
  return causesOf(error).some(
    one => one instanceof SignInError || one instanceof UnauthorizedError || hasStatus(one, 401),
  );
}

/** Whether a server has nothing for such a request at its address. */
export function isRefusal(error: unknown): boolean {
  return causesOf(error).some(one => one instanceof SdkHttpError && isStrange(one.data.status));
}

/** Whether it was thrown by what reads messages: it is text of the server, and no message. */
export function isNoMessage({ name }: Error): boolean {
  return ['SyntaxError', 'ZodError', '$ZodError'].includes(name);
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof SdkHttpError && error.data.status === status;
}

function words(chain: readonly unknown[], secrets: KnownSecrets): string {
  // First of all: no change and no cut may leave a part of a secret that is not known as one.
  const clean = secrets.redacted(wordsOf(chain)).replace(/\s+/g, ' ').trim();
  const text = printable(clean).slice(0, longestWords);
  const isAll = chain.some(one => one instanceof RefusedTwice);
  return isAll ? `${text}; nor does it speak the older HTTP with SSE` : text;
}

function wordsOf(chain: readonly unknown[]): string {
  const refusal = chain.find(one => one instanceof SdkHttpError);
  if (refusal) {
    const { status, statusText, text } = refusal.data;
    return `HTTP ${status} ${text || statusText || STATUS_CODES[status] || ''}`;
  }
  if (chain.some(one => one instanceof SyntaxError)) {
    return `HTTP 200 ${insteadOfMcp(200, 'something else')}`;
  }
  const stranger = chain.find(isUnexpectedContent);
  return stranger ? `HTTP 200 ${insteadOfMcp(200, kindOf(stranger.data))}` : messageOf(chain[0]);
}

function isUnexpectedContent(error: unknown): error is SdkError {
  return error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent;
}

function kindOf(data: unknown): string {
  const { contentType } = (data ?? {}) as { readonly contentType?: string | null };
  return /^\s*text\/html/i.test(contentType ?? '') ? 'a web page' : contentType || 'something else';
}
