import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** The storage for the result of a sign-in: secrets of one server. */
export interface AuthorizationStore {
  get(key: string): Promise<string | undefined>;
  /** `undefined` forgets the value. */
  set(key: string, value: string | undefined): Promise<void>;
}

/** The surroundings of a sign-in: a browser and a storage. */
export interface Authorization {
  /** Shows a page in the person's browser. `false` when the person, or the editor, refused. */
  openBrowser(url: string): Promise<boolean>;
  readonly store: AuthorizationStore;
}

/** Nobody is signed in at a server that asks for it, with the reason. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}

/** The result of a sign-in, so that the next start needs none. */
export interface SignInRecord {
  readonly client?: StoredOAuthClientInformation;
  readonly discovery?: OAuthDiscoveryState;
  readonly tokens?: StoredOAuthTokens;
}

const key = 'oauth';

/** The kept record; an empty one where it can't be read any more. */
export async function readSignIn(store: AuthorizationStore): Promise<SignInRecord> {
  const text = await store.get(key);
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // A text of another version, or of another program: then somebody signs in again.
  }
}

/** Keeps the record in the place of the former; an empty one forgets everything. */
export async function saveSignIn(store: AuthorizationStore, record: SignInRecord): Promise<void> {
  const text = JSON.stringify(record);
  await store.set(key, text === '{}' ? undefined : text);
}

/** Forgets our registration at the authorization server, unless there is another one by now. */
export async function forgetClient(
  store: AuthorizationStore,
  refused: StoredOAuthClientInformation | undefined,
): Promise<void> {
  const { client, ...rest } = await readSignIn(store);
  if (client && client.client_id === refused?.client_id) {
    await saveSignIn(store, rest);
  }
}

/** The values in a record that nobody else may learn. */
export function secretsIn({ client, tokens }: SignInRecord): (string | undefined)[] {
  return [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token];
}
