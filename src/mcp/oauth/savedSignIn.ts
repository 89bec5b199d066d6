import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { AuthorizationStore } from './authorization.ts';

/** What a sign-in leaves behind, so that the next start needs none. */
export interface SignInRecord {
  /** As whom the authorization server knows us. */
  readonly client?: StoredOAuthClientInformation;
  readonly discovery?: OAuthDiscoveryState;
  readonly tokens?: StoredOAuthTokens;
}

const key = 'oauth';

/** What is kept; nothing where it can't be read any more. */
export async function readSignIn(store: AuthorizationStore): Promise<SignInRecord> {
  const text = await store.get(key);
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // A text of another version, or of nobody we know: then somebody signs in again.
  }
}

/** Keeps what is given; an empty record forgets it all. */
export async function saveSignIn(store: AuthorizationStore, record: SignInRecord): Promise<void> {
  const text = JSON.stringify(record);
  await store.set(key, text === '{}' ? undefined : text);
}
