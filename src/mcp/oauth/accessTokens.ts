import {
  type AuthProvider,
  extractWWWAuthenticateParams,
  type FetchLike,
  OAuthError,
  refreshAuthorization,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Authorization } from './authorization.ts';
import { readSignIn, type SignInRecord, saveSignIn } from './savedSignIn.ts';
import { isSecure, signIn } from './signIn.ts';
import { SignInError } from './signInError.ts';

/** What getting a token may do. */
export interface AccessOptions {
  readonly authorization: Authorization;
  /** For the requests to the authorization server. */
  readonly fetch: FetchLike;
  /** Whether a person is there who may be asked to sign in. Asked when it matters. */
  readonly mayAsk: () => boolean;
  /** `true` while a person is asked; then `false`. */
  readonly onAsk: (isAsking: boolean) => void;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** What the SDK says of a refused request. */
type Refusal = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0];

/**
 * The tokens for one server: refreshed without a word where that works; otherwise, where a person
 * may be asked, got by a sign-in. Requests that need one at the same time share what is done for it.
 */
export class AccessTokens implements AuthProvider {
  private readonly options: AccessOptions;
  private current: StoredOAuthTokens | undefined;
  private renewal: Promise<void> | undefined;
  /** What the refused requests were sent with. */
  private readonly refused = new WeakMap<Response, string | null>();

  constructor(options: AccessOptions) {
    this.options = options;
  }

  /** Whether there has been a token. */
  get isSignedIn(): boolean {
    return this.current !== undefined;
  }

  /** A fetch whose refusals can be told from those of an older token. */
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
    this.current ??= (await readSignIn(this.options.authorization.store)).tokens;
    return this.current?.access_token;
  }

  /** @throws {SignInError} when there is no token that the server might take. */
  async onUnauthorized(refusal: Refusal): Promise<void> {
    this.renewal ??= this.renew(refusal).finally(() => {
      this.renewal = undefined;
    });
    await this.renewal;
  }

  private async renew({ response, serverUrl }: Refusal): Promise<void> {
    const { authorization, fetch, mayAsk, onAsk, signal } = this.options;
    const record = await readSignIn(authorization.store);
    const { access_token } = record.tokens ?? {};
    // Another request, or another window, may have got a new one in the meantime.
    const isRefused = !access_token || this.refused.get(response) === `Bearer ${access_token}`;
    if (isRefused && !(await this.refresh(record))) {
      if (!mayAsk()) {
        throw new SignInError('It asks for a sign-in. Start it by hand to sign in.');
      }
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      const fetchFn: FetchLike = (url, init) => fetchSecurely(fetch, url, { ...init, signal });
      onAsk(true);
      try {
        await signIn(authorization, { serverUrl, resourceMetadataUrl, scope, fetchFn, signal });
      } finally {
        onAsk(false);
      }
    }
    this.current = (await readSignIn(authorization.store)).tokens;
  }

  /** Not by the SDK's `auth`, which writes what the server answers to the console. */
  private async refresh({ client, discovery, tokens }: SignInRecord): Promise<boolean> {
    if (!client || !discovery || !tokens?.refresh_token) {
      return false;
    }
    const { authorization, fetch, signal } = this.options;
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = discovery;
    try {
      const fresh = await refreshAuthorization(authorizationServerUrl, {
        ...(authorizationServerMetadata && { metadata: authorizationServerMetadata }),
        ...(resourceMetadata && { resource: resourceMetadata.resource }),
        clientInformation: client,
        refreshToken: tokens.refresh_token,
        fetchFn: (url, init) => fetchSecurely(fetch, url, { ...init, signal }),
      });
      await saveSignIn(authorization.store, { client, discovery, tokens: { ...tokens, ...fresh } });
      return true;
    } catch (error) {
      if (error instanceof OAuthError) {
        return false; // The server does not want this refresh token any more.
      }
      throw error;
    }
  }
}

function fetchSecurely(fetch: FetchLike, url: string | URL, init: RequestInit): Promise<Response> {
  if (!isSecure(new URL(url))) {
    throw new SignInError('Its authorization server is neither https nor on this machine.');
  }
  return fetch(url, init);
}
