import type { GrantStore } from '../consent/grantStore.ts';
import type { ServerChoices } from '../consent/serverChoices.ts';
import type { OfferedFolders } from '../folders/offeredFolders.ts';
import type { ClientAnswers } from '../gateway/clientAnswers.ts';
import type { LastCalls } from '../pages/lastCalls.ts';
import type { ServerSecrets } from '../secrets/serverSecrets.ts';

/** All that is kept about servers by their ids, besides their definitions and their logs. */
export interface ServerMemory {
  readonly grants: GrantStore;
  readonly clientAnswers: ClientAnswers;
  /** Yes or no on each server, of every kind. */
  readonly choices: readonly ServerChoices[];
  readonly offered: OfferedFolders;
  readonly lastCalls: LastCalls;
  readonly secrets: ServerSecrets;
}
