import {
  type AuthorizationServerMetadata,
  exchangeAuthorization,
  type StoredOAuthTokens,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { SignInRequest } from './signIn.ts';
import { SignInError } from './signInError.ts';
import type { SignInProvider } from './signInProvider.ts';

/**
 * The tokens for what a browser came back with. Not by the SDK's `auth`, which writes what the server
 * answers to the console, and asks it twice.
 *
 * @throws when it came back with nothing, or from another server than it was sent to.
 */
export async function exchangeAnswer(
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

/** Who answered is checked before anything it says is read: a mixed-up server may say what it likes. */
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
