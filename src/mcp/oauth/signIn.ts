import { randomBytes } from 'node:crypto';
import {
  type AuthorizationServerMetadata,
  auth,
  exchangeAuthorization,
  type FetchLike,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  OAuthError,
  OAuthErrorCode,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { whenAborted } from '../../base/abortSignals.ts';
import { messageOf } from '../../base/messageOf.ts';
import { within } from '../../base/timeLimit.ts';
import { isOnThisMachine } from '../../domain/servers/serverUrl.ts';
import type { KnownSecrets } from '../knownSecrets.ts';
import {
  type Authorization,
  forgetClient,
  readSignIn,
  SignInError,
  type SignInRecord,
  saveSignIn,
  secretsIn,
} from './authorization.ts';
import { CallbackListener } from './callbackListener.ts';

interface SignInRequest {
  readonly serverUrl: URL;
  /** The place to ask and the scope to ask for, as the server named them. */
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly fetchFn: FetchLike;
  readonly secrets: KnownSecrets;
  readonly signal: AbortSignal;
}

const longestWait = 5 * 60_000;

/**
 * Lets a person sign in through the browser, and keeps the result. (OAuth 2.1 with PKCE, as the
 * authorization part of the specification has it.) An earlier result stays when this fails.
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
      // The next sign-in registers anew.
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
  const calledOff = new Promise<undefined>(resolve => {
    whenAborted(signal, () => resolve(undefined));
  });
  const given = await within(Promise.race([answer, calledOff]), longestWait, undefined);
  if (!given) {
    throw new SignInError('Nobody signed in.');
  }
  return given;
}

function portOf({ client }: SignInRecord): number {
  const [redirect] = client && 'redirect_uris' in client ? client.redirect_uris : [];
  return redirect ? Number(URL.parse(redirect)?.port ?? 0) : 0;
}

function toSignInError(error: unknown): SignInError {
  if (error instanceof SignInError) {
    return error;
  }
  const words = error instanceof OAuthError ? refusal(error) : messageOf(error);
  return new SignInError(words, { cause: error });
}

/** The error in words. For an answer that the SDK does not understand, its message quotes all of it. */
function refusal({ code, message }: OAuthError): string {
  return code === OAuthErrorCode.ServerError ? code : `${code}: ${message}`;
}

/**
 * The tokens for the answer of a browser. Not by the SDK's `auth`, which writes the server's answer to
 * the console, and asks it twice.
 *
 * @throws when the answer is empty, or from another server than the browser was sent to.
 */
async function exchangeAnswer(
  answer: URLSearchParams,
  provider: SignInProvider,
  { secrets, fetchFn }: Pick<SignInRequest, 'secrets' | 'fetchFn'>,
): Promise<StoredOAuthTokens> {
  const { client, discovery } = provider.record;
  if (!client || !discovery) {
    throw new SignInError('Its authorization server can not be told.');
  }
  const metadata = discovery.authorizationServerMetadata;
  const issuer = metadata?.issuer ?? discovery.authorizationServerUrl;
  const { code, iss } = codeIn(answer, metadata);
  secrets.add(code);
  const tokens = await exchangeAuthorization(discovery.authorizationServerUrl, {
    ...(metadata && { metadata }),
    ...(iss && { iss }),
    ...(discovery.resourceMetadata && { resource: discovery.resourceMetadata.resource }),
    clientInformation: client,
    authorizationCode: code,
    codeVerifier: provider.codeVerifier(),
    redirectUri: provider.redirectUrl,
    fetchFn,
  });
  return { ...tokens, issuer };
}

/** The code in an answer. Its issuer is checked first: an answer of the wrong server is not read. */
function codeIn(answer: URLSearchParams, metadata: AuthorizationServerMetadata | undefined) {
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

/**
 * Whether a server may send us, or a person, to this address to sign in: nobody may listen on the way.
 * Without https that holds on this machine alone, and there only for a server that is here as well:
 * one elsewhere has no business with the programs that listen here.
 */
function isSecureFor(serverUrl: URL, { protocol, href }: URL): boolean {
  const isHere = isOnThisMachine(href) && isOnThisMachine(serverUrl.href);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

/** A fetch on behalf of this server: a request to an address that the server may not name fails. */
export function secureFetch(fetch: FetchLike, serverUrl: URL): FetchLike {
  return async (url, init) => {
    if (!isSecureFor(serverUrl, new URL(url))) {
      throw new SignInError('Its authorization server is neither https nor on the same machine.');
    }
    return fetch(url, init);
  };
}

/** The beginning of one sign-in. */
interface SignInStart {
  /** The address that the browser is to come back to, and the state that it must bring. */
  readonly redirectUrl: string;
  readonly state: string;
  /**
   * The record of an earlier one. A client that was registered for another redirect URL is not
   * used.
   */
  readonly known: SignInRecord;
  readonly secrets: KnownSecrets;
}

/** Answers the SDK's questions in one sign-in, and collects its results. It stores nothing. */
export class SignInProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  /** The page for the person to sign in at, once the SDK knows it. */
  authorizationUrl: URL | undefined;
  private readonly expectedState: string;
  private readonly secrets: KnownSecrets;
  private known: SignInRecord;
  private verifier = '';

  constructor({ redirectUrl, state, known, secrets }: SignInStart) {
    const { client } = known;
    const isOurs = client && 'redirect_uris' in client && client.redirect_uris[0] === redirectUrl;
    this.redirectUrl = redirectUrl;
    this.expectedState = state;
    this.secrets = secrets;
    this.known = isOurs ? { client } : {};
    this.clientMetadata = {
      client_name: 'MCP Roots',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // An editor can keep no secret from its user: it proves itself by PKCE alone.
      token_endpoint_auth_method: 'none',
    };
  }

  /** The results so far, to be kept after a success. */
  get record(): SignInRecord {
    return this.known;
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.known.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.learn({ client });
  }

  /** None: they were tried already, and a sign-in is for new ones. */
  tokens(): undefined {}

  saveTokens(tokens: StoredOAuthTokens): void {
    this.learn({ tokens });
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.known.discovery;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.learn({ discovery });
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.secrets.add(verifier);
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const { client, tokens, discovery } = this.known;
    const isKept = (what: string) => scope !== 'all' && scope !== what;
    this.known = {
      ...(client && isKept('client') && { client }),
      ...(tokens && isKept('tokens') && { tokens }),
      ...(discovery && isKept('discovery') && { discovery }),
    };
  }

  private learn(news: SignInRecord): void {
    this.secrets.add(...secretsIn(news));
    this.known = { ...this.known, ...news };
  }
}
