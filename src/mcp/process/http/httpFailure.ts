import { STATUS_CODES } from 'node:http';
import {
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { jsonIn } from '../../../base/jsonIn.ts';
import { messageOf } from '../../../base/messageOf.ts';
import { printable } from '../../../domain/printable.ts';
import { inEnglish, type Sentence, sentence, type Words } from '../../../domain/sentence.ts';
import type { Failure } from '../../../domain/servers/serverFailure.ts';
import { causesOf } from '../failure.ts';
import type { KnownSecrets } from '../knownSecrets.ts';
import { SignInError } from '../oauth/authorization.ts';

/** Statuses that a gateway sends while the server behind it is absent or too busy. */
const absences: readonly number[] = [429, 502, 503, 504];

/** The server refused Streamable HTTP's handshake, and does not speak the older HTTP with SSE. */
export class RefusedTwice extends Error {
  constructor(first: unknown) {
    super(messageOf(first), { cause: first });
  }
}

/** The failure that an error over HTTP means. Repeats no known secret. */
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

/** Whether the server refused the request itself, because its address takes no such request. */
export function isRefusal(error: unknown): boolean {
  return causesOf(error).some(one => one instanceof SdkHttpError && isStrange(one.data.status));
}

/** Whether the error says that the SDK could not read the server's text as a message. */
export function isNoMessage({ name }: Error): boolean {
  return ['SyntaxError', 'ZodError', '$ZodError'].includes(name);
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof SdkHttpError && error.data.status === status;
}

function words(chain: readonly unknown[], secrets: KnownSecrets): Words {
  // Redacts secrets first: after a change or cut, a part of a secret would not be recognized.
  const clean = secrets.redacted(wordsOf(chain)).replace(/\s+/g, ' ').trim();
  const text = printable(clean).slice(0, longestWords);
  const isAll = chain.some(one => one instanceof RefusedTwice);
  return isAll ? sentence('{0}, and does not speak the older HTTP with SSE either', text) : text;
}

function wordsOf(chain: readonly unknown[]): string {
  const refusal = chain.find(one => one instanceof SdkHttpError);
  if (refusal) {
    const { status, statusText, text } = refusal.data;
    return `HTTP ${status} ${text || statusText || STATUS_CODES[status] || ''}`;
  }
  if (chain.some(one => one instanceof SyntaxError)) {
    return `HTTP 200 ${insteadOfMcp(200, instead.other)}`;
  }
  const stranger = chain.find(isUnexpectedContent);
  return stranger ? `HTTP 200 ${insteadOfMcp(200, kindOf(stranger.data))}` : messageOf(chain[0]);
}

function isUnexpectedContent(error: unknown): error is SdkError {
  return error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent;
}

function kindOf(data: unknown): string {
  const { contentType } = (data ?? {}) as { readonly contentType?: string | null };
  return /^\s*text\/html/i.test(contentType ?? '') ? instead.page : contentType || instead.other;
}

/** The most characters of a server's text in a failure. A person needs only a line. */
const longestWords = 300;

/**
 * The text to show after the status of a response that is not MCP. Gives the body if it is JSON or
 * short. Never gives a web page: its status says all that matters to a client of MCP.
 */
export function refusalText(status: number, body: string, contentType: string | null): string {
  const isPage =
    /^\s*text\/html/i.test(contentType ?? '') ||
    /^\s*<[!?a-z]|<(?:!doctype|html|head|body|script)\b/i.test(body);
  if (!isPage && (jsonIn(body) !== undefined || body.length <= longestWords)) {
    return body;
  }
  return insteadOfMcp(status, isPage ? instead.page : instead.long);
}

const instead = { page: 'a web page', long: 'a long text', other: 'something else' };

/** A status in words. If it suggests a wrong URL, the words also say what came instead of MCP. */
function insteadOfMcp(status: number, what: string): string {
  const meaning = STATUS_CODES[status] ?? '';
  return status < 400 || isStrange(status)
    ? `${meaning}, with ${what} instead of MCP: check the URL`
    : meaning;
}

/** Whether the status refuses the request itself, not the user or the moment. */
function isStrange(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 407, 429].includes(status);
}

/** Common error codes of the operating system and the resolver, in words. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'no name server answers',
  ETIMEDOUT: 'the connection took too long',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'the network has no route to the host',
  ENETUNREACH: 'the network is down',
  SELF_SIGNED_CERT_IN_CHAIN: 'this machine does not trust the certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'this machine does not trust the certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'this machine does not trust the certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'this machine does not trust the certificate',
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server's certificate is for another host",
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak HTTPS: try http://',
  HPE_INVALID_CONSTANT: 'the server does not speak HTTP',
  // Node gives this error no code, only this message.
  'bad port': 'HTTP clients block this port: use another port',
};

/** Codes of broken connections. A server that closes a connection may answer on the next connection. */
const cuts: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
]);

/** A request got no answer. The message names the host and the reason, but no more of the URL. */
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

/** The reason for a failed `fetch`. It stands in the error's chain of causes. */
function reasonOf(error: unknown): { readonly code: string; readonly words: Words } {
  if (!(error instanceof Error)) {
    return { code: '', words: String(error) };
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  const known = code || error.message;
  const words = Object.hasOwn(reasons, known) ? reasons[known] : undefined;
  if (words === undefined && error.cause) {
    return reasonOf(error.cause);
  }
  return { code, words: words ? sentence(words) : error.message || code || error.name };
}
