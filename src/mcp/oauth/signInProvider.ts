import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { KnownSecrets } from '../knownSecrets.ts';
import { type SignInRecord, secretsIn } from './savedSignIn.ts';

/** What one sign-in begins with. */
export interface SignInStart {
  /** Where the browser is to come back to, and with which state. */
  readonly redirectUrl: string;
  readonly state: string;
  /** What an earlier one left. A client that was registered for another redirect URL is not used. */
  readonly known: SignInRecord;
  /** Gets everything secret that comes up. */
  readonly secrets: KnownSecrets;
}

/** What the SDK asks for in the course of one sign-in, and what it learns in it. It keeps nothing. */
export class SignInProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  /** Where the person is to sign in, once the SDK knows it. */
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

  /** What there is to keep. */
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
