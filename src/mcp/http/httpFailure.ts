import { STATUS_CODES } from 'node:http';
import {
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { messageOf } from '../../base/messageOf.ts';
import { printable } from '../../domain/printable.ts';
import { inEnglish, type Sentence, sentence, type Words } from '../../domain/sentence.ts';
import type { Failure } from '../../domain/servers/serverFailure.ts';
import { causesOf } from '../failure.ts';
import type { KnownSecrets } from '../knownSecrets.ts';
import { SignInError } from '../oauth/authorization.ts';

/** The statuses by which a gateway says that the server behind it is absent, or too busy, now. */
const absences: readonly number[] = [429, 502, 503, 504];

/**
 * A server has refused the handshake over Streamable HTTP, and does not speak the older HTTP with
 * SSE.
 */
export class RefusedTwice extends Error {
  constructor(first: unknown) {
    super(messageOf(first), { cause: first });
  }
}

/** The meaning of an error over HTTP. It repeats no known secret. */
export function httpFailure(error: unknown, secrets: KnownSecrets): Failure {
  const chain = causesOf(error);
  const outage = chain.find(one => one instanceof OutageError);
  if (outage) {
    return { kind: 'unreachable', message: outage.sentence };
  }
  if (chain.some(one => absences.some(status => hasStatus(one, status)))) {
    return { kind: 'unreachable', message: words(chain, secrets) };
  }
  const isRefused = isSignInNeeded(error) || chain.some(one => hasStatus(one, 403));
  return { kind: isRefused ? 'unauthorized' : 'protocol', message: words(chain, secrets) };
}

/** Whether the server demands a sign-in, or another user. */
export function isSignInNeeded(error: unknown): boolean {
  return causesOf(error).some(
    one => one instanceof SignInError || one instanceof UnauthorizedError || hasStatus(one, 401),
  );
}

/** Whether a server has nothing for such a request at its address. */
export function isRefusal(error: unknown): boolean {
  return causesOf(error).some(one => one instanceof SdkHttpError && isStrange(one.data.status));
}

/** Whether the error says that a text of the server is no message. */
export function isNoMessage({ name }: Error): boolean {
  return ['SyntaxError', 'ZodError', '$ZodError'].includes(name);
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof SdkHttpError && error.data.status === status;
}

function words(chain: readonly unknown[], secrets: KnownSecrets): Words {
  // Redacted before any change or cut, which could leave an unrecognizable part of a secret.
  const clean = secrets.redacted(wordsOf(chain)).replace(/\s+/g, ' ').trim();
  const text = printable(clean).slice(0, longestWords);
  const isAll = chain.some(one => one instanceof RefusedTwice);
  return isAll ? sentence('{0}; nor does it speak the older HTTP with SSE', text) : text;
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

/** A server can say a lot where a person needs a line. */
const longestWords = 300;

/**
 * The text of a response that is no MCP, to be read after its status: the body where it is JSON or
 * short, but never a page, because for a client of MCP its status says all that matters.
 */
export function refusalText(status: number, body: string, contentType: string | null): string {
  const isPage =
    /^\s*text\/html/i.test(contentType ?? '') ||
    /^\s*<[!?a-z]|<(?:!doctype|html|head|body|script)\b/i.test(body);
  if (!isPage && (isJson(body) || body.length <= longestWords)) {
    return body;
  }
  return insteadOfMcp(status, isPage ? 'a web page' : 'a long text');
}

/** The meaning of a status, and what came instead of MCP where that suggests a wrong URL. */
function insteadOfMcp(status: number, what: string): string {
  const meaning = STATUS_CODES[status] ?? '';
  return status < 400 || isStrange(status)
    ? `${meaning}, with ${what} instead of MCP: check the URL`
    : meaning;
}

/** Whether the status refuses the request itself, and not the user or the moment. */
function isStrange(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // Any other text is no JSON.
  }
}

/** Common error codes of the operating system and of the resolver, in words. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was cut'],
  ['ENOTFOUND', 'no such host is known'],
  ['EAI_AGAIN', 'no name server answers'],
  ['ETIMEDOUT', 'the connection took too long'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection took too long'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer came'],
  ['UND_ERR_SOCKET', 'the connection was cut'],
  ['EHOSTUNREACH', 'there is no route to the host'],
  ['ENETUNREACH', 'there is no network'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted here'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted here'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted here'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is not trusted here'],
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak HTTPS: try http://'],
  ['HPE_INVALID_CONSTANT', 'it does not speak HTTP'],
  // No code, but these words.
  ['bad port', 'this port is blocked for HTTP'],
]);

/** The codes of connections that broke: a server that closes one may answer on the next. */
const cuts: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
]);

/** A request got no answer. The message names the host and the reason, and no more of the URL. */
export class OutageError extends Error {
  override readonly name = 'OutageError';
  readonly sentence: Sentence;
  /** Whether there was a connection at all. */
  readonly wasConnected: boolean;

  constructor({ host }: URL, cause: unknown) {
    const { code, words } = reasonOf(cause);
    const told = sentence('{0}: {1}', host, words);
    super(inEnglish(told), { cause });
    this.sentence = told;
    this.wasConnected = cuts.has(code);
  }
}

/** The reason of a failed `fetch`: it is in the cause of its error, or in the cause of that. */
function reasonOf(error: unknown): { readonly code: string; readonly words: Words } {
  if (!(error instanceof Error)) {
    return { code: '', words: String(error) };
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  const words = reasons.get(code || error.message);
  if (words === undefined && error.cause) {
    return reasonOf(error.cause);
  }
  return { code, words: words ? sentence(words) : error.message || code || error.name };
}
