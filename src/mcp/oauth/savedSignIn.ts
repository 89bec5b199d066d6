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

/** Forgets as whom the authorization server knew us, unless we have become another one since. */
export async function forgetClient(
  store: AuthorizationStore,
  refused: StoredOAuthClientInformation | undefined,
): Promise<void> {
  const { client, ...rest } = await readSignIn(store);
  if (client && client.client_id === refused?.client_id) {
    await saveSignIn(store, rest);
  }
}

/** What of it nobody else may learn. */
export function secretsIn({ client, tokens }: SignInRecord): (string | undefined)[] {
  return [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token];
}
