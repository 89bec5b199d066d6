import { randomBytes } from 'node:crypto';
import {
  auth,
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { Authorization } from './authorization.ts';
import { CallbackListener } from './callbackListener.ts';
import { readSignIn, type SignInRecord, saveSignIn } from './savedSignIn.ts';
import { SignInError } from './signInError.ts';
import { SignInProvider } from './signInProvider.ts';

/** Where somebody is to sign in, and what bounds it. */
export interface SignInRequest {
  readonly serverUrl: URL;
  /** What the server said where to ask, and for what. */
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly fetchFn: FetchLike;
  /** Ends the wait for the person. */
  readonly signal: AbortSignal;
}

const longestWait = 5 * 60_000;

/**
 * Lets a person sign in through the browser, and keeps what comes of it. (OAuth 2.1 with PKCE, as
 * the authorization part of the specification has it.)
 *
 * @throws {SignInError} when nobody is signed in at its end.
 */
export async function signIn(authorization: Authorization, request: SignInRequest): Promise<void> {
  const known = await readSignIn(authorization.store);
  const state = randomBytes(32).toString('base64url');
  const listener = await CallbackListener.open(state, portOf(known));
  try {
    const provider = new SignInProvider(listener.redirectUrl, state, known);
    const { signal: _, ...place } = request;
    await auth(provider, place);
    await show(authorization, provider.authorizationUrl);
    const answer = await answerWithin(listener.answer, request.signal);
    const { code, iss } = codeIn(answer, provider.record);
    await auth(provider, { ...place, authorizationCode: code, ...(iss && { iss }) });
    await saveSignIn(authorization.store, provider.record);
  } catch (error) {
    // A server that has forgotten us shows that to the person only: the next time we are new to it.
    await saveSignIn(authorization.store, {});
    throw toSignInError(error);
  } finally {
    await listener.close();
  }
}

async function show({ openBrowser }: Authorization, url: URL | undefined): Promise<void> {
  if (!url || !isSecure(url)) {
    throw new SignInError('The page to sign in at is neither https nor on this machine.');
  }
  if (!(await openBrowser(url.href))) {
    throw new SignInError('The page to sign in at was not opened.');
  }
}

async function answerWithin(
  answer: Promise<URLSearchParams>,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), longestWait);
  try {
    return await untilAborted(answer, AbortSignal.any([signal, tooLate.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new SignInError('Nobody signed in.'));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      abort();
    }
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Who answered is checked before anything it says is read: a mixed-up server may say what it likes. */
function codeIn(answer: URLSearchParams, { discovery }: SignInRecord) {
  const metadata = discovery?.authorizationServerMetadata;
  const iss = answer.get('iss') ?? undefined;
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const code = answer.get('code');
  if (!code) {
    const words = answer.get('error_description') ?? answer.get('error');
    throw new SignInError(words ?? 'The browser came back without an answer.');
  }
  return { code, iss };
}

function portOf({ client }: SignInRecord): number {
  const [redirect] = client && 'redirect_uris' in client ? client.redirect_uris : [];
  return redirect ? Number(URL.parse(redirect)?.port ?? 0) : 0;
}

/** Whether nobody on the way can read what goes to this address. */
export function isSecure({ protocol, hostname }: URL): boolean {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

function toSignInError(error: unknown): SignInError {
  if (error instanceof SignInError) {
    return error;
  }
  const words = error instanceof Error ? error.message : String(error);
  return new SignInError(error instanceof OAuthError ? refusal(error) : words, { cause: error });
}

/** Its own error code is what the SDK gives to an answer it does not understand, with all of it. */
function refusal({ code, message }: OAuthError): string {
  return code === OAuthErrorCode.ServerError ? code : `${code}: ${message}`;
}
