import { setTimeout } from 'node:timers/promises';
import {
  type AuthProvider,
  extractWWWAuthenticateParams,
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { KnownSecrets } from '../knownSecrets.ts';
import {
  type Authorization,
  forgetClient,
  readSignIn,
  type SecretStore,
  SignInError,
  type SignInRecord,
  saveSignIn,
  secretsIn,
} from './authorization.ts';
import { secureFetch, signIn } from './signIn.ts';

interface AccessOptions {
  readonly authorization: Authorization;
  /** Learns every token before it is used. */
  readonly secrets: KnownSecrets;
  readonly fetch: FetchLike;
  /** Whether a person is there to be asked to sign in. Called only when a sign-in is needed. */
  readonly mayAsk: () => boolean;
  /** Called with `true` when a person is asked to sign in, and with `false` when that is over. */
  readonly onAsk: (isAsking: boolean) => void;
  readonly signal: AbortSignal;
}

/** A refused request, as the SDK describes it. */
type UnauthorizedContext = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0];

/**
 * The tokens for one server. Refreshes them silently where that works. Otherwise signs a person in,
 * if a person may be asked. Requests that need a token at the same time share one renewal.
 */
export class AccessTokens implements AuthProvider {
  private readonly options: AccessOptions;
  private current: StoredOAuthTokens | undefined;
  private renewal: Promise<void> | undefined;
  /** The authorization header of each refused request, by its response. */
  private readonly refused = new WeakMap<Response, string | null>();

  constructor(options: AccessOptions) {
    this.options = options;
  }

  /** Returns a fetch that notes each refused request's token, which may be outdated by then. */
  watching(fetch: FetchLike): FetchLike {
    return async (url, init) => {
      const response = await fetch(url, init);
      if (response.status === 401) {
        this.refused.set(response, new Headers(init?.headers).get('authorization'));
      }
      return response;
    };
  }

  async token(): Promise<string | undefined> {
    this.current ??= (await this.read()).tokens;
    return this.current?.access_token;
  }

  /** @throws {SignInError} when no token is left that the server might take. */
  async onUnauthorized(refusal: UnauthorizedContext): Promise<void> {
    this.renewal ??= this.renew(refusal).finally(() => {
      this.renewal = undefined;
    });
    await this.renewal;
  }

  private async renew(refusal: UnauthorizedContext): Promise<void> {
    const { authorization, fetch, signal } = this.options;
    const record = await this.read();
    const { access_token } = record.tokens ?? {};
    const sent = this.refused.get(refusal.response);
    // Another request or another window may have renewed the token meanwhile.
    const isRefused = !access_token || sent === `Bearer ${access_token}`;
    const inTime: FetchLike = (url, init) => fetch(url, { ...init, signal });
    const fetchFn = secureFetch(inTime, refusal.serverUrl);
    if (isRefused && !(await refresh(record, authorization.store, fetchFn, signal))) {
      await this.askPerson(refusal, fetchFn);
    }
    this.current = (await this.read()).tokens;
  }

  private async askPerson(
    { response, serverUrl }: UnauthorizedContext,
    fetchFn: FetchLike,
  ): Promise<void> {
    const { authorization, secrets, mayAsk, onAsk, signal } = this.options;
    if (!mayAsk()) {
      throw new SignInError(startByHand);
    }
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    const request = { serverUrl, resourceMetadataUrl, scope, fetchFn, secrets, signal };
    onAsk(true);
    try {
      await signIn(authorization, request);
    } finally {
      onAsk(false);
    }
  }

  private async read(): Promise<SignInRecord> {
    const record = await readSignIn(this.options.authorization.store);
    this.options.secrets.add(...secretsIn(record));
    return record;
  }
}

const startByHand = 'The server asks for a sign-in. Start the server by hand to sign in.';

/** Time limit for another window to save the tokens it got for the same refresh token, in milliseconds. */
const longestSave = 500;

/**
 * Refreshes the record's tokens. `true`: the store has newer tokens, from here or from another
 * window. `false`: a person has to sign in.
 *
 * @param signal ends the wait for another window.
 */
async function refresh(
  record: SignInRecord,
  store: SecretStore,
  fetchFn: FetchLike,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const fresh = await freshTokens(record, fetchFn);
    if (fresh) {
      await saveSignIn(store, { ...record, tokens: { ...record.tokens, ...fresh } });
    }
    return fresh !== undefined;
  } catch (error) {
    if (!(error instanceof OAuthError)) {
      throw error;
    }
    if (error.code === OAuthErrorCode.InvalidClient) {
      await forgetClient(store, record.client);
      return false;
    }
    return isOvertaken(record, store, signal);
  }
}

/** Requests new tokens. The SDK's `auth` is not used: it writes the server's answer to the console. */
async function freshTokens(
  { client, discovery, tokens }: SignInRecord,
  fetchFn: FetchLike,
): Promise<StoredOAuthTokens | undefined> {
  if (!client || !discovery || !tokens?.refresh_token) {
    return undefined;
  }
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = discovery;
  return refreshAuthorization(authorizationServerUrl, {
    ...(authorizationServerMetadata && { metadata: authorizationServerMetadata }),
    ...(resourceMetadata && { resource: resourceMetadata.resource }),
    clientInformation: client,
    refreshToken: tokens.refresh_token,
    fetchFn,
  });
}

/** Whether another window has spent the refresh token, which works once, and saved new tokens. */
async function isOvertaken(
  { tokens }: SignInRecord,
  store: SecretStore,
  signal: AbortSignal,
): Promise<boolean> {
  const hasOthers = async () => {
    const kept = (await readSignIn(store)).tokens?.access_token;
    return kept !== undefined && kept !== tokens?.access_token;
  };
  if (await hasOthers()) {
    return true;
  }
  await setTimeout(longestSave, undefined, { signal });
  return hasOthers();
}
