import {
  type AuthProvider,
  extractWWWAuthenticateParams,
  type FetchLike,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { KnownSecrets } from '../knownSecrets.ts';
import type { Authorization } from './authorization.ts';
import { refresh } from './refresh.ts';
import { readSignIn, type SignInRecord, secretsIn } from './savedSignIn.ts';
import { secureFetch } from './secureFetch.ts';
import { signIn } from './signIn.ts';
import { SignInError } from './signInError.ts';

/** What getting a token may do. */
export interface AccessOptions {
  readonly authorization: Authorization;
  /** Gets whatever is handed out, before it is used. */
  readonly secrets: KnownSecrets;
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
    this.current ??= (await this.read()).tokens;
    return this.current?.access_token;
  }

  /** @throws {SignInError} when there is no token that the server might take. */
  async onUnauthorized(refusal: Refusal): Promise<void> {
    this.renewal ??= this.renew(refusal).finally(() => {
      this.renewal = undefined;
    });
    await this.renewal;
  }

  private async renew(refusal: Refusal): Promise<void> {
    const { authorization, signal } = this.options;
    const record = await this.read();
    const { access_token } = record.tokens ?? {};
    const sent = this.refused.get(refusal.response);
    // Another request, or another window, may have got a new one in the meantime.
    const isRefused = !access_token || sent === `Bearer ${access_token}`;
    const fetchFn = this.fetchFor(refusal.serverUrl);
    const means = { store: authorization.store, fetchFn, signal };
    if (isRefused && !(await refresh(record, means))) {
      await this.askPerson(refusal, fetchFn);
    }
    this.current = (await this.read()).tokens;
  }

  private async askPerson({ response, serverUrl }: Refusal, fetchFn: FetchLike): Promise<void> {
    const { authorization, secrets, mayAsk, onAsk, signal } = this.options;
    if (!mayAsk()) {
      throw new SignInError('It asks for a sign-in. Start it by hand to sign in.');
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

  private fetchFor(serverUrl: URL): FetchLike {
    const { fetch, signal } = this.options;
    return secureFetch((url, init) => fetch(url, { ...init, signal }), serverUrl);
  }

  private async read(): Promise<SignInRecord> {
    const record = await readSignIn(this.options.authorization.store);
    this.options.secrets.add(...secretsIn(record));
    return record;
  }
}
