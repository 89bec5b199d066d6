import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { KnownSecrets } from '../knownSecrets.ts';
import { type SignInRecord, secretsIn } from './authorization.ts';

/** The beginning of one sign-in. */
export interface SignInStart {
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
