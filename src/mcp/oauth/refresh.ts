import { setTimeout } from 'node:timers/promises';
import {
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { AuthorizationStore } from './authorization.ts';
import { forgetClient, readSignIn, type SignInRecord, saveSignIn } from './savedSignIn.ts';

/** What getting new tokens for old ones takes. */
export interface RefreshMeans {
  readonly store: AuthorizationStore;
  readonly fetchFn: FetchLike;
  /** Ends the wait for another window. */
  readonly signal: AbortSignal;
}

/** How long another window may take to keep the tokens it got for those we have, in milliseconds. */
const longestSave = 500;

/**
 * Whether there are new tokens in the store now for those of the record: got here, or by another
 * window that was faster. Where there are none, somebody has to sign in.
 */
export async function refresh(record: SignInRecord, means: RefreshMeans): Promise<boolean> {
  const { store, fetchFn } = means;
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
    return isOvertaken(record, means);
  }
}

/** Not by the SDK's `auth`, which writes what the server answers to the console. */
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

/** A refresh token is good for one use, and the other windows have the same one. */
async function isOvertaken({ tokens }: SignInRecord, means: RefreshMeans): Promise<boolean> {
  const hasOthers = async () => {
    const kept = (await readSignIn(means.store)).tokens?.access_token;
    return kept !== undefined && kept !== tokens?.access_token;
  };
  if (await hasOthers()) {
    return true;
  }
  await setTimeout(longestSave, undefined, { signal: means.signal });
  return hasOthers();
}
