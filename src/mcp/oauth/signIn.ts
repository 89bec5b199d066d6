import { randomBytes } from 'node:crypto';
import { auth, type FetchLike, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/client';
import type { KnownSecrets } from '../knownSecrets.ts';
import type { Authorization } from './authorization.ts';
import { CallbackListener } from './callbackListener.ts';
import { exchangeAnswer } from './exchangeAnswer.ts';
import { forgetClient, readSignIn, type SignInRecord, saveSignIn } from './savedSignIn.ts';
import { isSecureFor } from './secureFetch.ts';
import { SignInError } from './signInError.ts';
import { SignInProvider } from './signInProvider.ts';

/** Where somebody is to sign in, and what bounds it. */
export interface SignInRequest {
  readonly serverUrl: URL;
  /** What the server said where to ask, and for what. */
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly fetchFn: FetchLike;
  /** Gets everything secret that comes up. */
  readonly secrets: KnownSecrets;
  /** Ends the wait for the person. */
  readonly signal: AbortSignal;
}

const longestWait = 5 * 60_000;

/**
 * Lets a person sign in through the browser, and keeps what comes of it. (OAuth 2.1 with PKCE, as
 * the authorization part of the specification has it.) What was kept before stays when it fails.
 *
 * @throws {SignInError} when nobody is signed in at its end.
 */
export async function signIn(authorization: Authorization, request: SignInRequest): Promise<void> {
  const { store } = authorization;
  const { secrets, signal, ...place } = request;
  const known = await readSignIn(store);
  const state = randomBytes(32).toString('base64url');
  const listener = await CallbackListener.open(state, portOf(known));
  const { redirectUrl } = listener;
  const provider = new SignInProvider({ redirectUrl, state, known, secrets });
  try {
    await auth(provider, place);
    await show(authorization, provider.authorizationUrl, request.serverUrl);
    const answer = await answerWithin(listener.answer, signal);
    provider.saveTokens(await exchangeAnswer(answer, provider, request));
    await saveSignIn(store, provider.record);
  } catch (error) {
    if (error instanceof OAuthError && error.code === OAuthErrorCode.InvalidClient) {
      // The next time we are new to it.
      await forgetClient(store, provider.record.client);
    }
    throw toSignInError(error);
  } finally {
    await listener.close();
  }
}

async function show(
  { openBrowser }: Authorization,
  url: URL | undefined,
  serverUrl: URL,
): Promise<void> {
  if (!url || !isSecureFor(serverUrl, url)) {
    throw new SignInError('The page to sign in at is neither https nor on the same machine.');
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

function portOf({ client }: SignInRecord): number {
  const [redirect] = client && 'redirect_uris' in client ? client.redirect_uris : [];
  return redirect ? Number(URL.parse(redirect)?.port ?? 0) : 0;
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
