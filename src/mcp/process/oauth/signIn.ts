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
  parseErrorResponse,
  RegistrationRejectedError,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { whenAborted } from '../../../base/abortSignals.ts';
import { messageOf } from '../../../base/messageOf.ts';
import { within } from '../../../base/timeLimit.ts';
import { isOnThisMachine } from '../../../domain/servers/serverUrl.ts';
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
  /** Where to sign in, and the scope to ask for, as the server named them. */
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly fetchFn: FetchLike;
  readonly secrets: KnownSecrets;
  readonly signal: AbortSignal;
}

const longestWait = 5 * 60_000;

/**
 * Signs a person in through the browser, and saves the result. (OAuth 2.1 with PKCE: see
 * "Authorization" in the specification.) If the sign-in fails, an earlier result stays.
 *
 * @throws {SignInError} when this sign-in fails.
 */
export async function signIn(authorization: Authorization, request: SignInRequest): Promise<void> {
  const { store, client: { clientId, callbackPort } = {} } = authorization;
  const { secrets, signal, ...place } = request;
  const kept = await readSignIn(store);
  const state = randomBytes(32).toString('base64url');
  const listener = await CallbackListener.open(state, Number(callbackPort ?? portOf(kept)));
  // A client with a fixed port is usually registered for `localhost`, as people do for Claude Code.
  const { redirectUrl: address } = listener;
  const redirectUrl = callbackPort ? address.replace('127.0.0.1', 'localhost') : address;
  const client = { client_id: clientId ?? '', redirect_uris: [redirectUrl] };
  const known = clientId ? { client } : kept;
  const provider = new SignInProvider({ redirectUrl, state, known, secrets });
  try {
    await auth(provider, place);
    await show(authorization, provider.authorizationUrl, request.serverUrl);
    const answer = await answerWithin(listener.answer, signal);
    provider.saveTokens(await exchangeAnswer(answer, provider, request));
    await saveSignIn(store, provider.record);
  } catch (error) {
    if (error instanceof OAuthError && error.code === OAuthErrorCode.InvalidClient) {
      // The next sign-in registers again.
      await forgetClient(store, provider.record.client);
    }
    throw (await registrationError(error, provider.record)) ?? toSignInError(error);
  } finally {
    await listener.close();
  }
}

const pageProblems = {
  insecure: 'The address of the sign-in page must be https or on this machine.',
  unopened: 'The sign-in page was not opened.',
};

async function show(
  { openBrowser }: Authorization,
  url: URL | undefined,
  serverUrl: URL,
): Promise<void> {
  if (!url || !isSecureFor(serverUrl, url)) {
    throw new SignInError(pageProblems.insecure);
  }
  if (!(await openBrowser(url.href))) {
    throw new SignInError(pageProblems.unopened);
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

/** Advice if no client could be registered; `undefined` for any other failure. */
async function registrationError(error: unknown, { client, discovery }: SignInRecord) {
  const metadata = discovery?.authorizationServerMetadata;
  const isRefused = error instanceof RegistrationRejectedError;
  if (client || !(isRefused || (metadata && !metadata.registration_endpoint))) {
    return undefined;
  }
  const why = isRefused ? ` (${refusal(await parseErrorResponse(error.body))})` : '';
  const advice = `The sign-in of the server does not register clients${why}. Set a token in "headers". Or register an OAuth client yourself, and write its id: "oauth": { "clientId": "…" }.`;
  return new SignInError(advice, { cause: error });
}

/** The error in words. Leaves out the SDK's message where it quotes a whole unreadable answer. */
function refusal({ code, message }: OAuthError): string {
  return code === OAuthErrorCode.ServerError ? code : `${code}: ${message}`;
}

/**
 * Exchanges the code that the browser brought for tokens. Does not use the SDK's `auth`, which
 * writes the server's answer to the console, and asks the server twice.
 *
 * @throws when the answer has no code, or is from another server than the browser was sent to.
 */
async function exchangeAnswer(
  answer: URLSearchParams,
  provider: SignInProvider,
  { secrets, fetchFn }: Pick<SignInRequest, 'secrets' | 'fetchFn'>,
): Promise<StoredOAuthTokens> {
  const { client, discovery } = provider.record;
  if (!client || !discovery) {
    throw new SignInError('The authorization server is unknown.');
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

/** The code in the browser's answer. Checks the issuer before it reads anything else. */
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
    throw new SignInError(words ?? 'The browser returned without an answer of the sign-in page.');
  }
  return { code, iss };
}

/**
 * Whether a server may send us or a person to this address to sign in. With https, nobody listens
 * on the way. Without https, address and server must both be on this machine: a remote server has
 * no business with the programs that listen here.
 */
function isSecureFor(serverUrl: URL, { protocol, href }: URL): boolean {
  const isHere = isOnThisMachine(href) && isOnThisMachine(serverUrl.href);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

/** Returns a fetch for the sign-in at a server. It throws for an address that is not secure. */
export function secureFetch(fetch: FetchLike, serverUrl: URL): FetchLike {
  return async (url, init) => {
    if (!isSecureFor(serverUrl, new URL(url))) {
      throw new SignInError('The authorization server must be https or on this machine.');
    }
    return fetch(url, init);
  };
}

interface SignInStart {
  /** The address that the browser comes back to, and the `state` parameter that it must bring. */
  readonly redirectUrl: string;
  readonly state: string;
  /** An earlier record. Its client is used only if registered for this redirect URL. */
  readonly known: SignInRecord;
  readonly secrets: KnownSecrets;
}

/** Answers the SDK's questions during one sign-in, and collects the results. Stores nothing. */
export class SignInProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  /** The page to sign in at, once the SDK knows it. */
  authorizationUrl: URL | undefined;
  /** The results so far, to save after a success. */
  record: SignInRecord;
  private readonly expectedState: string;
  private readonly secrets: KnownSecrets;
  private verifier = '';

  constructor({ redirectUrl, state, known, secrets }: SignInStart) {
    const { client } = known;
    const isOurs = client && 'redirect_uris' in client && client.redirect_uris[0] === redirectUrl;
    this.redirectUrl = redirectUrl;
    this.expectedState = state;
    this.secrets = secrets;
    this.record = isOurs ? { client } : {};
    this.clientMetadata = {
      client_name: 'MCP Roots',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // An editor can keep no secret from its user. PKCE alone proves which client this is.
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.expectedState;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.record.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.learn({ client });
  }

  /** Gives no tokens: old tokens were tried already, and a sign-in is for new tokens. */
  tokens(): undefined {}

  saveTokens(tokens: StoredOAuthTokens): void {
    this.learn({ tokens });
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.record.discovery;
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

  private learn(news: SignInRecord): void {
    this.secrets.add(...secretsIn(news));
    this.record = { ...this.record, ...news };
  }
}
