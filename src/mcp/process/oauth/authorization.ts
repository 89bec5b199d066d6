import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** Secrets of one server, by name. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  /** @param value `undefined` removes it. */
  set(name: string, value: string | undefined): Promise<void>;
}

/** The surroundings of a sign-in: a browser and a storage. */
export interface Authorization {
  /** Opens a page in the person's browser. `false` when the person or the editor refused. */
  openBrowser(url: string): Promise<boolean>;
  readonly store: SecretStore;
  /** The `clientId` and `callbackPort` that a person registered. Left out: we register a client. */
  readonly client?: Readonly<Record<string, string>>;
}

/** The server asks for a sign-in, and nobody is signed in. The message gives the reason. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}

/** The result of a sign-in, saved so that the next start needs none. */
export interface SignInRecord {
  readonly client?: StoredOAuthClientInformation;
  readonly discovery?: OAuthDiscoveryState;
  readonly tokens?: StoredOAuthTokens;
}

const key = 'oauth';

/** The saved record; empty if it can't be read any more. */
export async function readSignIn(store: SecretStore): Promise<SignInRecord> {
  const text = await store.get(key);
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // Another version or program saved it. The next sign-in replaces it.
  }
}

/** Saves the record in place of the earlier record. An empty record forgets everything. */
export async function saveSignIn(store: SecretStore, record: SignInRecord): Promise<void> {
  const text = JSON.stringify(record);
  await store.set(key, text === '{}' ? undefined : text);
}

/** Forgets our registration at the authorization server, unless another one has replaced it. */
export async function forgetClient(
  store: SecretStore,
  refused: StoredOAuthClientInformation | undefined,
): Promise<void> {
  const { client, ...rest } = await readSignIn(store);
  if (client && client.client_id === refused?.client_id) {
    await saveSignIn(store, rest);
  }
}

/** The values of a record that nobody else may learn. */
export function secretsIn({ client, tokens }: SignInRecord): (string | undefined)[] {
  return [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token];
}
